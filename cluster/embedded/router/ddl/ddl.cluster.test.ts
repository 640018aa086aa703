import { Long, MaxKey, MinKey } from 'bson';
import { describe, expect, test } from 'vitest';
import { connect } from '../../mongod.fixture.ts';
import { chunksOf, refusalOf, startRouter, useDatabase } from '../cluster.fixture.ts';

const { cluster, admin, conf, on } = useDatabase();
const shard = (collection: string, key: object, options = {}) =>
  admin().command({ shardCollection: `conf.${collection}`, key, ...options });

const chunks = (collection: string) => chunksOf(cluster.router, `conf.${collection}`);
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
    const config = cluster.router.client.db('config');
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

  test('array_shard_key.js: refuses documents that hold arrays at the key', async () => {
    await conf().command({ insert: 'c', documents: [{ a: [1, 2] }] });
    await conf().collection('c').createIndex({ a: 1 });
    const { code, message } = await refusalOf(shard('c', { a: 1 }));
    expect(code).toBe(72);
    expect(message).toContain('Index a_1 cannot be used for sharding because: Index key is multikey.');
  });

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

  test('shard_collection_existing_zones.js: of a new collection places its first chunks by its zones', async () => {
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
    expect(await cluster.router.client.db('config').collection('tags').find().toArray()).toEqual([]);
    await admin().command({ removeShardFromZone: 'sh1', zone: 'east' });
  });
});

describe('zones', () => {
  const range = (ns: string, min: object, max: object, zone: string | null) =>
    admin().command({ updateZoneKeyRange: ns, min, max, zone });
  const tags = () =>
    cluster.router.client
      .db('config')
      .collection('tags')
      .find({}, { projection: { _id: 0 } })
      .toArray();
  const tagsOfShard = async () =>
    (
      await cluster.router.client
        .db('config')
        .collection('shards')
        .findOne({ _id: 'sh0' as never })
    )?.tags;
  const [OVERLAP, BAD_RANGE] = [178, 9];

  test('add_shard_to_zone.js, remove_shard_from_zone.js: a shard is in a zone once, or not', async () => {
    for (const _ of [1, 2]) {
      await admin().command({ addShardToZone: 'sh0', zone: 'x' });
      expect(await tagsOfShard()).toEqual(['x']);
    }
    for (const _ of [1, 2]) {
      await admin().command({ removeShardFromZone: 'sh0', zone: 'x' });
      expect(await tagsOfShard()).toEqual([]);
    }
    expect((await refusalOf(admin().command({ addShardToZone: 'none', zone: 'x' }))).code).toBe(70);
  });

  test.each([
    ['of a sharded collection', 'conf.ranged', { x: 1 }],
    ['of one that is not', 'conf.unsharded', undefined],
  ])('update_zone_key_range.js: a range %s', async (_, ns, key) => {
    if (key) await admin().command({ shardCollection: ns, key });
    await admin().command({ addShardToZone: 'sh0', zone: 'x' });
    await range(ns, { x: 0 }, { x: 10 }, 'x');
    const assigned = [{ ns, min: { x: 0 }, max: { x: 10 }, tag: 'x' }];
    expect((await refusalOf(range(ns, { x: -10 }, { x: 20 }, 'x'))).code).toBe(OVERLAP);
    expect((await refusalOf(range(ns, { x: 10 }, { x: 0 }, 'x'))).code).toBe(BAD_RANGE);
    expect((await refusalOf(admin().command({ removeShardFromZone: 'sh0', zone: 'x' }))).code).toBe(163);
    expect(await tags()).toEqual(assigned);
    await range(ns, { x: 0 }, { x: 10 }, null);
    expect(await tags()).toEqual([]);
    await admin().command({ removeShardFromZone: 'sh0', zone: 'x' });
  });

  test('update_zone_key_range.js: a range of a compound key', async () => {
    const key = (_id: number, x: number) => ({ _id, x });
    await admin().command({ shardCollection: 'conf.compound', key: key(1, 1) });
    await admin().command({ addShardToZone: 'sh0', zone: 'x' });
    await range('conf.compound', key(0, 0), key(100, 10), 'x');
    for (const [min, max] of [
      [key(100, 10), key(100, 1)],
      [key(10, 1), key(1, 10)],
      [key(10, 10), key(1, 1)],
      [key(0, 0), key(0, 0)],
    ] as const) {
      expect((await refusalOf(range('conf.compound', min, max, 'x'))).code).toBe(BAD_RANGE);
    }
    await range('conf.compound', key(0, 0), key(100, 10), null);
    expect(await tags()).toEqual([]);
    await admin().command({ removeShardFromZone: 'sh0', zone: 'x' });
  });
});

