/**
 * Work that a change could not do to its end, because a server was gone: the clean-up of a move, the rest of a drop. Whoever uses the
 * namespace or the database next does it first, so that nobody sees a change half done, and no later change is undone by it.
 */
import { Locks } from '../locks.ts';

type Work = () => Promise<void>;

/** By the name of what it is to be done on. */
export class Leftovers {
  readonly #left = new Map<string, Work[]>();
  readonly #turns = new Locks();

  /** Whether nothing is left on anything. */
  get isEmpty(): boolean {
    return this.#left.size === 0;
  }

  /** The names on which something is left. */
  get names(): readonly string[] {
    return [...this.#left.keys()];
  }

  /** Leaves work for later, behind what is left already. */
  leave(name: string, work: Work): void {
    const earlier = this.#left.get(name);
    if (earlier) earlier.push(work);
    else this.#left.set(name, [work]);
  }

  /**
   * Does what is left on some names.
   * @throws what the work throws, which stays left
   */
  async finish(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#turns.alone(name, () => this.#finishOne(name));
  }

  /** One after the other, each once; what is left meanwhile, too. */
  async #finishOne(name: string): Promise<void> {
    const left = this.#left.get(name) ?? [];
    for (let [next] = left; next; [next] = left) {
      await next();
      left.shift();
    }
    this.#left.delete(name);
  }
}
