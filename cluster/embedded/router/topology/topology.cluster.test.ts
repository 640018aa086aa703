import { type Document, MaxKey, MinKey, Timestamp } from 'bson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endAll } from '../../mongod.fixture.ts';
import { refusalOf, startCluster, startRouter, type TestRouter, type TestSets } from '../cluster.fixture.ts';

let sets: TestSets;
let router: TestRouter;
const admin = () => router.client.db('admin');

beforeAll(async () => {
  ({ sets, router } = await startCluster());
});
afterAll(endAll);

test('shards are listed as config.shards holds them', async () => {
  const expected = sets.shards.map(({ name, connectionString }) => ({
    _id: name,
    host: connectionString,
    state: 1,
    topologyTime: expect.anything(),
    replSetConfigVersion: -1,
  }));
  expect((await admin().command({ listShards: 1 })).shards).toEqual(expected);
  expect(await router.client.db('config').collection('shards').find().toArray()).toEqual(expected);
});

test('shards are listed by whether they drain', async () => {
  const listed = async (draining: boolean) => (await admin().command({ listShards: 1, filter: { draining } })).shards;
  expect((await listed(false)).map(({ _id }: { _id: string }) => _id)).toEqual(['sh0', 'sh1']);
  expect(await listed(true)).toEqual([]);
});

test('the shard map names every server by its shard', async () => {
  const { map, hosts } = await admin().command({ getShardMap: 1 });
  expect(map).toEqual({
    config: sets.config.connectionString,
    sh0: sets.shards[0]?.connectionString,
    sh1: sets.shards[1]?.connectionString,
  });
  expect(hosts[`127.0.0.1:${sets.config.port}`]).toBe('config');
});

test('the balancer is a switch that config.settings remembers', async () => {
  expect(await admin().command({ balancerStatus: 1 })).toMatchObject({ mode: 'full', inBalancerRound: false });
  await admin().command({ balancerStop: 1 });
  expect(await admin().command({ balancerStatus: 1 })).toMatchObject({ mode: 'off' });
  expect(await router.client.db('config').collection('settings').findOne()).toEqual({
    _id: 'balancer',
    mode: 'off',
    stopped: true,
  });
  await admin().command({ balancerStart: 1 });
  expect(await admin().command({ balancerStatus: 1 })).toMatchObject({ mode: 'full' });
});

test('databases are listed over all shards', async () => {
  await admin().command({ enableSharding: 'one', primaryShard: 'sh0' });
  await admin().command({ enableSharding: 'two', primaryShard: 'sh1' });
  await router.client.db('one').createCollection('c');
  await router.client.db('two').createCollection('c');
  const { databases } = await admin().command({ listDatabases: 1 });
  const where = (name: string) => databases.find((one: { name: string }) => one.name === name)?.shards;
  expect(['config', 'one', 'two'].map((name) => Object.keys(where(name)))).toEqual([['config'], ['sh0'], ['sh1']]);
  const { databases: names } = await admin().command({ listDatabases: 1, nameOnly: true, filter: { name: /^one$/ } });
  expect(names).toEqual([{ name: 'one' }]);
});

test('enable_sharding_basic.js, enable_sharding_with_primary.js: a database has one primary shard and one spelling', async () => {
  await admin().command({ enableSharding: 'spelled', primaryShard: 'sh1' });
  await admin().command({ enableSharding: 'spelled' });
  await admin().command({ enableSharding: 'spelled', primaryShard: 'sh1' });
  expect(
    await router.client
      .db('config')
      .collection('databases')
      .findOne({ _id: 'spelled' as never }),
  ).toEqual({
    _id: 'spelled',
    primary: 'sh1',
    version: { uuid: expect.anything(), timestamp: expect.anything(), lastMod: 1 },
  });
  const prefix = 'could not be created :: caused by ::';
  expect(await refusalOf(admin().command({ enableSharding: 'spelled', primaryShard: 'sh0' }))).toEqual({
    code: 48,
    message: `Database spelled ${prefix} database already created on a primary which is different from sh0`,
  });
  expect(await refusalOf(admin().command({ enableSharding: 'Spelled' }))).toEqual({
    code: 13297,
    message: `Database Spelled ${prefix} can't have 2 databases that just differ on case  have: spelled want to add: Spelled`,
  });
  expect(await refusalOf(admin().command({ enableSharding: 'new', primaryShard: 'sh9' }))).toMatchObject({ code: 70 });
});

