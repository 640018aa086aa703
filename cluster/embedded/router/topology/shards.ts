/** What the cluster is made of. */

import { decodePlain } from '../../wire/bson.ts';
import { findAll } from '../ask.ts';
import { type CommandHandler, modelReply } from '../command.ts';
import { adminOnly } from './admin-only.ts';

export const shardCommands: Readonly<Record<string, CommandHandler>> = {
  listShards: adminOnly(async (_call, { catalog }) => {
    const shards = await findAll(catalog.config, 'config', { find: 'shards' });
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

function hostsOf(connectionString: string): string[] {
  return (connectionString.split('/').at(-1) ?? '').split(',');
}
