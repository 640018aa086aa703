/** Where a new database goes when nobody says (`selectLeastLoadedNonDrainingShard` of the server). */
import { decodePlain, encode } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { ask, askRaw } from '../ask.ts';
import type { Catalog } from '../catalog.ts';
import { INTERNAL } from '../internal-databases.ts';

/**
 * The shard that holds the least data, the first by name on a tie; `undefined` when there is none. Documents are counted where the
 * server counts files, whose size depends on when they were last written: the same cluster gives the same answer every time.
 */
export async function leastLoaded(catalog: Catalog): Promise<string | undefined> {
  const names = catalog.shards().map(({ id }) => id);
  const sizes = await Promise.all(names.map((name) => dataSize(catalog.peer(name))));
  const bySize = names.map((name, i) => ({ name, size: sizes[i] ?? 0 }));
  return bySize.sort((a, b) => a.size - b.size || (a.name < b.name ? -1 : 1))[0]?.name;
}

async function dataSize(shard: Peer): Promise<number> {
  const { databases } = await ask(shard, 'admin', { listDatabases: 1, nameOnly: true });
  const names = (databases as { name: string }[]).map(({ name }) => name).filter((name) => !INTERNAL.has(name));
  const stats = await Promise.all(names.map((db) => askRaw(shard, encode({ dbStats: 1, $db: db }))));
  return stats.reduce((sum, reply) => sum + Number(decodePlain(reply).dataSize ?? 0), 0);
}