test.each([
  ['admin', 72],
  ['local', 72],
  ['Config', 72],
  ['a.b', 73],
  ['', 73],
])('enable_sharding_basic.js: no client creates the database %j', async (enableSharding, code) => {
  expect((await refusalOf(admin().command({ enableSharding }))).code).toBe(code);
  expect(
    await router.client
      .db('config')
      .collection('databases')
      .countDocuments({ _id: enableSharding as never }),
  ).toBe(0);
});

test('enable_sharding_basic.js: databases are created from the database admin alone, and config is there', async () => {
  expect((await refusalOf(router.client.db('test').command({ enableSharding: 'db' }))).code).toBe(13);
  expect(await admin().command({ enableSharding: 'config', primaryShard: 'sh0' })).toMatchObject({ ok: 1 });
  expect(
    await router.client
      .db('config')
      .collection('databases')
      .countDocuments({ _id: 'config' as never }),
  ).toBe(0);
});

test('what a client writes to config.* itself, the router heeds', async () => {
  await admin().command({ shardCollection: 'one.watched', key: { a: 1 } });
  await router.client
    .db('config')
    .collection('collections')
    .deleteOne({ _id: 'one.watched' as never });
  expect(await refusalOf(admin().command({ split: 'one.watched', middle: { a: 0 } }))).toMatchObject({ code: 118 });
});

test('implicit_db_creation.js: a write creates a database once, a read does not', async () => {
  const made = () =>
    router.client
      .db('config')
      .collection('databases')
      .findOne({ _id: 'implicit' as never });
  const db = router.client.db('implicit');
  expect(await db.collection('user').findOne()).toBeNull();
  expect(await made()).toBeNull();
  await db.collection('user').insertOne({ x: 1 });
  const entry = await made();
  expect(entry).toMatchObject({ version: { lastMod: 1 } });
  await db.collection('bar').insertOne({ y: 1 });
  expect(await made()).toEqual(entry);
});

test('chunks that a client has made incomplete concern their collection alone, until he puts them right', async () => {
  await admin().command({ shardCollection: 'one.broken', key: { a: 1 } });
  await admin().command({ split: 'one.broken', middle: { a: 0 } });
  const config = router.client.db('config');
  const chunk = await config.collection('chunks').findOneAndDelete({ min: { a: 0 } });
  expect(await refusalOf(router.client.db('one').collection('broken').findOne())).toEqual({
    code: 117,
    message: 'config.chunks does not cover one.broken: the last chunk ends at { a: 0 }',
  });
  await router.client.db('one').collection('other').insertOne({ a: 1 });
  await router.end('SIGKILL');
  router = await startRouter(sets, router.port);
  expect((await refusalOf(router.client.db('one').collection('broken').findOne())).code).toBe(117);
  await router.client
    .db('config')
    .collection('chunks')
    .insertOne(chunk as Document);
  expect(await router.client.db('one').collection('broken').findOne()).toBeNull();
});

// what mongosh's sh.status() asks for
test('the distribution of sharded data is told by collection and shard', async () => {
  await admin().command({ enableSharding: 'dist', primaryShard: 'sh0' });
  await admin().command({ shardCollection: 'dist.h', key: { k: 'hashed' } });
  const documents = Array.from({ length: 60 }, (_, k) => ({ k }));
  await router.client.db('dist').command({ insert: 'h', documents });
  const stages = [{ $shardedDataDistribution: {} }, { $match: { ns: 'dist.h' } }];
  const [found] = await admin().aggregate(stages).toArray();
  const shards: { shardName: string; numOwnedDocuments: number; numOrphanedDocs: number }[] = found?.shards;
  expect(shards.map(({ shardName }) => shardName)).toEqual(['sh0', 'sh1']);
  expect(shards.reduce((sum, { numOwnedDocuments }) => sum + numOwnedDocuments, 0)).toBe(60);
  expect(shards.every(({ numOrphanedDocs }) => numOrphanedDocs === 0)).toBe(true);
});

