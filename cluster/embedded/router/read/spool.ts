/** What an open cursor still holds, on disk: so that documents may move while a client takes its time, and the router does not grow. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
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
    const path = join(tmpdir(), `shardlab-cursor-${randomUUID()}`);
    const spool = new Spool(await open(path, 'wx+', 0o600));
    await unlink(path);
    return spool;
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
