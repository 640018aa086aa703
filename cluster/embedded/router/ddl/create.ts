/** `create` and `renameCollection`, which one shard answers. */

import { notModelled } from '../../not-modelled.ts';
import { field, text } from '../../wire/bson.ts';
import { type Call, CommandError, type CommandHandler, type Reply, type Router } from '../command.ts';
import { passThrough } from '../pass-through.ts';
import { adminOnly } from '../topology/admin-only.ts';
import { collectionNamespace, fullNamespace, splitNamespace } from './namespace.ts';

const NAMESPACE_NOT_FOUND = 26;

export const createCommands: Readonly<Record<string, CommandHandler>> = {
  create: (call, router) => router.catalog.using(collectionNamespace(call).ns, () => passThrough(call, router)),
  renameCollection: adminOnly(renameCollection),
};

async function renameCollection(call: Call, router: Router): Promise<Reply> {
  const from = fullNamespace(call);
  const to = splitNamespace(text(field(call.body, 'to')) ?? '');
  const { metadata } = router;
  const primary = metadata.primaryOf(from.db);
  if (primary === undefined) throw new CommandError(NAMESPACE_NOT_FOUND, `Source collection ${from.ns} does not exist`);
  const rename = async (): Promise<Reply> => {
    if (metadata.routing(from.ns) || metadata.routing(to.ns))
      throw notModelled('renameCollection of a sharded collection');
    if ((await metadata.ensureDatabase(to.db)) !== primary) throw notModelled('renameCollection to another shard');
    return { body: await metadata.peer(primary).send(call.body), answeredBy: 'engine' };
  };
  // The same order whatever is renamed to what, so that two renames never wait for each other.
  const [first = from.db, second] = [...new Set([from.db, to.db])].sort();
  return metadata.changingDatabase(first, () =>
    second === undefined ? rename() : metadata.changingDatabase(second, rename),
  );
}