describe('with one collection on two shards, a zone and a plain collection', () => {
  const db = () => router.client.db('asked');

  beforeAll(async () => {
    await admin().command({ enableSharding: 'asked', primaryShard: 'sh0' });
    await admin().command({ shardCollection: 'asked.u', key: { uid: 1 } });
    await admin().command({ split: 'asked.u', middle: { uid: 10 } });
    await admin().command({ moveChunk: 'asked.u', find: { uid: 10 }, to: 'sh1' });
    await db().createCollection('plain');
  });

  // what mongosh's getShardVersion() asks for
  test('the version of a placement is told', async () => {
    const { client } = router;
    const entry = await client
      .db('config')
      .collection('collections')
      .findOne({ _id: 'asked.u' as never });
    const version = {
      version: new Timestamp({ t: 2, i: 1 }),
      versionEpoch: entry?.lastmodEpoch,
      versionTimestamp: entry?.timestamp,
      ok: 1,
    };
    expect(await admin().command({ getShardVersion: 'asked.u' })).toEqual(version);
    const { chunks } = await admin().command({ getShardVersion: 'asked.u', fullMetadata: true });
    expect(chunks).toEqual([
      [{ uid: new MinKey() }, { uid: 10 }],
      [{ uid: 10 }, { uid: new MaxKey() }],
    ]);
    expect(await admin().command({ getShardVersion: 'asked' })).toMatchObject({
      primaryShard: 'sh0',
      version: { lastMod: 1 },
    });
    expect(await refusalOf(admin().command({ getShardVersion: 'asked.plain' }))).toEqual({
      code: 118,
      message: 'Collection asked.plain is not sharded.',
    });
    expect(await refusalOf(admin().command({ getShardVersion: 'nodb.c' }))).toMatchObject({ code: 26 });
  });

  // what mongosh's getShardLocation() asks for; jstests/sharding/list_cluster_catalog.js
  test('the catalogue of collections says where they are', async () => {
    const stages = [{ $listClusterCatalog: { shards: true, tracked: true } }, { $sort: { ns: 1 } }];
    expect(await db().aggregate(stages).toArray()).toEqual([
      expect.objectContaining({ ns: 'asked.plain', sharded: false, tracked: false, shards: ['sh0'] }),
      expect.objectContaining({
        ns: 'asked.u',
        db: 'asked',
        type: 'collection',
        sharded: true,
        tracked: true,
        shardKey: { uid: 1 },
        shards: ['sh0', 'sh1'],
      }),
    ]);
    const all = await admin()
      .aggregate([{ $listClusterCatalog: {} }, { $match: { sharded: true } }])
      .toArray();
    expect(all.map(({ ns }) => ns)).toContain('asked.u');
    expect(
      await router.client
        .db('nodb')
        .aggregate([{ $listClusterCatalog: {} }])
        .toArray(),
    ).toEqual([]);
    expect(
      await refusalOf(
        db()
          .aggregate([{ $listClusterCatalog: { x: true } }])
          .toArray(),
      ),
    ).toMatchObject({
      code: 40415,
    });
  });

  test('the catalogue of collections says how they are balanced', async () => {
    const { client } = router;
    const set = { noBalance: true, maxChunkSizeBytes: 3 * 1024 * 1024 };
    const filter = { _id: 'asked.u' as never };
    await client.db('config').collection('collections').updateOne(filter, { $set: set });
    const [found] = await db()
      .aggregate([{ $listClusterCatalog: { balancingConfiguration: true } }, { $match: { ns: 'asked.u' } }])
      .toArray();
    expect(found).toMatchObject({
      balancingEnabled: false,
      balancingEnabledReason: { enableBalancing: false, allowMigrations: true },
      autoMergingEnabled: true,
      chunkSize: 3,
    });
    await client
      .db('config')
      .collection('collections')
      .updateOne(filter, { $unset: { noBalance: 1, maxChunkSizeBytes: 1 } });
  });

  // what mongosh's db.currentOp() asks for
  test('operations are those of the shards, each with its shard', async () => {
    const operations = await admin()
      .aggregate([{ $currentOp: { allUsers: true } }])
      .toArray();
    const shards = await router.client.db('config').collection('shards').find().toArray();
    expect([...new Set(operations.map(({ shard }) => shard))].sort()).toEqual(shards.map(({ _id }) => _id).sort());
    const own = operations.find(({ shard, command }) => shard === 'sh1' && command?.aggregate === 1);
    expect(own).toMatchObject({
      opid: expect.stringMatching(/^sh1:\d+$/),
      host: sets.shards[1]?.connectionString.split('/')[1],
    });
    expect(
      await refusalOf(
        admin()
          .aggregate([{ $currentOp: { x: 1 } }])
          .toArray(),
      ),
    ).toMatchObject({ code: 40415 });
  });

  test('a balancer would say what it would set right', async () => {
    const status = () => admin().command({ balancerCollectionStatus: 'asked.u' });
    expect(await status()).toEqual({ chunkSize: 128, balancerCompliant: true, ok: 1 });
    await admin().command({ addShardToZone: 'sh0', zone: 'low' });
    await admin().command({ updateZoneKeyRange: 'asked.u', min: { uid: 10 }, max: { uid: new MaxKey() }, zone: 'low' });
    expect(await status()).toEqual({
      chunkSize: 128,
      balancerCompliant: false,
      firstComplianceViolation: 'zoneViolation',
      ok: 1,
    });
    await admin().command({ moveChunk: 'asked.u', find: { uid: 10 }, to: 'sh0' });
    expect(await status()).toMatchObject({ balancerCompliant: true });
    expect(await refusalOf(admin().command({ balancerCollectionStatus: 'asked.plain' }))).toEqual({
      code: 118,
      message: 'Collection unsharded or undefined',
    });
  });

  test('balancing is switched off for one collection, as the config server remembers', async () => {
    const collections = router.client.db('config').collection<Document & { _id: string }>('collections');
    const noBalance = async () => (await collections.findOne({ _id: 'asked.u' }))?.noBalance;
    await admin().command({ configureCollectionBalancing: 'asked.u', enableBalancing: false });
    expect(await noBalance()).toBe(true);
    await admin().command({ configureCollectionBalancing: 'asked.u', enableBalancing: true });
    expect(await noBalance()).toBe(false);
    const command = { configureCollectionBalancing: 'asked.plain', enableBalancing: false };
    expect(await refusalOf(admin().command(command))).toEqual({
      code: 118,
      message: 'Expected to match one doc for query { _id: "asked.plain" } but matched 0',
    });
  });

  test('a collection has a chunk size of its own, and every change of its balancing a new minor version', async () => {
    const configure = (fields: object) => admin().command({ configureCollectionBalancing: 'asked.u', ...fields });
    const chunkSize = async () => (await admin().command({ balancerCollectionStatus: 'asked.u' })).chunkSize;
    const version = async () => (await admin().command({ getShardVersion: 'asked.u' })).version;
    const { t, i } = await version();
    await configure({ chunkSize: 1, enableAutoMerger: false });
    expect(await chunkSize()).toBe(1);
    await configure({ chunkSize: 0 });
    expect(await chunkSize()).toBe(128);
    await configure({});
    expect(await version()).toEqual(new Timestamp({ t, i: i + 2 }));
    expect(await refusalOf(configure({ chunkSize: 1025 }))).toEqual({
      code: 72,
      message: "Chunk size '1025' out of range [1MB, 1GB]",
    });
    expect(await refusalOf(configure({ defragmentCollection: true }))).toMatchObject({ code: 9_990_001 });
  });
});

