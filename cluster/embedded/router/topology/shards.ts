/** What the cluster is made of. */
import type { Document } from 'bson';
import { decodePlain, field, truthy } from '../../wire/bson.ts';
import { findAll } from '../ask.ts';
import { type Call, type CommandHandler, modelReply } from '../command.ts';
import { fieldsOf } from '../ddl/request.ts';
import { adminOnly } from './admin-only.ts';

export const shardCommands: Readonly<Record<string, CommandHandler>> = {
  // src/mongo/db/global_catalog/ddl/cluster_list_shards_cmd.cpp
  listShards: adminOnly(async (call, { catalog }) => {
    const shards = await findAll(catalog.config, 'config', { find: 'shards', filter: shardFilter(call) });
    return modelReply({ shards: shards.map((shard) => decodePlain(shard)) });
  }),

  getShardMap: adminOnly(async (_call, { catalog, configdb }) => {
    const map = { config: configdb, ...Object.fromEntries(catalog.shards().map(({ id, host }) => [id, host])) };
    const byHost = Object.entries(map).flatMap(([id, host]) => hostsOf(host).map((one) => [one, id]));
    const byConnection = Object.entries(map).map(([id, host]) => [host, id]);
    return modelReply({ map, hosts: Object.fromEntries(byHost), connStrings: Object.fromEntries(byConnection) });
  }),

  flushRouterConfig: adminOnly(async (_call, { catalog }) => {
    await catalog.reload();
    return modelReply({ flushed: true });
  }),
};

/** A shard that is not draining has no such field. */
function shardFilter(call: Call): Document {
  const asked = fieldsOf(call, { filter: 'object' }).get('filter');
  const draining = asked && field(asked.bytes, 'draining');
  if (!draining) return {};
  return { draining: truthy(draining) ? true : { $ne: true } };
}

function hostsOf(connectionString: string): string[] {
  return (connectionString.split('/').at(-1) ?? '').split(',');
}
