/** Makes one sharded cluster out of its members: starts them, connects them, and sees that it works. */
import type { Document, MongoClient } from 'mongodb';
import { buildProblem } from './build.ts';
import type { Distribution } from './distributions/index.ts';
import type { Layout, ReplicaSetPlan } from './layout.ts';
import type { RunningMember } from './member.ts';
import { startReplicaSet } from './replica-set.ts';
import { startRouter } from './router.ts';
import { refreshRouter, refreshShard, shardSessions, shortenWaits, untilNothingMoves } from './settling.ts';
import { enableSharding, type Router, shardCollection, stopBalancer } from './sharding.ts';
import type { Starting } from './starting.ts';
import { allOrFirstFailure } from './waiting.ts';

/** One member that answers. */
export interface ConnectedMember extends RunningMember {
  readonly uri: string;
  readonly client: MongoClient;
  /** Its `buildInfo`. */
  readonly build: Document;
}

/** A cluster that works. */
export interface Assembled {
  readonly configServer: ConnectedMember;
  readonly shards: readonly ConnectedMember[];
  readonly router: ConnectedMember;
}

/**
 * @throws ClusterStartError; the reason when the start is called off. What has been started by then is left to the caller to stop
 */
export async function assemble(layout: Layout, distribution: Distribution, starting: Starting): Promise<Assembled> {
  const cluster = await startMembers(layout, distribution, starting);
  checkBuilds(cluster, distribution, starting);
  await starting.step('shards', () => registerShards(cluster, starting));
  await starting.step('settling', () => settle(cluster, layout, starting));
  await starting.step('check', () => writeAndRead(cluster.router, starting));
  return cluster;
}

async function startMembers(layout: Layout, distribution: Distribution, starting: Starting): Promise<Assembled> {
  const replicaSet = (plan: ReplicaSetPlan): Promise<ConnectedMember> =>
    starting.step(plan.name, async () => {
      const running = await startReplicaSet(plan, distribution.mongod, starting);
      return connect(running, '?directConnection=true', starting);
    });
  const configServer = replicaSet(layout.configServer);
  const shards = layout.shards.map(replicaSet);
  const router = configServer.then((config) =>
    starting.step(layout.router.name, async () => {
      await majorityRead(config, starting);
      const configdb = { name: config.member.name, host: config.host };
      const running = await startRouter(layout.router, distribution.mongos, configdb, starting);
      return connect(running, '', starting);
    }),
  );
  await allOrFirstFailure([configServer, ...shards, router], (error) => starting.callOff(error));
  return { configServer: await configServer, shards: await Promise.all(shards), router: await router };
}

async function connect(running: RunningMember, query: string, starting: Starting): Promise<ConnectedMember> {
  starting.established(running.member);
  const uri = `mongodb://${running.host}/${query}`;
  const client = starting.connect(uri);
  const build = await starting.waitFor(running.member, 'buildInfo', client.db('admin').command({ buildInfo: 1 }));
  return { ...running, uri, client, build };
}

/** Every member is the executable that was asked for, all are of one build. */
function checkBuilds({ configServer, shards, router }: Assembled, asked: Distribution, starting: Starting): void {
  for (const { member, build } of [configServer, ...shards, router]) {
    const expected = { ...asked, gitVersion: configServer.build.gitVersion };
    const problem = buildProblem(build, member === router.member ? 'mongos' : 'mongod', expected);
    if (problem) throw starting.refused(member, `MongoDB ${asked.version} (${asked.kind})`, problem);
  }
}

/** A router that meets a config server without a majority snapshot tries again on a timer of its own, seconds later. */
async function majorityRead({ client, member }: ConnectedMember, starting: Starting): Promise<void> {
  const read = client
    .db('config')
    .collection('shards')
    .findOne({}, { readConcern: { level: 'majority' } });
  await starting.waitFor(member, 'a majority read', read);
}

/** The balancer is off before there is anything that it could move. */
async function registerShards({ router, shards }: Assembled, starting: Starting): Promise<void> {
  const { client, member } = router;
  await starting.waitFor(member, 'the balancer to be off', stopBalancer(asRouter(router)));
  for (const { member: shard, host } of shards) {
    const { name } = shard;
    const added = client.db('admin').command({ addShard: `${name}/${host}`, name });
    await starting.waitFor(member, `registration of ${name}`, added);
  }
}

async function settle(cluster: Assembled, { ownParameters }: Layout, starting: Starting): Promise<void> {
  const { configServer, shards, router } = cluster;
  const shortened = [configServer, ...shards].map(({ member, client }) =>
    starting.tryFor(member, 'shorter waiting', shortenWaits(client, ownParameters)),
  );
  await allOrFirstFailure([...shortened, refreshMetadata(cluster, starting)], (error) => starting.callOff(error));
  const clients = shards.map(({ client }) => client);
  await starting.waitFor(router.member, 'every migration to have ended', untilNothingMoves(router, clients));
}

/** In the order of jstests/libs/shardingtest.js, after the last `addShard`. */
async function refreshMetadata({ shards, router }: Assembled, starting: Starting): Promise<void> {
  const { member } = router;
  await starting.tryFor(member, 'a sharded sessions collection', shardSessions(asRouter(router)));
  const refreshed = shards.map(({ member: shard, client }) =>
    starting.tryFor(shard, 'a fresh routing cache', refreshShard(client)),
  );
  await allOrFirstFailure(refreshed, (error) => starting.callOff(error));
  await starting.tryFor(member, 'a fresh routing cache', refreshRouter(router));
}

/** Ready means: a sharded write and a read through the router worked. The database is dropped again. */
async function writeAndRead(connected: ConnectedMember, starting: Starting): Promise<void> {
  const attempt = async (): Promise<void> => {
    const router = asRouter(connected);
    const db = router.client.db('shardlab_ready');
    await enableSharding(router, db.databaseName);
    await shardCollection(router, `${db.databaseName}.check`, { _id: 1 });
    const { insertedId } = await db.collection('check').insertOne({});
    if (!(await db.collection('check').findOne({ _id: insertedId })))
      throw new Error('what was written cannot be read');
    await db.dropDatabase();
  };
  await starting.waitFor(connected.member, 'a sharded write and a read', attempt());
}

function asRouter({ client, build }: ConnectedMember): Router {
  return { client, version: build.version };
}
