/** What is done to a sharded collection, one function each. Differences between server versions are in versions.ts. */
import type { Binary, Document, MongoClient } from 'mongodb';
import { balancingOffCommand, chunkFilter, countsInExplain, moveCommand, OF_SHARDED } from './versions.ts';

/** A router: a running cluster is one. */
export interface Router {
  /** A client of `mongos`. */
  readonly client: MongoClient;
  /** As `buildInfo` says it. */
  readonly version: string;
  /** Told of each collection as soon as {@link shardCollection} has sharded it. */
  readonly onSharded?: (ns: string) => Promise<void>;
}

/** A member that can be read past the router. */
export interface DirectShard {
  readonly name: string;
  readonly client: MongoClient;
}

/** Documents on one shard. */
export interface ShardCount {
  shard: string;
  count: number;
}

/** One chunk: the shard keys from `min` to below `max`, and who owns them. */
export interface PlacedChunk {
  min: Document;
  max: Document;
  shard: string;
}

/** What names a collection in its entry of `config.collections`. */
export interface ShardedCollection {
  /** `db.coll` */
  readonly _id: string;
  /** From 5.0 on. */
  readonly uuid?: Binary;
}

/** A range of shard keys, `[min, max)`. */
export interface KeyRange {
  min: Document;
  max: Document;
}

/** For a write to `config` to reach a majority, in milliseconds, as the shell has it. */
const MAJORITY_LIMIT_MS = 60_000;
const UNAUTHORIZED = 13;

/**
 * Makes a database known to the router, on a primary shard of choice. From 6.0 any database can hold sharded collections and this
 * only creates it (https://www.mongodb.com/docs/manual/reference/command/enableSharding/).
 */
export async function enableSharding(router: Router, db: string, primaryShard?: string): Promise<Document> {
  return admin(router).command({ enableSharding: db, ...(primaryShard && { primaryShard }) });
}

/**
 * @param ns `db.coll`
 * @param key `{ uid: 1 }`, `{ _id: 'hashed' }` …
 * @param options `unique`, `numInitialChunks`, `collation` … as the command takes them
 */
export async function shardCollection(
  router: Router,
  ns: string,
  key: Document,
  options: Document = {},
): Promise<Document> {
  const reply = await admin(router).command({ shardCollection: ns, key, ...options });
  await router.onSharded?.(ns);
  return reply;
}

/** Keeps the balancer away from one sharded collection. */
export async function disableBalancing(router: Router, ns: string): Promise<void> {
  const command = balancingOffCommand(await compatibilityOf(router), ns);
  if (command) await admin(router).command(command);
  else await writeNoBalance(router, ns);
}

/** A user that may not read it gets what the version allows. */
async function compatibilityOf(router: Router): Promise<string> {
  const settings = admin(router).collection<{ _id: string; version?: string }>('system.version');
  const set = await settings.findOne({ _id: 'featureCompatibilityVersion' }).catch((error: { code?: unknown }) => {
    if (error.code === UNAUTHORIZED) return null;
    throw error;
  });
  return set?.version ?? router.version;
}

async function writeNoBalance({ client }: Router, ns: string): Promise<void> {
  const writeConcern = { w: 'majority', wtimeoutMS: MAJORITY_LIMIT_MS } as const;
  const collections = client.db('config').collection<{ _id: string }>('collections');
  await collections.updateOne({ _id: ns }, { $set: { noBalance: true } }, { writeConcern });
}

/** Splits the chunk that holds `middle`, so that a chunk begins there. */
export async function splitAt(router: Router, ns: string, middle: Document): Promise<Document> {
  return admin(router).command({ split: ns, middle });
}

/**
 * Moves one whole chunk and returns when the donor has deleted its documents.
 * @param range exactly one chunk's
 */
export async function moveRange(router: Router, ns: string, range: KeyRange, toShard: string): Promise<Document> {
  return admin(router).command(moveCommand(router.version, ns, range, toShard));
}

/** Gives a shard a zone. */
export async function addShardToZone(router: Router, shard: string, zone: string): Promise<Document> {
  return admin(router).command({ addShardToZone: shard, zone });
}

/** Ties a range of shard keys to a zone; `null` unties it. */
export async function updateZoneKeyRange(
  router: Pick<Router, 'client'>,
  ns: string,
  range: KeyRange,
  zone: string | null,
): Promise<Document> {
  return admin(router).command({ updateZoneKeyRange: ns, min: range.min, max: range.max, zone });
}

/**
 * Stops the balancer for the whole cluster, and with it the splitting of chunks that grow, and waits until its round has ended. A cluster
 * needs no shard for it (https://www.mongodb.com/docs/manual/reference/command/balancerStop/).
 */
export async function stopBalancer(router: Router): Promise<Document> {
  return admin(router).command({ balancerStop: 1 });
}

/** Undoes {@link stopBalancer}. */
export async function startBalancer(router: Router): Promise<Document> {
  return admin(router).command({ balancerStart: 1 });
}

/** Every chunk of a collection, in key order; none for a collection that is not sharded. */
export async function placement(router: Router, ns: string): Promise<PlacedChunk[]> {
  const collections = router.client.db('config').collection<ShardedCollection & Document>('collections');
  const entry = await collections.findOne({ _id: ns, ...OF_SHARDED });
  return entry ? chunksOf(router, entry) : [];
}

/** As {@link placement}, of a collection whose entry is known. */
export function chunksOf({ client, version }: Router, entry: ShardedCollection): Promise<PlacedChunk[]> {
  return client
    .db('config')
    .collection('chunks')
    .find<PlacedChunk>(chunkFilter(version, entry), {
      projection: { _id: 0, min: 1, max: 1, shard: 1 },
      sort: { min: 1 },
    })
    .toArray();
}

/**
 * What each shard holds, asked of every shard directly: orphans count. In the order of the shards given.
 * @param ns `db.coll`
 */
export async function countsByShard(
  shards: readonly DirectShard[],
  ns: string,
  filter: Document = {},
): Promise<ShardCount[]> {
  return Promise.all(
    shards.map(async ({ name, client }) => ({
      shard: name,
      count: await collection(client, ns).countDocuments(filter),
    })),
  );
}

/**
 * What a query through the router reads from each shard it asks: orphans do not count, shards that were not asked are missing.
 * Needs no way to the shards themselves. By name of the shard.
 */
export async function countsThroughRouter(router: Router, ns: string, filter: Document = {}): Promise<ShardCount[]> {
  return countsInExplain(await collection(router.client, ns).find(filter).explain('executionStats'));
}

function admin({ client }: Pick<Router, 'client'>) {
  return client.db('admin');
}

function collection(client: MongoClient, ns: string) {
  const dot = ns.indexOf('.');
  return client.db(ns.slice(0, dot)).collection(ns.slice(dot + 1));
}
