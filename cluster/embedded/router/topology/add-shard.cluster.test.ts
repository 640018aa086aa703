/** `addShard`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll } from '../../mongod.fixture.ts';
import { chunksOf, refusalOf, startCluster, startSet, type TestRouter, type TestSets } from '../cluster.fixture.ts';

let sets: TestSets;
let router: TestRouter;
const admin = () => router.client.db('admin');

beforeAll(async () => {
  ({ sets, router } = await startCluster());
});
afterAll(endAll);

test('a shard knows its cluster', async () => {
  const identity = await sets.shards[1]?.client
    .db('admin')
    .collection('system.version')
    .findOne({ _id: 'shardIdentity' as never });
  const version = await router.client.db('config').collection('version').findOne();
  expect(identity).toEqual({
    _id: 'shardIdentity',
    shardName: 'sh1',
    clusterId: version?.clusterId,
    configsvrConnectionString: sets.config.connectionString,
  });
});

test('a shard added again is a success that changes nothing', async () => {
  const again = await admin().command({ addShard: sets.shards[0]?.connectionString });
  expect(again).toEqual({ shardAdded: 'sh0', ok: 1 });
  expect(await router.client.db('config').collection('shards').countDocuments({})).toBe(2);
});

test('a shard that is added twice at once is one shard, and both are told so', async () => {
  const { connectionString: addShard } = await startSet('twice', '--shardsvr');
  const both = await Promise.all([1, 2].map(() => admin().command({ addShard })));
  expect(both).toEqual(both.map(() => ({ shardAdded: 'twice', ok: 1 })));
  expect(await router.client.db('config').collection('shards').countDocuments({ host: addShard })).toBe(1);
});

test('what is no replica set of a shard server is refused', async () => {
  const plain = await startSet('plain');
  expect(await refusalOf(admin().command({ addShard: plain.connectionString }))).toEqual({
    code: 50876,
    message: 'Cannot run addShard on a node started without --shardsvr',
  });
  expect(await refusalOf(admin().command({ addShard: '' }))).toEqual({ code: 2, message: 'Invalid connection string' });
  expect(await refusalOf(admin().command({ addShard: 'x/127.0.0.1:1' }))).toMatchObject({ code: 133 });
  expect(await refusalOf(admin().command({ addShard: `127.0.0.1:${router.port}` }))).toEqual({
    code: 20,
    message: 'cannot add a mongos as a shard',
  });
});

test('addshard6.js: the config server is no shard, whatever it shall be called', async () => {
  const addShard = sets.config.connectionString;
  for (const name of [undefined, sets.config.name, 'nonConfig']) {
    expect(await refusalOf(admin().command({ addShard, ...(name && { name }) }))).toEqual({
      code: 96,
      message: `Cannot add ${addShard} as a shard since it is a config server`,
    });
  }
  expect(await router.client.db('config').collection('shards').countDocuments({ host: addShard })).toBe(0);
});

test('addshard1.js: a new shard brings its databases along, unless one exists already', async () => {
  const { client, connectionString: addShard } = await startSet('fresh', '--shardsvr');
  await client.db('taken').collection('c').insertOne({ a: 1 });
  await client.db('brought').collection('c').insertOne({ a: 1 });
  await admin().command({ enableSharding: 'taken', primaryShard: 'sh0' });
  expect(await refusalOf(admin().command({ addShard, name: 'third' }))).toEqual({
    code: 96,
    message: `can't add shard '${addShard}' because a local database 'taken' exists in another sh0`,
  });
  await client.db('taken').dropDatabase();
  expect(await admin().command({ addShard, name: 'third' })).toEqual({ shardAdded: 'third', ok: 1 });
  const brought = router.client.db('brought').collection('c');
  expect(await brought.findOne()).toMatchObject({ a: 1 });
  expect(await router.client.db('taken').collection('c').countDocuments({})).toBe(0);
  await brought.createIndex({ a: 1 }, { unique: true });
  await admin().command({ shardCollection: 'brought.c', key: { a: 1 } });
  await admin().command({ split: 'brought.c', middle: { a: 1 } });
  expect(await chunksOf(router, 'brought.c')).toEqual(['Min..1 third', '1..Max third']);
  expect(await brought.countDocuments({})).toBe(1);
});

test('addshard2.js: neither the name config nor hosts that do not answer make a shard', async () => {
  const named = await startSet('config', '--shardsvr');
  const { connectionString: addShard } = named;
  const refusal = async (options: object) => (await refusalOf(admin().command({ addShard, ...options }))).code;
  expect(await refusal({})).toBe(2);
  expect(await refusal({ name: 'config' })).toBe(2);
  expect(await refusal({ addShard: '127.0.0.1:1' })).toBe(133);
  expect(await refusal({ addShard: 'config/127.0.0.1:1', name: 'x' })).toBe(133);
  expect(await refusal({ addShard: `${addShard},127.0.0.1:1`, name: 'x' })).toBe(96);
  const shards = router.client.db('config').collection<{ _id: string }>('shards');
  expect(await shards.countDocuments({ _id: { $in: ['config', 'x'] } })).toBe(0);
  expect(await admin().command({ addShard, name: 'nonConfig' })).toMatchObject({ shardAdded: 'nonConfig' });
  expect(await shards.findOne({ _id: 'nonConfig' })).toMatchObject({ host: addShard });
  await admin().command({ enableSharding: 'test', primaryShard: 'nonConfig' });
  await router.client.db('test').collection('foo').insertOne({ x: 1 });
  expect(await named.client.db('test').collection('foo').countDocuments({})).toBe(1);
});

test('a shard that is gone is named', async () => {
  const { connectionString: addShard, member } = await startSet('gone', '--shardsvr');
  await admin().command({ addShard });
  await admin().command({ enableSharding: 'lost', primaryShard: 'gone' });
  await member.end('SIGKILL');
  const { code, message } = await refusalOf(router.client.db('lost').command({ create: 'c' }));
  expect(code).toBe(6);
  expect(message).toMatch(/^shard gone could not be reached :: caused by :: 127\.0\.0\.1:\d+: /);
});
