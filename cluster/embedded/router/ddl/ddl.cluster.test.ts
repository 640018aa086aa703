import { Long, MaxKey, MinKey } from 'bson';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect, endAll } from '../../mongod.fixture.ts';
import { chunksOf, refusalOf, startCluster, startRouter, type TestRouter, type TestSets } from '../cluster.fixture.ts';

let sets: TestSets;
let router: TestRouter;
const admin = () => router.client.db('admin');
const conf = () => router.client.db('conf');
const on = (shard: number) => sets.shards[shard]?.client.db('conf') ?? conf();
const shard = (collection: string, key: object, options = {}) =>
  admin().command({ shardCollection: `conf.${collection}`, key, ...options });

beforeAll(async () => {
  ({ sets, router } = await startCluster());
});
afterAll(endAll);

beforeEach(async () => {
  await conf().dropDatabase();
  await admin().command({ enableSharding: 'conf', primaryShard: 'sh0' });
});

const chunks = (collection: string) => chunksOf(router, `conf.${collection}`);
const indexNames = async (collection: string, which = 0): Promise<string[]> =>
  (await on(which).collection(collection).indexes()).map(({ name = '' }) => name);

describe('shardCollection', () => {
  test('of a new collection makes it, its index and one chunk on the primary shard (K1)', async () => {
    expect(await shard('c', { a: 1 })).toEqual({ collectionsharded: 'conf.c', ok: 1 });
    expect(await indexNames('c')).toEqual(['_id_', 'a_1']);
    expect(await chunks('c')).toEqual(['Min..Max sh0']);
    expect(await on(1).listCollections().toArray()).toEqual([]);
  });

  test('writes config.collections and config.chunks in the shapes of 9.0', async () => {
    await shard('c', { a: 1 }, { unique: true });
    const [{ info } = { info: undefined }] = (await conf().listCollections({ name: 'c' }).toArray()) as {
      info?: { uuid: unknown };
    }[];
    const config = router.client.db('config');
    expect(await config.collection('collections').findOne()).toEqual({
      _id: 'conf.c',
      lastmodEpoch: expect.anything(),
      lastmod: expect.any(Date),
      timestamp: expect.anything(),
      uuid: info?.uuid,
      key: { a: 1 },
      unique: true,
    });
    expect(await config.collection('chunks').findOne()).toEqual({
      _id: expect.anything(),
      uuid: info?.uuid,
      min: { a: new MinKey() },
      max: { a: new MaxKey() },
      shard: 'sh0',
      lastmod: expect.objectContaining({ t: 1, i: 0 }),
      onCurrentShardSince: expect.anything(),
      history: [{ validAfter: expect.anything(), shard: 'sh0' }],
    });
  });

  test('by a hashed key gives every shard a chunk, the collection and its index', async () => {
    await shard('h', { k: 'hashed' });
    expect(await chunks('h')).toEqual(['Min..0 sh0', '0..Max sh1']);
    expect(await indexNames('h', 1)).toEqual(['_id_', 'k_hashed']);
  });

  test('leaves existing documents where they are, and wants an index for them (K1)', async () => {
    await conf().command({ insert: 'c', documents: [{ a: 1 }] });
    expect(await refusalOf(shard('c', { a: 1 }))).toEqual({
      code: 72,
      message: 'Please create an index that starts with the proposed shard key before sharding the collection. ',
    });
    await conf().collection('c').createIndex({ a: 1, b: 1 });
    await shard('c', { a: 1 });
    expect(await chunks('c')).toEqual(['Min..Max sh0']);
  });

  test('can be told to make no index', async () => {
    expect(await refusalOf(shard('c', { a: 1 }, { implicitlyCreateIndex: false }))).toEqual({
      code: 6373200,
      message: 'Must have an index compatible with the proposed shard key',
    });
  });

  // jstests/sharding/array_shard_key.js
  test('refuses documents that hold arrays at the key', async () => {
    await conf().command({ insert: 'c', documents: [{ a: [1, 2] }] });
    await conf().collection('c').createIndex({ a: 1 });
    const { code, message } = await refusalOf(shard('c', { a: 1 }));
    expect(code).toBe(72);
    expect(message).toContain('Index a_1 cannot be used for sharding because: Index key is multikey.');
  });

  // jstests/sharding/shard_collection_basic.js
  test('again with the same options is a success, with others not', async () => {
    await shard('c', { a: 1 });
    await shard('c', { a: 1 });
    expect(await refusalOf(shard('c', { b: 1 }))).toEqual({
      code: 23,
      message: "Collection 'conf.c' already exists with a different shard key. Requested { b: 1 } but found { a: 1 }",
    });
    expect(await refusalOf(shard('c', { a: 1 }, { unique: true }))).toEqual({
      code: 23,
      message:
        "Collection 'conf.c' already exists with a different 'unique' option. Requested 'true' but found 'false'",
    });
  });

  test.each([
    ['conf', {}, 73, "Invalid namespace specified 'conf'"],
    ['conf.c', {}, 40414, "BSON field 'shardCollection.key' is missing but a required field"],
    ['conf.c', { key: {} }, 2, 'Shard key is empty'],
    ['conf.c', { key: { a: 1 }, uniq: true }, 40415, "BSON field 'shardCollection.uniq' is an unknown field."],
  ])('of %s with %j is refused', async (ns, options, code, message) => {
    expect(await refusalOf(admin().command({ shardCollection: ns, ...options }))).toEqual({ code, message });
  });

  test('wants an admin database', async () => {
    expect(await refusalOf(conf().command({ shardCollection: 'conf.c', key: { a: 1 } }))).toEqual({
      code: 13,
      message: 'shardCollection may only be run against the admin database.',
    });
  });

  // jstests/sharding/shard_collection_existing_zones.js
  test('of a new collection places its first chunks by its zones', async () => {
    await admin().command({ addShardToZone: 'sh1', zone: 'east' });
    const range = { min: { a: 10 }, max: { a: 20 } };
    await admin().command({ updateZoneKeyRange: 'conf.z', ...range, zone: 'east' });
    expect(await refusalOf(shard('z', { b: 1 }))).toMatchObject({
      code: 72,
      message:
        'the proposed shard key { b: 1 } does not match with the shard key of the existing zone { a: 10 } -->> { a: 20 }',
    });
    await shard('z', { a: 1 });
    expect(await chunks('z')).toEqual(['Min..10 sh0', '10..20 sh1', '20..Max sh1']);
    await conf().collection('z').drop();
    expect(await router.client.db('config').collection('tags').find().toArray()).toEqual([]);
    await admin().command({ removeShardFromZone: 'sh1', zone: 'east' });
  });
});

