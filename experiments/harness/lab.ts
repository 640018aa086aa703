/** The words that an experiment's story is told in. */
import type { Db, Document, FindCursor } from 'mongodb';
import type { KeyRange, Router } from '../../cluster/sharding.ts';
import type { Expectation } from './expect.ts';

/** What `run` is given: a scratch database of its own on a sharded cluster, and steps, which go into the report. */
export interface Lab {
  /** The name of the scratch database, for commands that want `db.collection`. Its primary shard is the first one. */
  readonly database: string;
  /** The shards' names, in order. */
  readonly shards: readonly string[];

  /** `database.collection` */
  ns(collection: string): string;

  /**
   * Runs driver calls, and records every command they really sent with its whole reply or error, and who answered. A refusal by a server is a
   * result like any other and is not thrown; what is no answer of a server (a typing error, say) is thrown on. When the calls have ended, the
   * scratch database is looked at, unless all they sent were reads, and the record says where chunks, indexes and documents are.
   * @param caption one sentence: what is tried
   * @param run the calls, on the scratch database; await them one after the other, or the report's order is left to chance.
   * `db.client` is the driver's client, for sessions and for commands to other databases; the router is for the functions of
   * cluster/sharding.ts
   * @param expectation what this server is predicted to do; of how many documents, where `run` returns an array or a number
   * @returns what `run` returned, undefined when a call failed
   */
  step<T>(
    caption: string,
    run: (db: Db, router: Router) => Promise<T>,
    expectation?: Expectation,
  ): Promise<T | undefined>;

  /**
   * A step on one shard, past the router.
   * @param shard its name
   */
  onShard<T>(
    shard: string,
    caption: string,
    run: (db: Db) => Promise<T>,
    expectation?: Expectation,
  ): Promise<T | undefined>;

  /**
   * Counts documents on every shard, past the router.
   * @returns the counts in the order of the shards
   */
  counts(
    caption: string,
    collection: string,
    filter: Document,
    expectation?: Expectation,
  ): Promise<number[] | undefined>;

  /**
   * Asks every shard, past the router, how it would execute a query. The report shows only the stages of the plans.
   * @param query makes the cursor on the database it is given
   */
  explain(caption: string, query: (db: Db) => FindCursor, expectation?: Expectation): Promise<void>;

  /**
   * Lets several clients do the same at the same time. Which of them wins is chance, so only how many did and the codes of the others are
   * recorded. Documents of the collections they write are recorded from then on only if all sent the same write, apart from ids and dates,
   * and at most one of them succeeded; chunks and indexes are, so a race for those has to end in one way.
   */
  race(caption: string, clients: number, run: (db: Db) => Promise<unknown>, expectation?: Expectation): Promise<void>;

  /** From here on the steps show what works instead. */
  instead(): void;

  /**
   * Makes a collection on the first two shards: below `at` on the first, from `at` upward on the second.
   * @throws Error when the cluster refuses, as the other ways to arrange a collection do
   */
  onTwoShards(collection: string, arrangement: TwoShards): Promise<void>;

  /**
   * Shards a collection; `options` as the command takes them. By an `_id` that drivers make (hashed, say) documents fall on shards by chance,
   * and records of two runs differ: give documents an `_id` of your own there.
   */
  shardCollection(collection: string, key: Document, options?: Document): Promise<void>;

  /** Splits the chunk that holds `middle`, so that one begins there. */
  splitAt(collection: string, middle: Document): Promise<void>;

  /** Moves a chunk, given by its bounds, and waits until its documents are gone from the shard they leave. */
  moveRange(collection: string, chunk: KeyRange, toShard: string): Promise<void>;
}

/** See {@link Lab.onTwoShards}. */
export interface TwoShards {
  /** The shard key: its only field, or all of it. */
  readonly key: string | Document;
  /** Where the second shard's range begins: the only field's value, or all of them. */
  readonly at: unknown;
  /** Declares the shard key unique. */
  readonly unique?: boolean;
}
