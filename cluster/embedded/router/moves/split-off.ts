/** The chunks that a move leaves: pure (`commitChunkMigration`, src/mongo/db/global_catalog/ddl/sharding_catalog_manager_chunk_operations.cpp). */
import { ObjectId, type Timestamp } from 'bson';
import { sameBound } from '../chunks/bounds.ts';
import type { ChunkEntry } from '../metadata/documents.ts';
import { collectionVersion, type ShardedCollection } from '../metadata/sharded-collection.ts';
import type { KeyRange } from './shard-range.ts';

/** For how long owners are remembered, in seconds (`minSnapshotHistoryWindowInSeconds`). */
export const HISTORY_WINDOW_SECONDS = 300;

/** The chunks before and after; those after that keep an `_id` are changed, the others new. */
export interface Replacement {
  removed: readonly ChunkEntry[];
  added: readonly ChunkEntry[];
}

/**
 * Gives a range of one chunk to another shard. The moved chunk keeps the `_id` and begins a new major version. What is left and right of
 * it, and one more chunk of the donor's, get the same major, so that donor and recipient both know of the change.
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
    min,
    max,
    shard: to,
    version: { major, minor: 0 },
    history: [{ validAfter: at, shard: to }, ...remembered(chunk.history, at)],
    onCurrentShardSince: at,
  };
  const left = sameBound(chunk.min, min) ? [] : [{ ...chunk, id: new ObjectId(), max: min }];
  const right = sameBound(chunk.max, max) ? [] : [{ ...chunk, id: new ObjectId(), min: max }];
  const other = chunks.find((one) => one !== chunk && one.shard === chunk.shard);
  const control = other ? [other] : [];
  const bumped = [...left, ...right, ...control].map((one, i) => ({ ...one, version: { major, minor: i + 1 } }));
  return { removed: [chunk, ...control], added: [moved, ...bumped] };
}

/** Earlier owners: the last one, and before it those within the window. */
function remembered([last, ...earlier]: ChunkEntry['history'], at: Timestamp): ChunkEntry['history'] {
  const recent = earlier.filter(({ validAfter }) => validAfter.t + HISTORY_WINDOW_SECONDS >= at.t);
  return last ? [last, ...recent] : [];
}
