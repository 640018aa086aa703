/** Commands that one server answers for the router: the bytes go there as they came, and its answer comes back as it is. */
import { field, number, text } from '../wire/bson.ts';
import type { Call, Reply, Router } from './command.ts';
import { ON_CONFIG_SERVER } from './internal-databases.ts';

/** Commands that leave `config.*` as it is; after any other one the router reads its catalog again. */
const READS: ReadonlySet<string> = new Set([
  'aggregate',
  'collStats',
  'count',
  'dataSize',
  'dbStats',
  'distinct',
  'explain',
  'find',
  'getMore',
  'killCursors',
  'listCollections',
  'listIndexes',
]);

/**
 * Runs a command on the server that holds its database's unsharded collections: the primary shard, or the config server for
 * `admin` and `config`. Creates the database where it does not exist. Takes no lock: whoever asked whether the collection is
 * sharded holds it ({@link Catalog.using}).
 * @throws CommandError 70 when there is no shard to create the database on
 */
export async function passThrough(call: Call, router: Router): Promise<Reply> {
  const { catalog, cursors } = router;
  const shard = await catalog.ensureDatabase(call.db);
  const reply = await catalog.peer(shard).send(call.body, call.sequences);
  if (ON_CONFIG_SERVER.has(call.db) && !READS.has(call.name)) await catalog.reload();
  return { body: cursors.adopt(reply, shard, call), answeredBy: 'engine' };
}

/** The collection a command names in its first field, as `db.coll`; `undefined` where that is no string. */
export function namespaceOf(call: Call): string | undefined {
  const collection = text(field(call.body, call.name));
  return collection === undefined ? undefined : `${call.db}.${collection}`;
}

/** Whether a server's reply says `ok: 1`. */
export function isOk(reply: Buffer): boolean {
  return number(field(reply, 'ok')) === 1;
}
