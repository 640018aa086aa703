/** The documents of a range of shard keys on one shard, found through an index that the shard key prefixes. */
import {
  arrayOf,
  decodePlain,
  documentOf,
  elements,
  field,
  number,
  type RawElement,
  type RawValue,
  Type,
  without,
} from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { askRaw } from '../ask.ts';
import { documentText } from '../bson-text.ts';
import { isGlobalMax } from '../chunks/bounds.ts';
import { CommandError } from '../command.ts';
import { MAX_KEY, MIN_KEY, NULL } from '../compare.ts';
import { unfitness } from '../ddl/index-rules.ts';
import { type Index, indexesOf } from '../ddl/indexes.ts';
import type { Namespace } from '../ddl/namespace.ts';
import { compose, embedded, Raw } from '../metadata/compose.ts';

const INDEX_NOT_FOUND = 27;
/** What a command that another one holds leaves to that one. */
const OWN_DATABASE: ReadonlySet<string> = new Set(['$db']);
/** Documents deleted by one command. */
const DELETE_BATCH = 10_000;

/** `[min, max)` in shard keys. */
export interface KeyRange {
  min: Buffer;
  max: Buffer;
}

/** Where documents are looked for: a collection of one shard, and the index to go by. */
export interface ShardCollection {
  peer: Peer;
  namespace: Namespace;
  index: Index;
}

/**
 * Opens a collection of a shard by an index that fits the shard key.
 * @throws CommandError 27 when there is none
 */
export async function openShardCollection(peer: Peer, namespace: Namespace, key: Buffer): Promise<ShardCollection> {
  const multikey = async (): Promise<boolean> => false; // a range of a multikey index is still a range
  for (const index of await indexesOf(peer, namespace)) {
    if (index.hidden) continue;
    if ((await unfitness(index, key, { multikey, singleKey: false })) === undefined) return { peer, namespace, index };
  }
  throw new CommandError(
    INDEX_NOT_FOUND,
    `can't find index with prefix ${documentText(key)} in storeCurrentLocs for ${namespace.ns}`,
  );
}

/**
 * The `find` command for a range, in the index's order.
 * @param options further fields of the command
 */
export function findInRange(
  { namespace, index }: ShardCollection,
  { min, max }: KeyRange,
  options: Readonly<Record<string, unknown>>,
): Buffer {
  return compose({
    find: namespace.collection,
    hint: index.name,
    collation: { locale: 'simple' }, // the index's, whatever the collection's own
    min: embedded(indexBound(index, min)),
    // Without an upper bound, MaxKey itself is in the range, as it is in the last chunk.
    ...(isGlobalMax(max) ? {} : { max: embedded(indexBound(index, max)) }),
    ...options,
    $db: namespace.db,
  });
}

/** A shard key as a bound of the index: what comes first in the index's order in the fields behind the shard key's. */
function indexBound({ key }: Index, bound: Buffer): Buffer {
  const given = elements(bound);
  const rest = elements(key).slice(given.length);
  const first = (part: RawElement): RawValue => ((number(part) ?? 1) < 0 ? MAX_KEY : MIN_KEY);
  return documentOf([...given, ...rest.map((part) => ({ name: part.name, ...first(part) }))]);
}

/** How many documents there are in a range. */
export async function countInRange(collection: ShardCollection, range: KeyRange): Promise<number> {
  const { peer, namespace } = collection;
  const find = without(findInRange(collection, range, { returnKey: true }), OWN_DATABASE);
  const command = { explain: embedded(find), verbosity: 'executionStats', $db: namespace.db };
  const { executionStats } = decodePlain(await askRaw(peer, compose(command)));
  return executionStats.nReturned;
}

/** Shard keys of a range in order, one for each document. */
export async function keysInRange(
  collection: ShardCollection,
  range: KeyRange,
  keyPattern: Buffer,
  { skip, limit }: { skip: number; limit: number },
): Promise<Buffer[]> {
  const options = { returnKey: true, skip, limit, batchSize: limit, singleBatch: true };
  const cursor = field(await askRaw(collection.peer, findInRange(collection, range, options)), 'cursor');
  const batch = cursor && field(cursor.bytes, 'firstBatch');
  return batch ? elements(batch.bytes).map(({ bytes }) => shardKeyOf(bytes, keyPattern)) : [];
}

/** The shard key's fields of an index key. */
function shardKeyOf(indexKey: Buffer, keyPattern: Buffer): Buffer {
  return documentOf(elements(keyPattern).map(({ name }): RawElement => ({ name, ...(field(indexKey, name) ?? NULL) })));
}

/** Deletes every document of a range. */
export async function deleteRange(collection: ShardCollection, range: KeyRange): Promise<void> {
  const find = findInRange(collection, range, {
    projection: { _id: 1 },
    limit: DELETE_BATCH,
    singleBatch: true,
    batchSize: DELETE_BATCH,
  });
  for (let ids = await idsOf(collection.peer, find); ids.length > 0; ids = await idsOf(collection.peer, find)) {
    await askRaw(collection.peer, deletion(collection.namespace, ids));
  }
}

async function idsOf(peer: Peer, find: Buffer): Promise<RawValue[]> {
  const cursor = field(await askRaw(peer, find), 'cursor');
  const batch = cursor && field(cursor.bytes, 'firstBatch');
  const documents = batch ? elements(batch.bytes) : [];
  return documents.map(({ bytes }) => field(bytes, '_id')).filter((id) => id !== undefined);
}

function deletion({ db, collection }: Namespace, ids: readonly RawValue[]): Buffer {
  const q = embedded(compose({ _id: embedded(compose({ $in: new Raw(arrayOf(ids)) })) }));
  const one = { type: Type.object, bytes: compose({ q, limit: 0 }) };
  return compose({ delete: collection, deletes: new Raw(arrayOf([one])), writeConcern: { w: 1, j: true }, $db: db });
}
