/** Who may work on a namespace at the same time: readers side by side, a changer alone, in the order they came. */

interface Waiter {
  exclusive: boolean;
  begin: () => void;
}

/** One lock: shared or exclusive, first come first served, so that a stream of readers starves no changer. */
class Lock {
  #sharers = 0;
  #exclusive = false;
  readonly #queue: Waiter[] = [];

  get idle(): boolean {
    return this.#sharers === 0 && !this.#exclusive && this.#queue.length === 0;
  }

  /** Resolves when the lock is held; at once, without waiting a turn, when it is free. */
  acquire(exclusive: boolean): Promise<void> | undefined {
    if (this.#queue.length === 0 && this.#free(exclusive)) {
      this.#take(exclusive);
      return undefined;
    }
    return new Promise((begin) => this.#queue.push({ exclusive, begin }));
  }

  release(exclusive: boolean): void {
    if (exclusive) this.#exclusive = false;
    else this.#sharers--;
    for (let next = this.#queue[0]; next && this.#free(next.exclusive); next = this.#queue[0]) {
      this.#queue.shift();
      this.#take(next.exclusive);
      next.begin();
    }
  }

  #free(exclusive: boolean): boolean {
    return !this.#exclusive && (!exclusive || this.#sharers === 0);
  }

  #take(exclusive: boolean): void {
    if (exclusive) this.#exclusive = true;
    else this.#sharers++;
  }
}

/** Locks by name, made when needed and forgotten when nobody holds them. */
export class Locks {
  readonly #locks = new Map<string, Lock>();

  /** Runs `work` while nobody holds `name` alone. */
  shared<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#hold(name, false, work);
  }

  /** As {@link shared} of several names, taken in one order, so that two who want the same never wait for each other. */
  sharedAll<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    const inner = [...new Set(names)].sort().reverse();
    return inner.reduce<() => Promise<T>>((next, name) => () => this.shared(name, next), work)();
  }

  /** Runs `work` while nobody else holds `name`. Not re-entrant: `work` must not ask for `name` again. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#hold(name, true, work);
  }

  async #hold<T>(name: string, exclusive: boolean, work: () => Promise<T>): Promise<T> {
    const lock = this.#lock(name);
    await lock.acquire(exclusive);
    try {
      return await work();
    } finally {
      lock.release(exclusive);
      if (lock.idle) this.#locks.delete(name);
    }
  }

  #lock(name: string): Lock {
    const known = this.#locks.get(name) ?? new Lock();
    this.#locks.set(name, known);
    return known;
  }
}