test('shard_config_db_collections.js: of the database config the sessions are sharded, on shards, and nothing else', async () => {
  const shardCollection = 'config.system.sessions';
  await admin().command({ shardCollection, key: { _id: 1 } });
  await admin().command({ shardCollection, key: { _id: 1 } });
  const config = router.client.db('config');
  const entry = await config.collection('collections').findOne({ _id: shardCollection as never });
  const chunks = await config.collection('chunks').find({ uuid: entry?.uuid }).toArray();
  expect(chunks.map(({ shard }) => shard)).toEqual(['sh0']);
  const sessions = config.collection<{ _id: number }>('system.sessions');
  await sessions.insertOne({ _id: 1 });
  expect(await sessions.find().toArray()).toEqual([{ _id: 1 }]);
  expect(await sets.shards[0]?.client.db('config').collection('system.sessions').countDocuments()).toBe(1);
  expect(await refusalOf(admin().command({ shardCollection: 'config.other', key: { _id: 1 } }))).toMatchObject({
    code: 20,
  });
});

describe('parameters of a router', () => {
  const get = (fields: object) => admin().command({ getParameter: 1, ...fields });

  test('are told as far as it heeds them', async () => {
    const told = { cursorTimeoutMillis: 600_000, enableTestCommands: false, localLogicalSessionTimeoutMinutes: 30 };
    expect(await admin().command({ getParameter: '*' })).toMatchObject(told);
    expect(await get({ cursorTimeoutMillis: 1, noSuch: 1 })).toEqual({ cursorTimeoutMillis: 600_000, ok: 1 });
  });

  test.each([
    ['featureCompatibilityVersion', 72, 'no option found to get'],
    ['noSuch', 72, 'no option found to get'],
    [
      'internalQueryMaxScansToExplode',
      9_990_001,
      expect.stringContaining('the parameter internalQueryMaxScansToExplode'),
    ],
  ])('%s is none of them, or not modelled', async (name, code, message) => {
    expect(await refusalOf(get({ [name]: 1 }))).toEqual({ code, message });
  });

  test.each([
    ['enableTestCommands', 20],
    ['cursorTimeoutMillis', 9_990_001],
    ['internalQueryMaxScansToExplode', 9_990_001],
    ['noSuch', 72],
  ])('%s cannot be set', async (name, code) => {
    expect(await refusalOf(admin().command({ setParameter: 1, [name]: 1 }))).toMatchObject({ code });
  });
});

