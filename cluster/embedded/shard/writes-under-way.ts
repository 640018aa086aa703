/**
 * The writes that this server has begun and not ended, whether or not who sent them is still there: a router that takes the place of a
 * killed one waits for them, or what it brings to an end would be begun anew behind its back.
 */

/** Commands that change what the server holds. */
const WRITES: ReadonlySet<string> = new Set([
  'bulkWrite',
  'create',
  'createIndexes',
  'delete',
  'drop',
  'dropDatabase',
  'dropIndexes',
  'findAndModify',
  'findandmodify',
  'insert',
  'renameCollection',
  'update',
]);

/** See the file's comment. */
export class WritesUnderWay {
  readonly #running = new Set<Promise<unknown>>();

  /** Takes note of a command that has begun. */
  note<T>(name: string, work: Promise<T>): Promise<T> {
    if (!WRITES.has(name)) return work;
    this.#running.add(work);
    const forget = (): void => void this.#running.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Resolves when those have ended that have begun by now, as it may be. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}
