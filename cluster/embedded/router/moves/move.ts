/** A range of a sharded collection moves to another shard, with its documents (src/mongo/db/s/migration_source_manager.cpp). */
import { ObjectId } from 'bson';

import { chunkAt } from '../chunks/find-chunk.ts';
import { CommandError, type Router } from '../command.ts';
import { splitNamespace } from '../ddl/namespace.ts';
import type { MoveEntry } from '../journal/entries.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { copyRange, endRead, firstBatch } from './copy.ts';
import { prepareRecipient } from './recipient.ts';
import { type KeyRange, openShardCollection } from './shard-range.ts';
import { begin, commitMove, moveNothing, settle } from './stages.ts';

const OPERATION_FAILED = 96;
/** What an aborted copy looks like to whoever asked for it; the reason stands in the recipient's log alone (sharding rules, 9.0). */
const ABORTED = 'Data transfer error: migrate failed: Location6718402: operation was interrupted';

/**
 * Moves a range; does nothing when `to` owns it. Runs under {@link Catalog.changing} of the collection.
 * @param range within one chunk
 * @throws CommandError 96 when the recipient refuses a document, 242 when it lacks indexes, 27 when the donor lacks the shard key's index
 */
export async function moveRange(
  collection: ShardedCollection,
  range: KeyRange,
  to: string,
  router: Router,
): Promise<void> {
  const { ns, uuid, key } = collection.entry;
  const from = chunkAt(collection, range.min).shard;
  if (from === to) return;
  const { metadata } = router;
  const namespace = splitNamespace(ns);
  const donor = await openShardCollection(metadata.peer(from), namespace, key);
  const recipient = metadata.peer(to);
  await prepareRecipient(donor.peer, recipient, namespace, !collection.routing.owners.includes(to));
  await router.cursors.drain(ns);
  const entry: MoveEntry = { id: new ObjectId(), kind: 'move', ns, uuid, min: range.min, max: range.max, from, to };
  const first = await firstBatch(donor, range);
  if (first.documents.length === 0) return moveNothing(entry, router);
  try {
    await begin(entry, router);
    await commitMove(entry, await copyRange(donor, recipient, first), router);
  } catch (error) {
    await endRead(donor, first);
    const problem = error instanceof CommandError ? new CommandError(OPERATION_FAILED, ABORTED) : (error as Error);
    await metadata.seeThrough(ns, () => undo(entry, problem.message, router));
    throw problem;
  }
  await metadata.seeThrough(ns, () => settle(entry, router));
}

/** Whether the commit was made is for the config server to say, not for the cache. */
async function undo(entry: MoveEntry, why: string, router: Router): Promise<void> {
  await router.metadata.reload();
  await settle(entry, router, why);
}