describe('createIndexes on a sharded collection', () => {
  beforeEach(async () => {
    await shard('c', { uid: 1 });
    await admin().command({ split: 'conf.c', middle: { uid: 0 } });
    await admin().command({ moveChunk: 'conf.c', find: { uid: 0 }, to: 'sh1' });
  });
  const create = (key: Record<string, unknown>, options: Record<string, unknown> = {}) =>
    conf().command({ createIndexes: 'c', indexes: [{ key, name: Object.keys(key).join('_'), ...options }] });

  test('makes them on every shard, whose replies stand side by side (2.5)', async () => {
    const { raw, ok } = await create({ uid: 1, email: 1 }, { unique: true });
    expect(ok).toBe(1);
    expect(Object.keys(raw).sort()).toEqual(sets.shards.map(({ connectionString }) => connectionString).sort());
    expect(await indexNames('c', 1)).toContain('uid_email');
  });

  // jstests/sharding/unique_index_on_shardservers.js; G1 G2 K7 X5
  test.each([
    [{ email: 1 }, {}],
    [{ email: 1, uid: 1 }, {}],
    [{ email: 1 }, { sparse: true }],
    [{ email: 1 }, { partialFilterExpression: { live: true } }],
    [{ email: 'hashed' }, {}],
  ])('refuses a unique %j with %j', async (key, options) => {
    const printed = Object.entries(key).map(([name, value]) => `${name}: ${value === 'hashed' ? '"hashed"' : value}`);
    expect(await refusalOf(create(key, { unique: true, ...options }))).toEqual({
      code: 67,
      message: `cannot create index with 'unique' or 'prepareUnique' option over { ${printed.join(', ')} } with shard key pattern { uid: 1 } and collation {}`,
    });
    expect(await indexNames('c')).toEqual(['_id_', 'uid_1']);
  });

  test('an index that begins with _id passes (2.1)', async () => {
    await create({ _id: 1, email: 1 }, { unique: true });
  });

  test('a name that is taken is refused by the engine first', async () => {
    await create({ email: 1 });
    expect(await refusalOf(create({ email: 1 }, { unique: true }))).toMatchObject({ code: 86 });
  });

  test('what one shard refuses stands at the top, word for word', async () => {
    await on(1)
      .collection('c')
      .insertMany([
        { uid: 5, email: 'a' },
        { uid: 5, email: 'a' },
      ]);
    const { code, message } = await refusalOf(create({ uid: 1, email: 1 }, { unique: true }));
    expect(code).toBe(11000);
    expect(message).toContain(
      'E11000 duplicate key error collection: conf.c index: uid_email dup key: { uid: 5, email: "a" }',
    );
    expect(await indexNames('c', 0)).toContain('uid_email');
    expect(await indexNames('c', 1)).not.toContain('uid_email');
  });
});

