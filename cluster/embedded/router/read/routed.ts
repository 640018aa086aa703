/** Where a read goes. */
import { field } from '../../wire/bson.ts';
import type { Call, Reply, Router } from '../command.ts';
import { collectionNamespace } from '../ddl/namespace.ts';
import { documentField } from './documents.ts';
import { refuseViewOfSharded } from './views.ts';

/** A read and the shards that can hold what it asks for. */
export interface Routed {
  ns: string;
  /** Never empty, but for a database that does not exist. */
  shards: readonly string[];
}

/**
 * Runs a read of the collection that a command names, where it belongs, while nobody moves its documents.
 * @param filterName the command's field that holds the query
 * @throws CommandError 73 when what the command names is no collection
 */
export async function routed(
  call: Call,
  router: Router,
  filterName: string,
  work: (routed: Routed) => Promise<Reply>,
): Promise<Reply> {
  const { catalog } = router;
  const { ns, collection } = collectionNamespace(call);
  return catalog.using(ns, async () => {
    const table = catalog.routing(ns);
    if (table) {
      const { shards } = table.targets(documentField(call.body, filterName), field(call.body, 'collation')?.bytes);
      return work({ ns, shards });
    }
    const primary = catalog.primaryOf(call.db);
    if (primary === undefined) return work({ ns, shards: [] });
    await refuseViewOfSharded(router, call.db, collection);
    return work({ ns, shards: [primary] });
  });
}

/** Sends a command to one shard as it came and hands on the answer. */
export async function passTo(shard: string, call: Call, { catalog, cursors }: Router): Promise<Reply> {
  const reply = await catalog.peer(shard).send(call.body, call.sequences);
  return { body: cursors.adopt(reply, shard, call), answeredBy: 'engine' };
}
