/** The key in the middle of a chunk (`splitVector` with `force`, src/mongo/db/s/split_vector.cpp). */
import type { Peer } from '../../wire/client.ts';
import { CommandError } from '../command.ts';
import { compareDocuments } from '../compare.ts';
import { splitNamespace } from '../ddl/namespace.ts';
import type { ChunkEntry } from '../metadata/documents.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import {
  countInRange,
  type KeyRange,
  keysInRange,
  openShardCollection,
  type ShardCollection,
} from '../moves/shard-range.ts';
import { averageBytes, sizeOfCollection } from '../moves/sizes.ts';

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
  const [first] = await keysInRange(collection, chunk, entry.key, { skip: 0, limit: 1 });
  if (!first) {
    const text = "can't open a cursor to scan the range (desired range is possibly empty)";
    throw new CommandError(OPERATION_FAILED, text);
  }
  for (let skip = await middleOf(collection, chunk); ; skip += KEYS_AT_ONCE) {
    const keys = await keysInRange(collection, chunk, entry.key, { skip, limit: skip === 0 ? 1 : KEYS_AT_ONCE });
    const median = keys.find((key) => compareDocuments(key, first) !== 0);
    if (median) return median;
    if (keys.length < KEYS_AT_ONCE) break;
  }
  throw new CommandError(CANNOT_SPLIT, 'Unable to find median in chunk because chunk is indivisible.');
}

/** Half of the shard's documents into the chunk; half of the chunk's where it holds fewer. */
async function middleOf(collection: ShardCollection, range: KeyRange): Promise<number> {
  const [all, own] = await Promise.all([
    sizeOfCollection(collection.peer, collection.namespace),
    countInRange(collection, range),
  ]);
  const half = Math.floor(all.bytes / (2 * averageBytes(all)));
  return half < own ? half : Math.floor(own / 2);
}
