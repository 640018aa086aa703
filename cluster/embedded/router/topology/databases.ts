/** `listDatabases` over all shards (src/mongo/db/global_catalog/ddl/cluster_list_databases_cmd.cpp). */
import { type Document, Long } from 'bson';
import { decodePlain, field, truthy } from '../../wire/bson.ts';
import { askRaw } from '../ask.ts';
import type { Catalog } from '../catalog.ts';
import { type CommandHandler, modelReply } from '../command.ts';
import { CONFIG, ON_CONFIG_SERVER } from '../internal-databases.ts';
import { compose, Raw } from '../metadata/compose.ts';
import { adminOnly } from './admin-only.ts';

const BYTES_PER_MEGABYTE = 1024 * 1024;

export const databaseCommands: Readonly<Record<string, CommandHandler>> = {
  listDatabases: adminOnly(async ({ body }, { catalog }) => {
    const nameOnly = truthy(field(body, 'nameOnly'));
    const filter = field(body, 'filter');
    const command = compose({ listDatabases: 1, nameOnly, filter: filter && new Raw(filter), $db: 'admin' });
    const sizes = await sizesByDatabase(catalog, command);
    const names = [...sizes.keys()].sort();
    if (nameOnly) return modelReply({ databases: names.map((name) => ({ name })) });
    const databases = names.map((name) => entry(name, sizes.get(name) ?? new Map()));
    const total = databases.reduce((sum, { sizeOnDisk }) => sum + sizeOnDisk.toNumber(), 0);
    return modelReply({
      databases,
      totalSize: Long.fromNumber(total),
      totalSizeMb: Long.fromNumber(Math.floor(total / BYTES_PER_MEGABYTE)),
    });
  }),
};

/** Bytes on disk by database and shard; every server's `local` is its own affair. */
async function sizesByDatabase(catalog: Catalog, command: Buffer): Promise<Map<string, Map<string, number>>> {
  const servers = [...catalog.shards().map(({ id }) => id), CONFIG];
  const replies = await Promise.all(servers.map((server) => askRaw(catalog.peer(server), command)));
  const sizes = new Map<string, Map<string, number>>();
  for (const [i, server] of servers.entries()) {
    for (const { name, sizeOnDisk } of decodePlain(replies[i] as Buffer).databases) {
      if (name === 'local' || ON_CONFIG_SERVER.has(name) !== (server === CONFIG)) continue;
      sizes.set(name, (sizes.get(name) ?? new Map()).set(server, Number(sizeOnDisk ?? 0)));
    }
  }
  return sizes;
}

function entry(name: string, byShard: ReadonlyMap<string, number>): { name: string; sizeOnDisk: Long } & Document {
  const size = [...byShard.values()].reduce((sum, bytes) => sum + bytes, 0);
  const shards = Object.fromEntries([...byShard].map(([shard, bytes]) => [shard, Long.fromNumber(bytes)]));
  return { name, sizeOnDisk: Long.fromNumber(size), empty: false, shards };
}