test('serverStatus counts connections, bytes, requests and operations', async () => {
  const status = () => admin().command({ serverStatus: 1 });
  const [before, collection] = [await status(), router.client.db('counted').collection<{ _id: number }>('c')];
  await collection.insertMany([{ _id: 1 }, { _id: 2 }]);
  await refusalOf(collection.insertMany([{ _id: 3 }, { _id: 1 }, { _id: 4 }]));
  await collection.find({}, { batchSize: 1 }).toArray();
  await collection.aggregate([]).toArray();
  await collection.bulkWrite([
    { updateOne: { filter: { _id: 1 }, update: { $set: { a: 1 } } } },
    { deleteOne: { filter: { _id: 2 } } },
  ]);
  const after = await status();
  const grown = (part: string) =>
    Object.fromEntries(Object.entries<number>(after[part]).map(([name, count]) => [name, count - before[part][name]]));
  const { command, ...counts } = grown('opcounters');
  expect(counts).toEqual({ insert: 4, query: 1, update: 1, delete: 1, getmore: 3, aggregate: 1 });
  expect(command).toBeGreaterThanOrEqual(2); // the aggregation, the second status, and whenever a driver looks whether the router is there
  expect(grown('network').numRequests).toBeGreaterThanOrEqual(10);
  expect(grown('network').bytesIn).toBeGreaterThan(500);
  expect(grown('network').bytesOut).toBeGreaterThan(500);
  expect(after.connections.current).toBeGreaterThan(0);
  expect(after.connections.totalCreated).toBeGreaterThanOrEqual(after.connections.current);
});

test('a router has no replica set to tell the state of', async () => {
  const { code, message } = await refusalOf(admin().command({ replSetGetStatus: 1 }));
  expect({ code, message }).toEqual({
    code: undefined,
    message: 'replSetGetStatus is not supported through mongos',
  });
});

test.each([
  [20, 'Cannot explain cmd: ping', { ping: 1 }],
  [20, 'Cannot explain cmd: reshardCollection', { reshardCollection: 'a.b' }],
  [20, 'Explain cannot explain itself.', { explain: { find: 'c' } }],
  [9_990_001, expect.stringContaining('explain of mapReduce is not modelled'), { mapReduce: 'c' }],
  [59, 'Explain failed due to unknown command: noSuch', { noSuch: 1 }],
])('%i: %s', async (code, message, explain) => {
  expect(await refusalOf(router.client.db('any').command({ explain }))).toEqual({ code, message });
});

test.each([
  [59, 'admin', { constructor: 1 }],
  [59, 'asked', { explain: { toString: 'u' } }],
  [40324, 'admin', { aggregate: 1, pipeline: [{ valueOf: {} }], cursor: {} }],
  [40415, 'admin', { bulkWrite: 1, ops: [{ toString: 0 }], nsInfo: [{ ns: 'asked.u' }] }],
  [40415, 'admin', { moveChunk: 'asked.u', constructor: 1 }],
  [72, 'admin', { getParameter: 1, constructor: 1 }],
  [72, 'admin', { setParameter: 1, constructor: 1 }],
])('%i: a name that every JavaScript object has means nothing in %s %j', async (code, db, command) => {
  expect(await refusalOf(router.client.db(db).command(command))).toMatchObject({ code });
});
