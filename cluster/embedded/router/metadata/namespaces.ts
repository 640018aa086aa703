/** Who may work on a collection or a database, and what has to be done on it before: see {@link Catalog} and {@link Metadata}. */
import { Locks } from '../locks.ts';
import { Leftovers } from './leftovers.ts';

/** The name on which is left what nothing may come before. */
export const EVERYTHING = '';

export class Namespaces {
  readonly #collections = new Locks();
  readonly #databases = new Locks();
  readonly #leftovers = new Leftovers();

  using<T>(ns: string, work: () => Promise<T>): Promise<T> {
    return this.#inDatabase(ns, () => this.#collections.shared(ns, () => this.#ready([ns], work)));
  }

  usingAll<T>(namespaces: readonly string[], work: () => Promise<T>): Promise<T> {
    return this.#databases.sharedAll(namespaces.map(databaseOf), () =>
      this.#collections.sharedAll(namespaces, () => this.#ready(namespaces, work)),
    );
  }

  changing<T>(ns: string, work: () => Promise<T>): Promise<T> {
    return this.#inDatabase(ns, () => this.#collections.alone(ns, () => this.#ready([ns], work)));
  }

  changingDatabase<T>(db: string, work: () => Promise<T>): Promise<T> {
    return this.#databases.alone(db, () => this.#ready([db, ...this.#leftIn(db)], work));
  }

  leave(name: string, work: () => Promise<void>): void {
    this.#leftovers.leave(name, work);
  }

  async seeThrough(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.leave(name, work);
      throw error;
    }
  }

  #inDatabase<T>(ns: string, work: () => Promise<T>): Promise<T> {
    return this.#databases.shared(databaseOf(ns), work);
  }

  /** `work`, after what is left. Something is left under a lock that nobody else holds, so whoever holds one now finds it. */
  #ready<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    if (this.#leftovers.isEmpty) return work();
    return this.#leftovers.finish([EVERYTHING, ...names.map(databaseOf), ...names]).then(work);
  }

  #leftIn(db: string): string[] {
    return this.#leftovers.names.filter((name) => name.startsWith(`${db}.`));
  }
}

/** The database of a namespace; of a database's name, itself. */
function databaseOf(ns: string): string {
  const dot = ns.indexOf('.');
  return dot < 0 ? ns : ns.slice(0, dot);
}
