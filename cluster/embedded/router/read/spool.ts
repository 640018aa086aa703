/** What an open cursor still holds, on disk: so that documents may move while a client takes its time, and the router does not grow. */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Pieces in the order they were put in, in a file that has no name any more and so ends with the process at the latest. */
export class Spool {
  readonly #file: FileHandle;
  readonly #sizes: number[] = [];
  #written = 0;
  #read = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(): Promise<Spool> {
    const folder = await mkdtemp(join(tmpdir(), 'shardlab-cursor-'));
    try {
      return new Spool(await open(join(folder, 'spool'), 'wx+', 0o600));
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  get isEmpty(): boolean {
    return this.#sizes.length === 0;
  }

  async append(piece: Buffer): Promise<void> {
    await this.#file.write(piece, 0, piece.length, this.#written);
    this.#written += piece.length;
    this.#sizes.push(piece.length);
  }

  /** The first piece, taken out; there must be one. */
  async take(): Promise<Buffer> {
    const piece = Buffer.allocUnsafe(this.#sizes.shift() ?? 0);
    await this.#file.read(piece, 0, piece.length, this.#read);
    this.#read += piece.length;
    return piece;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
