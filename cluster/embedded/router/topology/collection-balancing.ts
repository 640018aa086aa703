/**
 * `configureCollectionBalancing`, as far as it is a switch for one collection: nothing moves by itself here
 * (`ShardingCatalogManager::configureCollectionBalancing`, src/mongo/db/global_catalog/sharding_catalog_manager.cpp).
 */

import { notModelled } from '../../not-modelled.ts';
import { truthy } from '../../wire/bson.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { fullNamespace } from '../ddl/namespace.ts';
import { fieldsOf } from '../ddl/request.ts';
import { adminOnly } from './admin-only.ts';

const NAMESPACE_NOT_SHARDED = 118;

export const collectionBalancingCommands: Readonly<Record<string, CommandHandler>> = {
  configureCollectionBalancing: adminOnly(configureCollectionBalancing),
};

const FIELDS = {
  enableBalancing: 'bool',
  chunkSize: 'number',
  enableAutoMerger: 'bool',
  defragmentCollection: 'bool',
} as const;

async function configureCollectionBalancing(call: Call, router: Router): Promise<Reply> {
  const { ns } = fullNamespace(call);
  const fields = fieldsOf(call, FIELDS);
  const other = [...fields.keys()].find((name) => name !== 'enableBalancing');
  if (other) throw notModelled(`${other} of ${call.name}`);
  const enabled = fields.get('enableBalancing');
  if (enabled) await router.metadata.changing(ns, () => switchBalancing(ns, truthy(enabled), router));
  return modelReply();
}

async function switchBalancing(ns: string, enabled: boolean, { metadata }: Router): Promise<void> {
  if (!metadata.sharded(ns)) throw new CommandError(NAMESPACE_NOT_SHARDED, 'Collection unsharded or undefined');
  const entry = { update: 'collections', filter: { _id: ns }, set: { noBalance: !enabled } };
  await metadata.commit([entry], () => {});
}
