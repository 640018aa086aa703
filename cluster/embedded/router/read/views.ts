/**
 * Views. They live on their database's primary shard, which resolves them; but what it holds of a sharded collection is only a part,
 * so a view of one is refused rather than answered in part. (A server's router resolves it and starts again.)
 */

import { notModelled } from '../../not-modelled.ts';
import { encode, field, text } from '../../wire/bson.ts';
import type { Router } from '../command.ts';
import { accepted } from '../refused.ts';
import { Batch, cursorIn, EMPTY_BATCH } from './batch.ts';

/** How many views may stand on one another (`ViewGraph::kMaxViewDepth`). */
const MAX_DEPTH = 20;

/**
 * @param collection of a database that has sharded collections, itself not sharded
 * @throws CommandError not modelled when it is a view of a sharded one
 */
export async function refuseViewOfSharded(
  { catalog, metadata }: Router,
  db: string,
  collection: string,
): Promise<void> {
  if (metadata.shardedIn(db).length === 0) return;
  let name = collection;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const base = await viewedBy(catalog.peer(catalog.primaryOf(db) as string), db, name);
    if (base === undefined) return;
    if (catalog.routing(`${db}.${base}`)) throw notModelled('reading a view of a sharded collection');
    name = base;
  }
}

/** The collection that a view stands on; `undefined` for what is no view. */
async function viewedBy(
  peer: { send(body: Buffer): Promise<Buffer> },
  db: string,
  name: string,
): Promise<string | undefined> {
  const query = { find: 'system.views', filter: { _id: `${db}.${name}` }, limit: 1, $db: db };
  const views = new Batch(cursorIn(accepted(await peer.send(encode(query))))?.batch ?? EMPTY_BATCH);
  return views.isEmpty ? undefined : text(field(views.peek(), 'viewOn'));
}
