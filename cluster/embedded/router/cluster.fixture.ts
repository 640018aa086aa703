/** A whole embedded cluster for the router's tests; `endAll` of ../mongod.fixture.ts ends it. */
import type { Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { resolveEmbedded } from '../../distributions/embedded.ts';
import { connect, endAll, Program, startMongod, type TestMongod } from '../mongod.fixture.ts';
import { freePort } from '../ports.fixture.ts';

/** One replica set of one member. */
export interface TestSet {
  name: string;
  port: number;
  /** `<set>/<host:port>` */
  connectionString: string;
  /** A driver's client, straight to the member. */
  client: MongoClient;
  member: TestMongod;
}

/** Replica sets that a router may make a cluster of. */
export interface TestSets {
  config: TestSet;
  shards: readonly TestSet[];
}

/** A `mongos` that answers, and a client of it. */
export type TestRouter = Program & { port: number; client: MongoClient };

/** Starts the config server and two shards, side by side. */
export async function startSets(): Promise<TestSets> {
  const [config, ...shards] = await Promise.all([
    startSet('cfg', '--configsvr'),
    startSet('sh0', '--shardsvr'),
    startSet('sh1', '--shardsvr'),
  ]);
  return { config, shards };
}

/** Starts one set. @param roles `--shardsvr` or `--configsvr`; a plain one without */
export async function startSet(name: string, ...roles: string[]): Promise<TestSet> {
  const member = await startMongod(['--replSet', name, ...roles]);
  const { port } = member;
  const client = await connect(port);
  const host = `127.0.0.1:${port}`;
  await client.db('admin').command({ replSetInitiate: { _id: name, version: 1, members: [{ _id: 0, host }] } });
  return { name, port, connectionString: `${name}/${host}`, client, member };
}

/** The arguments of a `mongos` for these sets. */
export function routerArguments({ config }: TestSets, port: number): string[] {
  return ['--configdb', config.connectionString, '--port', String(port), '--bind_ip', '127.0.0.1'];
}

/** Starts a `mongos` and waits until it answers. */
export async function startRouter(sets: TestSets, port?: number): Promise<TestRouter> {
  const at = port ?? (await freePort());
  const { mongos } = await resolveEmbedded();
  const program = new Program(mongos, routerArguments(sets, at));
  await program.line(8423405);
  return Object.assign(program, { port: at, client: await connect(at, { directConnection: false }) });
}

/** Starts a cluster of two registered shards. */
export async function startCluster(): Promise<{ sets: TestSets; router: TestRouter }> {
  const sets = await startSets();
  const router = await startRouter(sets);
  for (const { connectionString } of sets.shards) {
    await router.client.db('admin').command({ addShard: connectionString });
  }
  return { sets, router };
}

/** A cluster with an empty database. */
export interface TestDatabase {
  /** A test that starts another router puts it here. */
  cluster: { sets: TestSets; router: TestRouter };
  admin(): Db;
  /** The database through the router. */
  conf(): Db;
  /** The database on one shard, asked of it directly. */
  on(shard: number): Db;
}

/** Gives a test file a cluster of its own, and each of its tests an empty database `conf` whose primary shard is the first. */
export function useDatabase(): TestDatabase {
  const cluster = {} as TestDatabase['cluster'];
  const admin = () => cluster.router.client.db('admin');
  const conf = () => cluster.router.client.db('conf');
  beforeAll(async () => {
    Object.assign(cluster, await startCluster());
  });
  afterAll(endAll);
  beforeEach(async () => {
    await conf().dropDatabase();
    await admin().command({ enableSharding: 'conf', primaryShard: 'sh0' });
  });
  return { cluster, admin, conf, on: (shard) => (cluster.sets.shards[shard] as TestSet).client.db('conf') };
}

/** `min..max shard` of every chunk of a collection, in key order. */
export async function chunksOf({ client }: TestRouter, ns: string): Promise<string[]> {
  const config = client.db('config');
  const collection = await config.collection('collections').findOne({ _id: ns as never });
  const chunks = await config
    .collection('chunks')
    .find({ uuid: collection?.uuid }, { sort: { min: 1 } })
    .toArray();
  return chunks.map(({ min, max, shard }) => `${boundText(min)}..${boundText(max)} ${shard}`);
}

function boundText(key: Record<string, { _bsontype?: string }>): string {
  return Object.values(key)
    .map((value) => ({ MinKey: 'Min', MaxKey: 'Max' })[value._bsontype ?? ''] ?? String(value))
    .join(',');
}

/** The code and text that a command is refused with. */
export async function refusalOf(work: Promise<unknown>): Promise<{ code: unknown; message: string }> {
  try {
    await work;
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    return { code, message };
  }
  throw new Error('the command was not refused');
}
