/**
 * What the router knows of the cluster, kept in the config server as a real one keeps it (`config.shards`, `databases`,
 * `collections`, `chunks` … in the shapes of 9.0) and cached here: a cluster has one router, which alone changes placement.
 */
import type { Peer } from '../wire/client.ts';
import type { Change } from './metadata/commit.ts';
import type { DatabaseEntry } from './metadata/documents.ts';
import type { ShardedCollection } from './metadata/sharded-collection.ts';
import type { RoutingTable } from './routing.ts';

/** One document of `config.shards`. */
export interface ShardEntry {
  /** The shard's name, the `_id`. */
  id: string;
  /** Connection string, `<replica set>/<host:port>,…`. */
  host: string;
}

/** Reads, and the locks that reads, writes and changes of placement take. */
export interface Catalog {
  /** The config server, which also holds the databases `config` and `admin`. */
  readonly config: Peer;
  /** Every registered shard, by name. */
  shards(): readonly ShardEntry[];
  /** The connection pool of a registered shard's primary, or of the config server for `config`. */
  peer(shard: string): Peer;
  /** The primary shard of a database, `undefined` while the database does not exist; always `config` for `admin` and `config`. */
  primaryOf(db: string): string | undefined;
  /**
   * The primary shard of a database, which is created where it does not exist: on the shard that holds the least data, first by name on a tie.
   * @throws CommandError 70 when there is no shard, 72 when no client may create it, 13297 when a database differs only in case
   */
  ensureDatabase(db: string, primaryShard?: string): Promise<string>;
  /** How a sharded collection is routed; `undefined` for one that is not sharded, which lives on its database's primary shard. */
  routing(ns: string): RoutingTable | undefined;
  /**
   * Runs `work` while nobody changes the placement of `ns`: reads and writes side by side. Never inside another `using` or
   * `changing`: whoever waits for the whole database would stand between the two.
   * @param ns `db.coll`
   */
  using<T>(ns: string, work: () => Promise<T>): Promise<T>;
  /** As {@link using} of several collections at once. */
  usingAll<T>(namespaces: readonly string[], work: () => Promise<T>): Promise<T>;
  /** Reads everything again from the config server, after a client has written to `config.*` itself. */
  reload(): Promise<void>;
  /** Runs `work` alone on `ns`: after every read and write that has begun, before every one that comes (sharding, moves, splits, drops). */
  changing<T>(ns: string, work: () => Promise<T>): Promise<T>;
}

/** The catalog with what changes it, for DDL, chunk operations and moves. */
export interface Metadata extends Catalog {
  databases(): readonly DatabaseEntry[];
  /** Everything known of a sharded collection; `undefined` for one that is not sharded. */
  sharded(ns: string): ShardedCollection | undefined;
  /** The sharded collections of a database. */
  shardedIn(db: string): readonly ShardedCollection[];
  /** Runs `work` alone on a database and every collection in it. */
  changingDatabase<T>(db: string, work: () => Promise<T>): Promise<T>;
  /**
   * Leaves work to whoever uses a namespace or a database next, who does it first and fails where it fails. Called under the lock of what
   * it is left on.
   */
  leave(name: string, work: () => Promise<void>): void;
  /**
   * Does the rest of a change that cannot be taken back any more; where that fails, because a shard is gone, it is left ({@link leave}).
   * @throws what `work` throws
   */
  seeThrough(name: string, work: () => Promise<void>): Promise<void>;
  /**
   * Changes `config.*`, then what is cached, with no reload between the two.
   * @param then brings the cache up to date: {@link put}, {@link forget}, …
   * @throws CommandError when the config server refuses a change
   */
  commit(changes: readonly Change[], then: () => void): Promise<void>;
  put(collection: ShardedCollection): void;
  forget(ns: string): void;
  forgetDatabase(db: string): void;
  putShard(shard: ShardEntry): void;
}
