/**
 * The stages of a move, each of which leaves the cluster so that {@link settle} can finish or undo it: journalled, copied, committed,
 * cleaned. Who owns the range in the chunk map decides: until the commit the donor, from it the recipient. All of it runs under
 * {@link Catalog.changing} of the collection.
 */
import { Long } from 'bson';
import type { Metadata } from '../catalog.ts';
import { changed } from '../chunks/chunk-changes.ts';
import { chunkAt } from '../chunks/find-chunk.ts';
import { splitNamespace } from '../ddl/namespace.ts';
import { done, type MoveEntry, recorded } from '../journal/entries.ts';
import { logChange } from '../metadata/changelog.ts';
import { nextTimestamp } from '../metadata/clock.ts';
import type { Change } from '../metadata/commit.ts';
import { embedded } from '../metadata/compose.ts';
import { withChunks } from '../metadata/sharded-collection.ts';
import type { Copied } from './copy.ts';
import { deleteRange, openShardCollection } from './shard-range.ts';
import { movedChunks } from './split-off.ts';

/** Who moves, for the changelog: `host:port`. */
export interface Mover {
  metadata: Metadata;
  address: string;
}

/** Gives a range without documents to the recipient: nothing of it can be left half done, so nothing is journalled. */
export async function moveNothing(entry: MoveEntry, mover: Mover): Promise<void> {
  const { address } = mover;
  await commitMove(entry, { documents: 0, bytes: 0 }, mover, {
    before: [logChange(address, 'moveChunk.start', entry.ns, rangeDetails(entry))],
    behind: [logChange(address, 'moveChunk.from', entry.ns, { ...rangeDetails(entry), note: 'success' })],
  });
}

/** Writes down that a range is about to move. */
export async function begin(entry: MoveEntry, { metadata, address }: Mover): Promise<void> {
  const changes = [recorded(entry), logChange(address, 'moveChunk.start', entry.ns, rangeDetails(entry))];
  await metadata.commit(changes, () => {});
}

/**
 * Gives the range to the recipient.
 * @param logged what the changelog says before and behind, where it is not said elsewhere
 */
export async function commitMove(
  entry: MoveEntry,
  copied: Copied,
  { metadata, address }: Mover,
  logged: { before: readonly Change[]; behind: readonly Change[] } = { before: [], behind: [] },
): Promise<void> {
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
    logChange(address, 'moveChunk.commit', entry.ns, { ...rangeDetails(entry), counts }),
    ...logged.behind,
  ];
  const after = withChunks(collection, replacement.removed, replacement.added);
  await metadata.commit(changes, () => metadata.put(after));
}

/**
 * Brings a move to its end: deletes the range from whichever of the two shards does not own it, and crosses the entry out.
 * @param note `success` or `aborted`, for the changelog
 */
export async function settle(entry: MoveEntry, note: string, { metadata, address }: Mover): Promise<void> {
  const collection = metadata.sharded(entry.ns);
  if (collection?.entry.uuid.equals(entry.uuid)) {
    const owner = chunkAt(collection, entry.min).shard;
    const other = owner === entry.to ? entry.from : entry.to;
    const namespace = splitNamespace(entry.ns);
    await deleteRange(await openShardCollection(metadata.peer(other), namespace, collection.entry.key), entry);
  }
  const log = logChange(address, 'moveChunk.from', entry.ns, { ...rangeDetails(entry), note });
  await metadata.commit([done(entry), log], () => {});
}

function rangeDetails({ min, max, from, to }: MoveEntry): Record<string, unknown> {
  return { min: embedded(min), max: embedded(max), from, to };
}
