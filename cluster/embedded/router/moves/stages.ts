/**
 * The stages of a move, each of which leaves the cluster so that {@link settle} can finish or undo it: journalled, copied, committed,
 * cleaned. Who owns the range in the chunk map decides: until the commit the donor, from it the recipient. All of it runs under
 * {@link Catalog.changing} of the collection.
 */
import { Long } from 'bson';
import type { Metadata } from '../catalog.ts';
import { changed } from '../chunks/chunk-changes.ts';
import { chunkAt } from '../chunks/find-chunk.ts';
import { compareDocuments } from '../compare.ts';
import { isEmpty } from '../ddl/collection-info.ts';
import { splitNamespace } from '../ddl/namespace.ts';
import { done, type MoveEntry, recorded } from '../journal/entries.ts';
import { nextTimestamp } from '../metadata/clock.ts';
import type { Change } from '../metadata/commit.ts';
import { type ShardedCollection, withChunks } from '../metadata/sharded-collection.ts';
import type { Chunk } from '../routing.ts';
import type { Copied } from './copy.ts';
import { logEnd, logMove } from './move-log.ts';
import { deleteRange, openShardCollection } from './shard-range.ts';
import { movedChunks } from './split-off.ts';

/** Who moves, for the changelog: `host:port`. */
export interface Mover {
  metadata: Metadata;
  address: string;
}

/** Gives a range without documents to the recipient: nothing of it can be left half done, so nothing is journalled. */
export async function moveNothing(entry: MoveEntry, mover: Mover): Promise<void> {
  await commitMove(entry, { documents: 0, bytes: 0 }, mover, {
    before: [logMove('start', entry, mover)],
    behind: [logEnd('from', 'success', entry, mover)],
  });
}

/** Writes down that a range is about to move. */
export async function begin(entry: MoveEntry, mover: Mover): Promise<void> {
  await mover.metadata.commit([recorded(entry), logMove('start', entry, mover)], () => {});
}

/**
 * Gives the range to the recipient.
 * @param logged what the changelog says before and behind, where it is not said elsewhere
 */
export async function commitMove(
  entry: MoveEntry,
  copied: Copied,
  mover: Mover,
  logged: { before: readonly Change[]; behind: readonly Change[] } = { before: [], behind: [] },
): Promise<void> {
  const { metadata } = mover;
  const collection = metadata.sharded(entry.ns);
  if (!collection) throw new Error(`${entry.ns} is no longer sharded while a range of it moves`);
  const at = nextTimestamp();
  const replacement = movedChunks(collection, chunkAt(collection, entry.min), { range: entry, to: entry.to, at });
  const counts = {
    cloned: Long.fromNumber(copied.documents),
    clonedBytes: Long.fromNumber(copied.bytes),
    catchup: Long.ZERO,
    steady: Long.ZERO,
  };
  const changes: Change[] = [
    ...logged.before,
    ...changed(replacement, collection.entry.uuid),
    logEnd('to', 'success', entry, mover),
    logMove('commit', entry, mover, { counts }),
    ...logged.behind,
  ];
  const after = withChunks(collection, replacement.removed, replacement.added);
  await metadata.commit(changes, () => metadata.put(after));
}

/**
 * Brings a move to its end: deletes from donor and recipient what the chunk map gives to another, and crosses the entry out.
 * @param why what to say in the changelog of a range that has not moved
 */
export async function settle(entry: MoveEntry, mover: Mover, why = ''): Promise<void> {
  const { metadata } = mover;
  const current = metadata.sharded(entry.ns);
  const collection = current?.entry.uuid.equals(entry.uuid) ? current : undefined;
  if (collection) await deleteStrays(entry, collection, metadata);
  const hasMoved = collection && chunkAt(collection, entry.min).shard === entry.to;
  const end = hasMoved
    ? [logEnd('from', 'success', entry, mover)]
    : [logMove('error', entry, mover), logEnd('from', 'aborted', entry, mover, { errmsg: why })];
  await metadata.commit([done(entry), ...end], () => {});
}

async function deleteStrays(entry: MoveEntry, collection: ShardedCollection, metadata: Metadata): Promise<void> {
  const { key } = collection.entry;
  const namespace = splitNamespace(entry.ns);
  for (const { shard: owner, ...range } of piecesOf(entry, collection)) {
    for (const shard of [entry.from, entry.to].filter((name) => name !== owner)) {
      const peer = metadata.peer(shard);
      // A recipient that was killed at the beginning may have come back without the collection or its indexes.
      if (await isEmpty(peer, namespace)) continue;
      await deleteRange(await openShardCollection(peer, namespace, key), range);
    }
  }
}

/** The range by chunks: whatever became of the move, and of the chunks since. */
function piecesOf({ min, max }: MoveEntry, { chunks }: ShardedCollection): Chunk[] {
  const overlapping = chunks.filter(
    (chunk) => compareDocuments(chunk.max, min) > 0 && compareDocuments(chunk.min, max) < 0,
  );
  return overlapping.map((chunk) => ({
    shard: chunk.shard,
    min: compareDocuments(chunk.min, min) > 0 ? chunk.min : min,
    max: compareDocuments(chunk.max, max) < 0 ? chunk.max : max,
  }));
}
