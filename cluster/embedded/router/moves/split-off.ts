/** The chunks that a move leaves: pure. */
import { ObjectId, type Timestamp } from 'bson';
import { sameBound } from '../chunks/bounds.ts';
import type { ChunkEntry } from '../metadata/documents.ts';
import { collectionVersion, type ShardedCollection } from '../metadata/sharded-collection.ts';
import type { KeyRange } from './shard-range.ts';

/** The chunks before and after; those after that keep an `_id` are changed, the others new. */
export interface Replacement {
  removed: readonly ChunkEntry[];
  added: readonly ChunkEntry[];
}

/**
 * Gives a range of one chunk to another shard. The moved chunk begins a new major version; what is left of its chunk on the donor, or
 * else another chunk of the donor's, gets the same major, so that donor and recipient both know of the change
 * (`commitChunkMigration`, src/mongo/db/global_catalog/ddl/sharding_catalog_manager_chunk_operations.cpp).
 * @param range within `chunk`
 */
export function movedChunks(
  { chunks }: ShardedCollection,
  chunk: ChunkEntry,
  { range: { min, max }, to, at }: { range: KeyRange; to: string; at: Timestamp },
): Replacement {
  const major = collectionVersion(chunks).major + 1;
  const moved: ChunkEntry = {
    ...chunk,
    id: sameBound(chunk.min, min) ? chunk.id : new ObjectId(),
    min,
    max,
    shard: to,
    version: { major, minor: 0 },
    history: [{ validAfter: at, shard: to }, ...chunk.history],
    onCurrentShardSince: at,
    jumbo: false,
  };
  const left = sameBound(chunk.min, min) ? [] : [{ ...chunk, max: min }];
  const right = sameBound(chunk.max, max) ? [] : [{ ...chunk, id: new ObjectId(), min: max }];
  const other = chunks.find((one) => one !== chunk && one.shard === chunk.shard);
  const control = left.length + right.length === 0 && other ? [other] : [];
  const bumped = [...left, ...right, ...control].map((one, i) => ({ ...one, version: { major, minor: i + 1 } }));
  return { removed: [chunk, ...control], added: [moved, ...bumped] };
}
