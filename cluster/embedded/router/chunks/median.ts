/** The key in the middle of a chunk (`splitVector` with `force`, src/mongo/db/s/split_vector.cpp). */
import { documentOf, elements, field, number, type RawElement } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { askRaw } from '../ask.ts';
import { CommandError } from '../command.ts';
import { compareDocuments, NULL } from '../compare.ts';
import { type Namespace, splitNamespace } from '../ddl/namespace.ts';
import { compose, embedded } from '../metadata/compose.ts';
import type { ChunkEntry } from '../metadata/documents.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { findInRange, type KeyRange, openShardCollection, type ShardCollection } from '../moves/shard-range.ts';

const CANNOT_SPLIT = 87;
const OPERATION_FAILED = 96;
/** Index keys read at once where many documents have the same key. */
const KEYS_AT_ONCE = 10_000;

/**
 * The first key from the middle of the chunk on that is not its first key: a key that all documents share cannot be parted.
 * @throws CommandError 96 when the chunk holds nothing, 87 when it holds one key
 */
export async function medianKey(peer: Peer, { entry }: ShardedCollection, chunk: ChunkEntry): Promise<Buffer> {
  const namespace = splitNamespace(entry.ns);
  const collection = await openShardCollection(peer, namespace, entry.key);
  const [first] = await keysFrom(collection, chunk, entry.key, { skip: 0, limit: 1 });
  if (!first) {
    const text = "can't open a cursor to scan the range (desired range is possibly empty)";
    throw new CommandError(OPERATION_FAILED, text);
  }
  for (let skip = await middleOf(collection, chunk, entry.key); ; skip += KEYS_AT_ONCE) {
    const keys = await keysFrom(collection, chunk, entry.key, { skip, limit: skip === 0 ? 1 : KEYS_AT_ONCE });
    const median = keys.find((key) => compareDocuments(key, first) !== 0);
    if (median) return median;
    if (keys.length < KEYS_AT_ONCE) break;
  }
  throw new CommandError(CANNOT_SPLIT, 'Unable to find median in chunk because chunk is indivisible.');
}

/** Half of the shard's documents into the chunk; half of the chunk's where it holds fewer. */
async function middleOf({ peer, namespace }: ShardCollection, range: KeyRange, keyPattern: Buffer): Promise<number> {
  const [all, own] = [await sizeOf(peer, namespace), await sizeOf(peer, namespace, { ...range, keyPattern })];
  const average = Math.max(1, Math.floor(all.size / Math.max(1, all.numObjects)));
  const half = Math.floor(all.size / (2 * average));
  return half < own.numObjects ? half : Math.floor(own.numObjects / 2);
}

/** Bytes and documents of a collection on one shard, or of a range of it. */
export async function sizeOf(
  peer: Peer,
  { ns, db }: Namespace,
  range?: KeyRange & { keyPattern: Buffer },
): Promise<{ size: number; numObjects: number }> {
  const bounds = range && {
    keyPattern: embedded(range.keyPattern),
    min: embedded(range.min),
    max: embedded(range.max),
  };
  const reply = await askRaw(peer, compose({ dataSize: ns, ...bounds, $db: db }));
  return { size: number(field(reply, 'size')) ?? 0, numObjects: number(field(reply, 'numObjects')) ?? 0 };
}

async function keysFrom(
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
