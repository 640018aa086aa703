/** The bound that `moveRange` may leave out (`computeOtherBound` of the donor shard). */
import { sameBound } from '../chunks/bounds.ts';
import type { Router } from '../command.ts';
import { splitNamespace } from '../ddl/namespace.ts';
import type { ChunkEntry } from '../metadata/documents.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { maxChunkBytes } from './jumbo.ts';
import { countInRange, type KeyRange, keysInRange, openShardCollection } from './shard-range.ts';
import { averageBytes, sizeOfCollection } from './sizes.ts';

/** The bounds of which one is given. */
export interface HalfRange {
  min: Buffer | undefined;
  max: Buffer | undefined;
}

/** The range from the given bound to the chunk's own other one, or as far as a full chunk reaches. */
export async function withOtherBound(
  { min, max }: HalfRange,
  chunk: ChunkEntry,
  { entry: { ns, key } }: ShardedCollection,
  { catalog }: Router,
): Promise<KeyRange> {
  const range = { min: min ?? chunk.min, max: max ?? chunk.max };
  const peer = catalog.peer(chunk.shard);
  const namespace = splitNamespace(ns);
  const [all, maxBytes] = await Promise.all([sizeOfCollection(peer, namespace), maxChunkBytes(catalog.config)]);
  if (all.bytes <= maxBytes) return range;
  const full = Math.max(1, Math.floor(maxBytes / averageBytes(all)));
  const collection = await openShardCollection(peer, namespace, key);
  const documents = await countInRange(collection, range);
  if (documents <= full) return range;
  const skip = min ? full : documents - full;
  const [end] = await keysInRange(collection, range, key, { skip, limit: 1 });
  // Where so many documents share the bound itself, they stay together.
  if (!end || sameBound(end, range.min)) return range;
  return min ? { ...range, max: end } : { ...range, min: end };
}
