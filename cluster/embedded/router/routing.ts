/** Which shard owns what of one sharded collection: pure, made from `config.collections` and `config.chunks`. */
import { elements, type RawValue, Type } from '../wire/bson.ts';
import { compareKeys } from './compare.ts';
import { hashOf } from './hash.ts';
import { keyOfDocument, parseShardKey } from './shard-key.ts';

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
  /** The 16 bytes of the collection's UUID. */
  readonly uuid: Buffer;
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

/** What a routing table is made of: one document of `config.collections` and its chunks. */
export interface RoutingSpec {
  ns: string;
  /** The 16 bytes of the collection's UUID. */
  uuid: Buffer;
  keyPattern: Buffer;
  unique: boolean;
  /** In key order, without gaps, from MinKey to MaxKey. */
  chunks: readonly Chunk[];
}

/**
 * Makes a collection's routing table.
 * @throws CommandError 2 when the key pattern is no valid shard key
 * @throws Error when there is no chunk, a gap or an overlap between chunks
 */
export function routingTable(spec: RoutingSpec): RoutingTable {
  return new Table(spec);
}

class Table implements RoutingTable {
  readonly ns: string;
  readonly uuid: Buffer;
  readonly fields: readonly KeyField[];
  readonly keyPattern: Buffer;
  readonly unique: boolean;
  readonly chunks: readonly Chunk[];
  readonly owners: readonly string[];
  /** Each chunk's upper bound, apart. */
  readonly #maxima: readonly ShardKeyValues[];

  constructor({ ns, uuid, keyPattern, unique, chunks }: RoutingSpec) {
    this.ns = ns;
    this.uuid = uuid;
    this.fields = parseShardKey(keyPattern);
    this.keyPattern = keyPattern;
    this.unique = unique;
    this.chunks = chunks;
    this.owners = [...new Set(chunks.map(({ shard }) => shard))].sort();
    this.#maxima = chunks.map(({ max }) => elements(max));
  }

  keyOf(document: Buffer): ShardKeyValues {
    return keyOfDocument(this.fields, document);
  }

  chunkOf(key: ShardKeyValues): Chunk {
    let low = 0;
    let high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareKeys(key, this.#maxima[middle] as ShardKeyValues) < 0) high = middle;
      else low = middle + 1;
    }
    return this.chunks[low] as Chunk;
  }

  targets(filter: Buffer, collation?: Buffer): Targets {
    const key = collation ? undefined : this.keyOfQuery(filter);
    return key ? { shards: [this.chunkOf(key).shard], exact: true } : { shards: this.owners, exact: false };
  }

  keyOfQuery(filter: Buffer): ShardKeyValues | undefined {
    const found = new Map(elements(filter).map((element) => [element.name, element as RawValue]));
    const key = this.fields.map(({ path, hashed }) => {
      const value = found.get(path);
      if (!value || value.type === Type.regex || value.type === Type.object || value.type === Type.array)
        return undefined;
      return hashed ? hashOf(value) : value;
    });
    return key.includes(undefined) ? undefined : (key as ShardKeyValues);
  }
}
