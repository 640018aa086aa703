/** `listIndexes` and `listCollections`: asked of one shard, as a mongos does. */

import { Long } from 'bson';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { passThrough } from '../pass-through.ts';
import { collectionNamespace } from './namespace.ts';

const NAMESPACE_NOT_FOUND = 26;

export const listCommands: Readonly<Record<string, CommandHandler>> = { listCollections, listIndexes };

async function listCollections(call: Call, router: Router): Promise<Reply> {
  if (router.catalog.primaryOf(call.db) !== undefined) return passThrough(call, router);
  const cursor = { id: Long.ZERO, ns: `${call.db}.$cmd.listCollections`, firstBatch: [] };
  return modelReply({ cursor });
}

/** Of a sharded collection: the shard that owns the lowest chunk (src/mongo/db/global_catalog/ddl/cluster_list_indexes_cmd.cpp). */
async function listIndexes(call: Call, router: Router): Promise<Reply> {
  const { ns, db } = collectionNamespace(call);
  const { catalog, cursors } = router;
  if (catalog.primaryOf(db) === undefined) throw new CommandError(NAMESPACE_NOT_FOUND, `ns does not exist: ${ns}`);
  return catalog.using(ns, async () => {
    const lowest = catalog.routing(ns)?.chunks[0];
    if (!lowest) return passThrough(call, router);
    const reply = await catalog.peer(lowest.shard).send(call.body);
    return { body: cursors.adopt(reply, lowest.shard, call), answeredBy: 'engine' };
  });
}