describe('drop and dropDatabase', () => {
  test('are told in config.changelog, as the creation is', async () => {
    await shard('c', { a: 1 });
    const config = cluster.router.client.db('config');
    const [database, collection] = await Promise.all([
      config.collection('databases').findOne({ _id: 'conf' as never }),
      config.collection('collections').findOne({ _id: 'conf.c' as never }),
    ]);
    await conf().collection('c').drop();
    const entries = await config
      .collection('changelog')
      .find({ ns: /^conf/, what: /Database|drop/ }, { sort: { $natural: -1 }, limit: 4 })
      .toArray();
    const created = { primaryShard: 'sh0', userSelectedPrimary: true };
    expect(entries.map(({ what, ns, shard, details }) => [what, ns, shard, details])).toEqual([
      ['dropCollection', 'conf.c', 'sh0', {}],
      ['dropCollection.start', 'conf.c', 'sh0', { collectionUUID: { uuid: collection?.uuid } }],
      ['createDatabase', 'conf', 'config', { ...created, version: database?.version }],
      ['createDatabase.start', 'conf', 'config', created],
    ]);
  });

  test('leave neither metadata nor documents on any shard, and the name is free again', async () => {
    await shard('h', { k: 'hashed' });
    await conf().command({ insert: 'h', documents: Array.from({ length: 50 }, (_, k) => ({ k })) });
    await conf().collection('h').drop();
    expect(await chunks('h')).toEqual([]);
    for (const which of [0, 1]) expect(await on(which).listCollections().toArray()).toEqual([]);
    await shard('h', { other: 1 });
    await conf().dropDatabase();
    expect(
      await cluster.router.client
        .db('config')
        .collection('databases')
        .findOne({ _id: 'conf' as never }),
    ).toBeNull();
    expect(await cluster.router.client.db('config').collection('shardlab.journal').find().toArray()).toEqual([]);
  });

  test('drop_sharded_db.js: of one database leave others of similar names alone', async () => {
    const names = ['drop_A', 'drop_AB', 'drop_B'];
    for (const name of names) {
      await cluster.router.client
        .db(name)
        .command({ insert: 'data', documents: Array.from({ length: 30 }, (_, _id) => ({ _id })) });
      await admin().command({ shardCollection: `${name}.data`, key: { _id: 1 } });
    }
    await cluster.router.client.db('drop_A').collection('unsharded').insertOne({ dummy: 1 });
    await cluster.router.client.db('drop_A').dropDatabase();
    const config = cluster.router.client.db('config');
    expect(
      (
        await config
          .collection('databases')
          .find({ _id: /^drop_/ as never })
          .toArray()
      ).map(({ _id }) => _id),
    ).toEqual(expect.arrayContaining(['drop_AB', 'drop_B']));
    expect(await config.collection('collections').countDocuments({ _id: /^drop_/ as never })).toBe(2);
    expect((await admin().command({ listDatabases: 1, nameOnly: true, filter: { name: 'drop_A' } })).databases).toEqual(
      [],
    );
    for (const name of names.slice(1)) {
      expect(await cluster.router.client.db(name).collection('data').find().toArray()).toHaveLength(30);
      await cluster.router.client.db(name).dropDatabase();
    }
  });

  test('of what is not there succeed', async () => {
    expect(await conf().command({ drop: 'none' })).toEqual({ ok: 1 });
    expect(await cluster.router.client.db('nodb').command({ drop: 'none' })).toEqual({
      info: 'database does not exist',
      ok: 1,
    });
    expect(await cluster.router.client.db('nodb').command({ dropDatabase: 1 })).toEqual({ ok: 1 });
  });

  test('spare the cluster itself', async () => {
    expect(await refusalOf(cluster.router.client.db('config').command({ drop: 'shards' }))).toEqual({
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
    await cluster.router.end('SIGKILL');
    const config = await connect(cluster.sets.config.port);
    await config.db('config').collection('shardlab.journal').insertOne({ kind: 'drop', db: 'conf', collection: 'c' });
    cluster.router = await startRouter(cluster.sets, cluster.router.port);
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
    expect(await cluster.router.client.db('nodb').listCollections().toArray()).toEqual([]);
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
