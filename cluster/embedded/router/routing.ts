/** Which shard owns what of one sharded collection: pure, made from `config.collections` and `config.chunks`. */
import type { RawValue } from '../wire/bson.ts';

/** One field of a shard key. */
export interface KeyField {
  /** Dotted path. */
  path: string;
  hashed: boolean;
}

/** One chunk: the range `[min, max)` of shard keys, in BSON, and its owner. */
export interface Chunk {
  min: Buffer;
  max: Buffer;
  shard: string;
}

/** The values of a shard key in the key's order; a hashed field's value is already the hash (a long). */
export type ShardKeyValues = readonly RawValue[];

/** Where a query has to go. */
export interface Targets {
  /** Shards in the order of the chunk map's shards by name; never empty. */
  shards: readonly string[];
  /** The query holds an equality for every field of the shard key, so at most one chunk can hold what matches. */
  exact: boolean;
}

/** See the file's comment. */
export interface RoutingTable {
  readonly ns: string;
  readonly fields: readonly KeyField[];
  /** The key pattern as a BSON document, `{ a: 1, b: "hashed" }`. */
  readonly keyPattern: Buffer;
  readonly unique: boolean;
  /** In key order, without gaps, from MinKey to MaxKey. */
  readonly chunks: readonly Chunk[];
  /** Names of the shards that own at least one chunk, sorted. */
  readonly owners: readonly string[];
  /**
   * The shard key of a document; a missing field counts as null (4.4+).
   * @throws CommandError 61 when there is an array at a key field or on the way to it
   */
  keyOf(document: Buffer): ShardKeyValues;
  /** The chunk that holds a shard key. */
  chunkOf(key: ShardKeyValues): Chunk;
  /**
   * The shards that can hold what a filter matches, by the server's rules (equality, ranges, `$in`, `$and`, `$or`; hashed fields by
   * equality only; strings under a non-simple collation do not target).
   * @param filter BSON query
   * @param collation the command's collation, where it has one
   */
  targets(filter: Buffer, collation?: Buffer): Targets;
  /**
   * The shard key that a filter fixes by equality on every field (`extractShardKeyFromQuery`), as an upsert needs it.
   * @returns `undefined` when a field is not fixed
   */
  keyOfQuery(filter: Buffer): ShardKeyValues | undefined;
}
