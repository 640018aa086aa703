/** `setAllowMigrations`: chunks of a collection stay where they are (src/mongo/db/global_catalog/ddl/set_allow_migrations_coordinator.cpp). */
import { truthy } from '../../wire/bson.ts';
import { requireSharded } from '../chunks/require-sharded.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { fullNamespace, splitNamespace } from '../ddl/namespace.ts';
import { fieldsOf, requireField } from '../ddl/request.ts';
import { logChange } from '../metadata/changelog.ts';
import type { Change } from '../metadata/commit.ts';
import { type ShardedCollection, shardedCollection } from '../metadata/sharded-collection.ts';
import { adminOnly } from '../topology/admin-only.ts';

const CONFLICTING_OPERATION_IN_PROGRESS = 117;
const NOT_SHARDED = 'Collection must be sharded so migrations can be blocked';

export const permitCommands: Readonly<Record<string, CommandHandler>> = {
  setAllowMigrations: adminOnly(setAllowMigrations),
};

async function setAllowMigrations(call: Call, router: Router): Promise<Reply> {
  const { ns } = fullNamespace(call);
  const allow = truthy(requireField(call, fieldsOf(call, { allowMigrations: 'bool' }), 'allowMigrations'));
  await router.metadata.changing(ns, () => permit(requireSharded(router.metadata, ns, NOT_SHARDED), allow, router));
  return modelReply();
}

async function permit(
  { entry, chunks }: ShardedCollection,
  permitMigrations: boolean,
  { metadata, address }: Router,
): Promise<void> {
  const { ns } = entry;
  const author = { server: address, shard: metadata.primaryOf(splitNamespace(ns).db) ?? '' };
  const change: Change = permitMigrations
    ? { update: 'collections', filter: { _id: ns }, set: {}, unset: ['permitMigrations'] }
    : { update: 'collections', filter: { _id: ns }, set: { permitMigrations } };
  const changes = [change, logChange(author, 'setPermitMigrations', ns, { permitMigrations })];
  await metadata.commit(changes, () => metadata.put(shardedCollection({ ...entry, permitMigrations }, chunks)));
}

/** @throws CommandError 117 where they must stay (src/mongo/db/s/migration_source_manager.cpp) */
export function requirePermit({ entry }: ShardedCollection): void {
  if (entry.permitMigrations) return;
  throw new CommandError(
    CONFLICTING_OPERATION_IN_PROGRESS,
    'Collection is undergoing changes so moveChunk is not allowed. allowMigrations: false, allowChunkOperations: true',
  );
}