// jstests/sharding/shard_key_index_must_exist.js; K2 K3
describe('dropIndexes on a sharded collection', () => {
  const drop = (collection: string, index: unknown) => conf().command({ dropIndexes: collection, index });
  const last = { code: 370, message: "Cannot drop the only compatible index for this collection's shard key" };

  test('keeps the last index that fits the shard key', async () => {
    await shard('c', { uid: 1 });
    for (const index of ['uid_1', { uid: 1 }, ['uid_1']]) expect(await refusalOf(drop('c', index))).toEqual(last);
    await conf().collection('c').createIndex({ uid: 1, x: 1 }, { sparse: true });
    expect(await refusalOf(drop('c', 'uid_1'))).toEqual(last);
    await conf().collection('c').createIndex({ uid: 1, y: 1 });
    await drop('c', 'uid_1');
    expect(await refusalOf(drop('c', 'uid_1_y_1'))).toEqual(last);
  });

  test('keeps one of two that are dropped at once', async () => {
    await shard('c', { uid: 1 });
    await conf().collection('c').createIndex({ uid: 1, x: 1 });
    const drops = await Promise.allSettled(['uid_1', 'uid_1_x_1'].map((name) => drop('c', name)));
    expect(drops.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('* spares them, and says so', async () => {
    await shard('c', { uid: 1 });
    await conf()
      .collection('c')
      .createIndexes([{ key: { uid: 1, x: 1 } }, { key: { x: 1 } }]);
    expect(await drop('c', '*')).toMatchObject({
      nIndexesWas: 4,
      msg: 'non-_id indexes and non-shard key indexes dropped for collection',
    });
    expect(await indexNames('c')).toEqual(['_id_', 'uid_1', 'uid_1_x_1']);
  });

  test('lets a hashed one go', async () => {
    await shard('h', { k: 'hashed' });
    await drop('h', 'k_hashed');
    expect(await indexNames('h', 1)).toEqual(['_id_']);
  });
});

// jstests/sharding/refine_collection_shard_key_basic.js; X2
describe('refineCollectionShardKey', () => {
  const refine = (collection: string, key: object) =>
    admin().command({ refineCollectionShardKey: `conf.${collection}`, key });

  test('lengthens key and bounds and moves no document', async () => {
    await shard('c', { uid: 1 });
    await admin().command({ split: 'conf.c', middle: { uid: 0 } });
    await admin().command({ moveChunk: 'conf.c', find: { uid: 0 }, to: 'sh1' });
    await conf().command({ insert: 'c', documents: [{ uid: -1 }, { uid: 1 }] });
    await conf().command({ createIndexes: 'c', indexes: [{ key: { uid: 1, email: 1 }, name: 'i' }] });
    await refine('c', { uid: 1, email: 1 });
    expect(await chunks('c')).toEqual(['Min,Min..0,Min sh0', '0,Min..Max,Max sh1']);
    expect([await on(0).collection('c').countDocuments(), await on(1).collection('c').countDocuments()]).toEqual([
      1, 1,
    ]);
    await refine('c', { uid: 1, email: 1 });
    await admin().command({ split: 'conf.c', middle: { uid: 0, email: 'm' } });
    expect((await chunks('c')).length).toBe(3);
  });

  // jstests/sharding/refine_collection_shard_key_atomicity.js
  test('lengthens the ranges of zones too', async () => {
    await admin().command({ addShardToZone: 'sh1', zone: 'east' });
    await admin().command({
      updateZoneKeyRange: 'conf.c',
      min: { uid: 5 },
      max: { uid: new MaxKey() },
      zone: 'east',
    });
    await shard('c', { uid: 1 });
    await conf().command({ createIndexes: 'c', indexes: [{ key: { uid: 1, email: 1 }, name: 'i' }] });
    await refine('c', { uid: 1, email: 1 });
    expect(await router.client.db('config').collection('tags').find().toArray()).toEqual([
      {
        _id: expect.anything(),
        ns: 'conf.c',
        min: { uid: 5, email: new MinKey() },
        max: { uid: new MaxKey(), email: new MaxKey() },
        tag: 'east',
      },
    ]);
    await conf().collection('c').drop();
    await admin().command({ removeShardFromZone: 'sh1', zone: 'east' });
  });

  test('never makes an index, and keeps unique indexes unique', async () => {
    await shard('c', { uid: 1 });
    expect(await refusalOf(refine('c', { uid: 1, email: 1 }))).toEqual({
      code: 72,
      message:
        "Please create an index that starts with the proposed shard key before refining the collection's shard key. ",
    });
    await conf().collection('c').createIndex({ uid: 1, email: 1 });
    await conf().collection('c').createIndex({ uid: 1, other: 1 }, { unique: true });
    const { code, message } = await refusalOf(refine('c', { uid: 1, email: 1 }));
    expect(code).toBe(72);
    expect(message).toContain("can't shard collection 'conf.c' with unique index on { uid: 1, other: 1 }");
  });

  test('is refused where there is nothing to refine', async () => {
    expect(await refusalOf(refine('none', { a: 1 }))).toEqual({
      code: 26,
      message: 'RefineCollectionShardKey: collection conf.none does not exists',
    });
    await conf().createCollection('plain');
    expect(await refusalOf(refine('plain', { a: 1 }))).toEqual({
      code: 118,
      message: "Can't execute refineCollectionShardKey on unsharded collection conf.plain",
    });
    await shard('c', { uid: 1 });
    expect(await refusalOf(refine('c', { email: 1 }))).toEqual({
      code: 72,
      message: 'refineCollectionShardKey shard key { email: 1 } does not extend the current shard key { uid: 1 }',
    });
  });
});

describe('drop and dropDatabase', () => {
  test('leave neither metadata nor documents on any shard, and the name is free again', async () => {
    await shard('h', { k: 'hashed' });
    await conf().command({ insert: 'h', documents: Array.from({ length: 50 }, (_, k) => ({ k })) });
    await conf().collection('h').drop();
    expect(await chunks('h')).toEqual([]);
    for (const which of [0, 1]) expect(await on(which).listCollections().toArray()).toEqual([]);
    await shard('h', { other: 1 });
    await conf().dropDatabase();
    expect(
      await router.client
        .db('config')
        .collection('databases')
        .findOne({ _id: 'conf' as never }),
    ).toBeNull();
    expect(await router.client.db('config').collection('shardlab.journal').find().toArray()).toEqual([]);
  });

  test('of what is not there succeed', async () => {
    expect(await conf().command({ drop: 'none' })).toEqual({ ok: 1 });
    expect(await router.client.db('nodb').command({ drop: 'none' })).toEqual({
      info: 'database does not exist',
      ok: 1,
    });
    expect(await router.client.db('nodb').command({ dropDatabase: 1 })).toEqual({ ok: 1 });
  });

  test('spare the cluster itself', async () => {
    expect(await refusalOf(router.client.db('config').command({ drop: 'shards' }))).toEqual({
      code: 20,
      message: "Cannot drop collection in 'config' database in sharded cluster",
    });
    expect(await refusalOf(admin().command({ dropDatabase: 1 }))).toEqual({
      code: 20,
      message: 'Cannot drop the admin database',
    });
  });

  test('are finished by the next router when one dies between metadata and documents', async () => {
    await conf().command({ insert: 'c', documents: [{ a: 1 }] });
    await router.end('SIGKILL');
    const config = await connect(sets.config.port);
    await config.db('config').collection('shardlab.journal').insertOne({ kind: 'drop', db: 'conf', collection: 'c' });
    router = await startRouter(sets, router.port);
    expect(await on(0).listCollections().toArray()).toEqual([]);
    expect(await config.db('config').collection('shardlab.journal').find().toArray()).toEqual([]);
  });
});

describe('what one shard answers', () => {
  test('listCollections and listIndexes', async () => {
    await shard('c', { a: 1 });
    await conf().createCollection('v', { viewOn: 'c', pipeline: [] });
    expect((await conf().listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort()).toEqual([
      'c',
      'system.views',
      'v',
    ]);
    expect(await router.client.db('nodb').listCollections().toArray()).toEqual([]);
    expect((await conf().collection('c').indexes()).map(({ name }) => name)).toEqual(['_id_', 'a_1']);
    expect(await refusalOf(conf().command({ listIndexes: 'none' }))).toMatchObject({ code: 26 });
  });

  test('renameCollection, of collections that are not sharded', async () => {
    await conf().command({ insert: 'before', documents: [{ a: 1 }] });
    await admin().command({ renameCollection: 'conf.before', to: 'conf.after' });
    expect(await conf().collection('after').findOne()).toMatchObject({ a: 1 });
    await shard('c', { a: 1 });
    expect((await refusalOf(admin().command({ renameCollection: 'conf.c', to: 'conf.d' }))).message).toContain(
      'renameCollection of a sharded collection is not modelled',
    );
  });

  test('collStats, dbStats and dataSize add the shards up', async () => {
    await shard('h', { k: 'hashed' });
    await conf().command({
      insert: 'h',
      documents: Array.from({ length: 100 }, (_, k) => ({ k: Long.fromNumber(k) })),
    });
    const stats = await conf().command({ collStats: 'h' });
    expect(stats).toMatchObject({ sharded: true, ns: 'conf.h', count: 100, nindexes: 2 });
    expect(stats.shards.sh0.count + stats.shards.sh1.count).toBe(100);
    expect(await conf().command({ dbStats: 1, scale: 1024 })).toMatchObject({
      db: 'conf',
      objects: 100,
      avgObjSize: stats.avgObjSize,
      dataSize: stats.size / 1024,
      scaleFactor: 1024,
    });
    expect(await conf().command({ dataSize: 'conf.h' })).toMatchObject({ numObjects: 100 });
  });

  test('validate looks at every part', async () => {
    await shard('h', { k: 'hashed' });
    await conf().command({ insert: 'h', documents: Array.from({ length: 20 }, (_, k) => ({ k })) });
    const { valid, raw } = await conf().command({ validate: 'h' });
    expect(valid).toBe(true);
    expect(raw.sh0.nrecords + raw.sh1.nrecords).toBe(20);
    await conf().command({ insert: 'plain', documents: [{ k: 1 }] });
    expect(await conf().command({ validate: 'plain' })).toMatchObject({ nrecords: 1, raw: { sh0: { nrecords: 1 } } });
    expect(await refusalOf(conf().command({ validate: 'none' }))).toMatchObject({ code: 26 });
  });
});
