/** Cursor commands sent to several shards at once. */
import type { Catalog } from '../catalog.ts';
import { accepted, Refused } from '../refused.ts';
import { cursorIn } from './batch.ts';
import { ShardCursor } from './shard-cursor.ts';

/**
 * Opens one cursor on each shard, all at the same time.
 * @param commandFor the command for one shard
 * @throws Refused or PeerError of the first shard, in their order, that fails; what the others opened is closed
 */
export async function openOnShards(
  catalog: Catalog,
  shards: readonly string[],
  commandFor: (shard: string) => Buffer,
): Promise<ShardCursor[]> {
  const opening = shards.map((shard) => openOn(catalog, shard, commandFor(shard)));
  const opened = await Promise.allSettled(opening);
  const cursors = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = opened.find((result) => result.status === 'rejected');
  if (!failed) return cursors;
  await Promise.all(cursors.map((cursor) => cursor.close()));
  throw failed.reason;
}

/** Opens one cursor on one shard. */
export async function openOn(catalog: Catalog, shard: string, command: Buffer): Promise<ShardCursor> {
  const peer = catalog.peer(shard);
  const reply = accepted(await peer.send(command));
  const cursor = cursorIn(reply);
  if (!cursor) throw new Refused(reply);
  return new ShardCursor(peer, cursor);
}
