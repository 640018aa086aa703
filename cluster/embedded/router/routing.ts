/** Which shard owns what of one sharded collection: pure, made from `config.collections` and `config.chunks`. */
import { elements, field, type RawValue, text } from '../wire/bson.ts';
import { documentText, rangeText } from './bson-text.ts';
import { compareKeys } from './compare.ts';
import { parseQuery, type Query } from './query.ts';
import { keyOfQuery } from './query-key.ts';
import { isCollatable, type KeyRange, keyRanges } from './query-ranges.ts';
import { globalMax, globalMin, keyOfDocument, parseShardKey } from './shard-key.ts';

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
interface Targets {
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
   * @param collation the command's collation: where it is not the simple one, an equality of strings or objects fixes nothing
   * @returns `undefined` when a field is not fixed
   */
  keyOfQuery(filter: Buffer, collation?: Buffer): ShardKeyValues | undefined;
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
  /** The collection's own collation, by which queries that name none compare; absent for the simple one. */
  defaultCollation?: Buffer | undefined;
}

/**
 * Makes a collection's routing table.
 * @throws CommandError 2 when the key pattern is no valid shard key
 * @throws Error when the chunks do not lead from MinKey to MaxKey without gap or overlap
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
  readonly #defaultCollation: Buffer | undefined;
  /** Each chunk's upper bound, apart. */
  readonly #maxima: readonly ShardKeyValues[];
  readonly #everywhere: Targets;

  constructor({ ns, uuid, keyPattern, unique, chunks, defaultCollation }: RoutingSpec) {
    this.ns = ns;
    this.uuid = uuid;
    this.fields = parseShardKey(keyPattern);
    this.keyPattern = keyPattern;
    this.unique = unique;
    this.chunks = chunks;
    this.owners = [...new Set(chunks.map(({ shard }) => shard))].sort();
    this.#defaultCollation = defaultCollation;
    this.#maxima = chunks.map(({ max }) => elements(max));
    this.#everywhere = { shards: this.owners, exact: false };
    checkChunks(this.fields, chunks);
  }

  keyOf(document: Buffer): ShardKeyValues {
    return keyOfDocument(this.fields, document);
  }

  chunkOf(key: ShardKeyValues): Chunk {
    return this.chunks[this.#indexOf(key)] as Chunk;
  }

  targets(filter: Buffer, collation?: Buffer): Targets {
    const query = parseQuery(filter);
    const key = this.#fixedKey(query, collation);
    if (key) return { shards: [this.chunkOf(key).shard], exact: true };
    const ranges = keyRanges(query, this.fields, this.#isCollated(collation));
    return ranges ? this.#overlapping(ranges) : this.#everywhere;
  }

  keyOfQuery(filter: Buffer, collation?: Buffer): ShardKeyValues | undefined {
    return this.#fixedKey(parseQuery(filter), collation);
  }

  /** Under a collation a hash tells nothing either: what was hashed may have been a string. */
  #fixedKey(query: Query, collation: Buffer | undefined): ShardKeyValues | undefined {
    const key = keyOfQuery(query, this.fields);
    const mayDependOnCollation = key?.some((value, i) => isCollatable(value) || this.fields[i]?.hashed);
    return mayDependOnCollation && this.#isCollated(collation) ? undefined : key;
  }

  #isCollated(collation: Buffer | undefined): boolean {
    const used = collation ?? this.#defaultCollation;
    return used !== undefined && text(field(used, 'locale')) !== 'simple';
  }

  #overlapping(ranges: readonly KeyRange[]): Targets {
    const found = new Set<string>();
    for (const { min, max } of ranges) {
      const last = this.#indexOf(max);
      for (let i = this.#indexOf(min); i <= last; i++) found.add((this.chunks[i] as Chunk).shard);
      if (found.size === this.owners.length) return this.#everywhere;
    }
    // A filter that contradicts itself still needs a shard to answer it (SERVER-4914).
    if (found.size === 0) found.add((this.chunks[0] as Chunk).shard);
    return { shards: [...found].sort(), exact: false };
  }

  /** Bounds lie below their chunk's maximum, except for the last, which takes MaxKey in too. */
  #indexOf(key: ShardKeyValues): number {
    let low = 0;
    let high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareKeys(key, this.#maxima[middle] as ShardKeyValues) < 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function checkChunks(fields: readonly KeyField[], chunks: readonly Chunk[]): void {
  let end = globalMin(fields);
  for (const { min, max } of chunks) {
    if (!isSameBound(min, end)) throw new Error(`chunk ${rangeText(min, max)} does not begin at ${documentText(end)}`);
    if (compareKeys(elements(min), elements(max)) >= 0) throw new Error(`chunk ${rangeText(min, max)} is empty`);
    end = max;
  }
  if (!isSameBound(end, globalMax(fields))) throw new Error(`the last chunk ends at ${documentText(end)}`);
}

function isSameBound(a: Buffer, b: Buffer): boolean {
  return a.equals(b) || compareKeys(elements(a), elements(b)) === 0;
}
