import type { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Cluster,
  countsByShard,
  countsThroughRouter,
  enableSharding,
  MemberDiedError,
  moveRange,
  placement,
  shardCollection,
  splitAt,
  startCluster,
} from './index.ts';
import { type TestFolder, testFolder } from './servers.fixture.ts';
import { leftovers, pidOf } from './world.fixture.ts';

let temporary: TestFolder;
let cluster: Cluster;
const outer = { TMPDIR: process.env.TMPDIR, MONGOMS_SYSTEM_BINARY: process.env.MONGOMS_SYSTEM_BINARY };

beforeAll(async () => {
  temporary = await testFolder();
  process.env.TMPDIR = temporary.path;
  process.env.MONGOMS_SYSTEM_BINARY = '/no/such/mongod'; // asked for embedded, it must not matter
  cluster = await startCluster({ mongodb: 'embedded' });
});

afterAll(async () => {
  await cluster.stop();
  for (const [name, value] of Object.entries(outer)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await temporary[Symbol.asyncDispose]();
});

describe('a cluster that has been started', () => {
  it('says what it is', async () => {
    expect(cluster.distribution).toEqual({
      kind: 'embedded',
      version: cluster.version,
      gitVersion: expect.any(String),
      modelled: true,
    });
    expect(cluster.shards.map(({ name }) => name)).toEqual(['sh0', 'sh1']);
    expect(cluster.failed.aborted).toBe(false);
  });

  it('has its shards registered in order, the balancer off, and nothing of its check left', async () => {
    const config = cluster.client.db('config');
    const shards = await config
      .collection('shards')
      .find({}, { sort: { _id: 1 } })
      .toArray();
    expect(shards.map(({ _id, host }) => `${_id} ${host}`)).toEqual(
      cluster.shards.map(({ name, uri }) => `${name} ${name}/${new URL(uri).host}`),
    );
    expect(await cluster.client.db('admin').command({ balancerStatus: 1 })).toMatchObject({ mode: 'off' });
    expect(await config.collection('databases').countDocuments({ _id: /^shardlab_/ as never })).toBe(0);
  });

  it('does nothing more by itself: its sessions collection is sharded, its servers do not wait', async () => {
    const collections = cluster.client.db('config').collection<{ _id: string }>('collections');
    expect(await collections.findOne({ _id: 'config.system.sessions' })).toMatchObject({ key: { _id: 1 } });
    for (const { client } of [...cluster.shards, cluster.configServer]) {
      const parameters = await client.db('admin').command({ getParameter: 1, orphanCleanupDelaySecs: 1 });
      expect(parameters).toMatchObject({ orphanCleanupDelaySecs: 1 });
    }
  });

  it('leaves the environment as it was', () => {
    expect(process.env.MONGOMS_SYSTEM_BINARY).toBe('/no/such/mongod');
  });
});

describe('10,000 documents of a sharded collection', () => {
  const ns = 'smoke.docs';
  const COUNT = 10_000;
  const docs = () => cluster.client.db('smoke').collection<{ _id: number }>('docs');

  beforeAll(async () => {
    await enableSharding(cluster, 'smoke', 'sh0');
    await shardCollection(cluster, ns, { _id: 1 });
    await splitAt(cluster, ns, { _id: 2_500 });
    await splitAt(cluster, ns, { _id: 5_000 });
    await docs().insertMany(Array.from({ length: COUNT }, (_, i) => ({ _id: i })));
  });

  async function expectEachOnce(...perShard: [number, number]): Promise<void> {
    const ids = await docs()
      .find()
      .map(({ _id }) => _id)
      .toArray();
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: COUNT }, (_, i) => i));
    const counts = cluster.shards.map(({ name }, i) => ({ shard: name, count: perShard[i] ?? 0 }));
    expect(await countsByShard(cluster.shards, ns)).toEqual(counts);
    expect(await countsThroughRouter(cluster, ns)).toEqual(counts.filter(({ count }) => count > 0));
  }

  it('are found once each, before and after a chunk moves', async () => {
    const chunks = await placement(cluster, ns);
    expect(chunks.map(({ shard }) => shard)).toEqual(['sh0', 'sh0', 'sh0']);
    await expectEachOnce(COUNT, 0);
    const [, middle] = chunks;
    if (!middle) throw new Error('the collection has no middle chunk');
    await moveRange(cluster, ns, middle, 'sh1');
    expect((await placement(cluster, ns)).map(({ shard }) => shard)).toEqual(['sh0', 'sh1', 'sh0']);
    await expectEachOnce(COUNT - 2_500, 2_500);
  });
});

it('arguments of a user reach the servers, which keep what they say', async () => {
  const mongodArgs = ['--setParameter', 'orphanCleanupDelaySecs=900'];
  const mongosArgs = ['--setParameter', 'enableTestCommands=1'];
  await using other = await startCluster({ mongodb: 'embedded', shards: 1, mongodArgs, mongosArgs });
  expect(other.distribution.arguments).toEqual({ mongod: mongodArgs, mongos: mongosArgs });
  const parameter = (client: MongoClient | undefined, name: string) =>
    client?.db('admin').command({ getParameter: 1, [name]: 1 });
  expect(await parameter(other.shards[0]?.client, 'orphanCleanupDelaySecs')).toMatchObject({
    orphanCleanupDelaySecs: 900,
  });
  expect(await parameter(other.client, 'enableTestCommands')).toMatchObject({ enableTestCommands: true });
});

it('a second cluster at the same time is another one', async () => {
  await using other = await startCluster({ mongodb: 'embedded', shards: 1 });
  await other.client.db('here').collection('c').insertOne({});
  expect(await cluster.client.db('here').collection('c').countDocuments()).toBe(0);
});

// Last: it takes the shared cluster down.
it('a mongod that is killed is reported, commands fail, and stopping is clean', async () => {
  await enableSharding(cluster, 'doomed', 'sh1');
  const died = new Promise((resolve) => cluster.failed.addEventListener('abort', resolve, { once: true }));
  process.kill(pidOf(temporary.path, 'sh1'), 'SIGKILL');
  await died;
  expect(cluster.failed.reason).toBeInstanceOf(MemberDiedError);
  expect(cluster.failed.reason).toMatchObject({ member: 'sh1', ending: 'was killed by SIGKILL' });
  await expect(cluster.client.db('doomed').collection('c').findOne()).rejects.toThrow();
  const report = await cluster.stop();
  expect(report).toEqual({ endedBefore: ['sh1 was killed by SIGKILL'], problems: [] });
  expect(cluster.stop()).toBe(cluster.stop());
  expect(await leftovers(temporary.path)).toEqual({ processes: [], files: [] });
});
