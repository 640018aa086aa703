import { type Document, Long, MaxKey, MinKey } from 'bson';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../cluster.fixture.ts';
import { ALL, DOCUMENTS, type Row, useMovable } from './moves.fixture.ts';

const { cluster, admin, conf, on, through, held, fill, counts, idsThrough, move } = useMovable();

describe('a move', () => {
  test('takes the documents of the range along, each of which is found once before and after', async () => {
    await fill();
    expect(await idsThrough()).toEqual(ALL);
    await move({ min: { uid: 1_000 }, max: { uid: 2_000 } });
    expect(await counts()).toEqual([2_000, 1_000]);
    expect(await idsThrough()).toEqual(ALL);
    expect(await through().countDocuments({ uid: { $gte: 990, $lt: 1_010 } })).toBe(20);
  });

  test('leaves chunks, versions and history as a server does', async () => {
    await admin().command({ split: 'conf.c', middle: { uid: 0 } });
    expect(await admin().command({ moveChunk: 'conf.c', find: { uid: 5 }, to: 'sh1' })).toMatchObject({ ok: 1 });
    const chunks = await cluster.router.client
      .db('config')
      .collection('chunks')
      .find({}, { sort: { min: 1 } })
      .toArray();
    expect(chunks.map(({ shard, lastmod }) => `${shard} ${lastmod.t}|${lastmod.i}`)).toEqual(['sh0 2|1', 'sh1 2|0']);
    expect(chunks[1]?.history.map(({ shard }: { shard: string }) => shard)).toEqual(['sh1', 'sh0']);
    expect(chunks[1]?.onCurrentShardSince).toEqual(chunks[1]?.history[0].validAfter);
  });

  test('gives the recipient the options and indexes of the collection', async () => {
    const collection = conf().collection('v');
    await conf().createCollection('v', { validator: { n: { $type: 'number' } } });
    await admin().command({ shardCollection: 'conf.v', key: { uid: 1 } });
    await collection.createIndex({ uid: 1, email: 1 }, { unique: true, partialFilterExpression: { live: true } });
    await collection.insertOne({ uid: 1, n: 1 });
    await admin().command({ moveChunk: 'conf.v', find: { uid: 1 }, to: 'sh1' });
    const there = on(1);
    expect(await there?.collection('v').indexes()).toEqual(await on(0).collection('v').indexes());
    expect(await there?.listCollections({ name: 'v' }).toArray()).toMatchObject([
      { options: { validator: { n: { $type: 'number' } } } },
    ]);
    expect(await collection.findOne({ uid: 1 })).toMatchObject({ n: 1 });
  });

  test('sharding_system_namespaces.js: gives it the storage options too', async () => {
    const storageEngine = { wiredTiger: { configString: 'block_compressor=zlib' } };
    await conf().createCollection('z', { storageEngine });
    await admin().command({ shardCollection: 'conf.z', key: { x: 1 } });
    await admin().command({ moveChunk: 'conf.z', find: { x: 1 }, to: 'sh1' });
    expect(await on(1).listCollections({ name: 'z' }).toArray()).toMatchObject([{ options: { storageEngine } }]);
  });

  test('drops from a recipient that owns nothing the indexes that are left from earlier', async () => {
    const collection = conf().collection<{ uid: number; email?: string }>('c');
    await collection.createIndex({ uid: 1, email: 1 }, { unique: true });
    await move({ min: { uid: new MinKey() } });
    await move({ min: { uid: new MinKey() }, toShard: 'sh0' });
    await collection.dropIndex('uid_1_email_1');
    await collection.insertMany([{ uid: 1 }, { uid: 1 }]);
    await move({ min: { uid: new MinKey() } });
    expect(await counts()).toEqual([0, 2]);
    expect((await held(1).indexes())?.map(({ name }) => name)).toEqual(['_id_', 'uid_1']);
  });

  test('carries null, missing and MaxKey keys with the chunk they belong to', async () => {
    await admin().command({ split: 'conf.c', middle: { uid: 0 } });
    await cluster.router.client
      .db('conf')
      .command({ insert: 'c', documents: [{ _id: 1 }, { _id: 2, uid: null }, { _id: 3, uid: 7 }] });
    await move({ min: { uid: new MinKey() } });
    expect(await counts()).toEqual([1, 2]);
    expect(await idsThrough()).toEqual([1, 2, 3]);
  });

  test('goes by the simple collation, whatever the collection compares by', async () => {
    await conf().createCollection('w', { collation: { locale: 'en', strength: 2 } });
    await admin().command({ shardCollection: 'conf.w', key: { word: 1 }, collation: { locale: 'simple' } });
    const words = ['A', 'Z', 'a', 'z'].map((word) => ({ _id: word.charCodeAt(0), word }));
    await conf().command({ insert: 'w', documents: words });
    await admin().command({ moveRange: 'conf.w', min: { word: 'a' }, max: { word: 'z' }, toShard: 'sh1' });
    const on1 = await on(1).collection('w').find().toArray();
    expect(on1?.map(({ word }) => word)).toEqual(['a']);
    expect(await conf().collection('w').find({ word: 'A' }).toArray()).toHaveLength(2);
  });

  test('moves by the hash of a hashed key', async () => {
    await admin().command({ shardCollection: 'conf.h', key: { k: 'hashed' } });
    const hashed = conf().collection('h');
    await hashed.insertMany(Array.from({ length: 500 }, (_, k) => ({ k })));
    await admin().command({
      moveRange: 'conf.h',
      min: { k: new MinKey() },
      max: { k: Long.fromNumber(0) },
      toShard: 'sh1',
    });
    await admin().command({ moveRange: 'conf.h', min: { k: Long.fromNumber(0) }, toShard: 'sh1' });
    expect(await on(0).collection('h').countDocuments()).toBe(0);
    expect(await on(1).collection('h').countDocuments()).toBe(500);
  });

  test('is told in config.changelog as a server tells it', async () => {
    await fill(10);
    await move({ min: { uid: 5 } });
    const entries = await cluster.router.client
      .db('config')
      .collection('changelog')
      .find({ ns: 'conf.c', what: /^moveChunk/ }, { sort: { $natural: -1 }, limit: 4 })
      .toArray();
    const range = { min: { uid: 5 }, max: { uid: new MaxKey() }, from: 'sh0', to: 'sh1' };
    const counts = { cloned: 5, clonedBytes: expect.any(Number), catchup: 0, steady: 0 };
    expect(entries.map(({ what, shard, details }) => [what, shard, details])).toEqual([
      ['moveChunk.from', 'sh0', { ...range, note: 'success' }],
      ['moveChunk.commit', 'sh0', { ...range, counts }],
      ['moveChunk.to', 'sh1', { ...range, note: 'success' }],
      ['moveChunk.start', 'sh0', range],
    ]);
  });

  test('to the shard that owns the chunk is a success that changes nothing', async () => {
    await admin().command({ moveChunk: 'conf.c', find: { uid: 1 }, to: 'sh0' });
    const [chunk] = await cluster.router.client.db('config').collection('chunks').find().toArray();
    expect(chunk?.lastmod).toMatchObject({ t: 1, i: 0 });
  });

  test('lets a cursor that was open find what it was to look up in the collection', async () => {
    const row = (_: unknown, _id: number) => ({ _id, uid: _id });
    await Promise.all(
      ['ten', 'looked'].map((name) =>
        conf()
          .collection<Row>(name)
          .insertMany(Array.from({ length: 10 }, row)),
      ),
    );
    const lookup = { from: 'looked', localField: '_id', foreignField: 'uid', as: 'found' };
    const cursor = conf()
      .collection('ten')
      .aggregate([{ $lookup: lookup }], { batchSize: 2 });
    const documents = [await cursor.next()];
    await conf().collection('looked').createIndex({ uid: 1 });
    await admin().command({ shardCollection: 'conf.looked', key: { uid: 1 } });
    await admin().command({ moveRange: 'conf.looked', min: { uid: new MinKey() }, toShard: 'sh1' });
    documents.push(...(await cursor.toArray()));
    expect(documents.map((document) => document?.found.length)).toEqual(Array(10).fill(1));
  });

  test('lets a cursor that was open return what it was to return', async () => {
    await fill();
    const cursor = through().find({}, { batchSize: 100, projection: { _id: 1 } });
    const first = await cursor.next();
    await move({ min: { uid: 500 }, max: { uid: 2_500 } });
    const rest = await cursor.toArray();
    expect([first, ...rest].map((one) => one?._id).sort((a = 0, b = 0) => a - b)).toEqual(ALL);
  });

  test('loses no write that comes while it runs', async () => {
    await fill();
    const writes = Array.from({ length: 200 }, (_, i) => through().insertOne({ _id: DOCUMENTS + i, uid: i * 10 }));
    await Promise.all([move({ min: { uid: 0 }, max: { uid: 1_500 } }), ...writes]);
    expect(await idsThrough()).toEqual(Array.from({ length: DOCUMENTS + 200 }, (_, i) => i));
    expect(await held(0).countDocuments({ uid: { $gte: 0, $lt: 1_500 } })).toBe(0);
  });
});

describe('moves as jstests/sharding restates them', () => {
  const config = () => cluster.router.client.db('config');
  const chunkWith = (ns: string, shard: string) =>
    config()
      .collection('collections')
      .findOne({ _id: ns as never })
      .then((found) => config().collection('chunks').findOne({ uuid: found?.uuid, shard }));

  test.each([
    ['a range', { a: 1 }],
    ['a compound key', { a: 1, b: 1 }],
    ['a hash', { a: 'hashed' }],
  ])('move_range_basic.js: %s, by both bounds or one, with the chunk that keeps its _id', async (_, key) => {
    const ns = 'conf.basic';
    await admin().command({ shardCollection: ns, key });
    const { _id, min, max } = (await chunkWith(ns, 'sh0')) as Document;
    const owner = async () => (await config().collection('chunks').findOne({ _id }))?.shard;
    const to = (toShard: string, bounds: object) => admin().command({ moveRange: ns, toShard, ...bounds });
    expect((await refusalOf(to('sh1', { min, max: { invalidShardKey: 10 } }))).code).toBe(72);
    expect((await refusalOf(to('wrong', { min, max }))).code).toBe(70);
    await to('sh1', { min, max });
    expect(await owner()).toBe('sh1');
    await to('sh0', { min });
    expect(await owner()).toBe('sh0');
    await to('sh1', { max });
    expect(await owner()).toBe('sh1');
  });

  test.each([{ a: 1 }, { a: 1, b: 1 }, { _id: 'hashed' }])(
    'move_chunk_basic.js: with the key %j a chunk keeps its _id on another shard',
    async (key) => {
      const ns = 'conf.basic';
      await admin().command({ shardCollection: ns, key });
      const { _id, min, max } = (await chunkWith(ns, 'sh0')) as Document;
      const owner = async () => (await config().collection('chunks').findOne({ _id }))?.shard;
      const chosen = '_id' in key ? { bounds: [min, max] } : { find: key };
      const to = (shard: string, fields: object) => admin().command({ moveChunk: ns, to: shard, ...fields });
      for (const wrong of [{ find: { xxx: 1 } }, { bounds: [Number.NaN, max] }, { bounds: [min, max], find: key }]) {
        expect((await refusalOf(to('sh1', wrong))).code).toBeGreaterThan(0);
      }
      expect(await owner()).toBe('sh0');
      await to('sh1', chosen);
      expect(await owner()).toBe('sh1');
      expect((await refusalOf(to('WrongShard', chosen))).code).toBe(70);
      await to('sh1', chosen);
      expect(await owner()).toBe('sh1');
    },
  );

  test('move_chunk_hashed.js: the documents of the chunk move, the others stay', async () => {
    const documents = [-10, -1, 0, 1, 10].map((x) => ({ x }));
    await admin().command({ shardCollection: 'conf.hashed', key: { x: 'hashed' } });
    for (const half of [-4, 4]) {
      await admin().command({ split: 'conf.hashed', middle: { x: Long.fromString(`${half}000000000000000000`) } });
    }
    await conf().collection('hashed').insertMany(documents);
    const held = async (shard: number) =>
      (await on(shard).collection('hashed').find().toArray())?.map(({ x }) => x).sort();
    const before = [await held(0), await held(1)];
    const all = (await config().collection('chunks').find().sort({ min: 1 }).toArray()).filter(({ min }) => 'x' in min);
    for (const { min, max, shard, _id } of all) {
      const to = shard === 'sh0' ? 'sh1' : 'sh0';
      await admin().command({ moveChunk: 'conf.hashed', bounds: [min, max], to });
      expect(await config().collection('chunks').findOne({ _id })).toMatchObject({ shard: to });
    }
    expect([await held(1), await held(0)]).toEqual(before);
    expect(await conf().collection('hashed').countDocuments({})).toBe(5);
  });

  test.each([
    { skey: 1, extra: 1 },
    { skey: 1, extra: -1 },
    { skey: 1, extra: 1, superfluous: -1 },
  ])('prefix_shard_key.js: all documents of one key move, through the index %j', async (index) => {
    const collection = conf().collection('prefix');
    await collection.createIndex(index);
    await admin().command({ shardCollection: 'conf.prefix', key: { skey: 1 } });
    const fives = [0, 1, 2, 3, 4];
    await collection.insertMany(
      fives.flatMap((extra) => fives.map((superfluous) => ({ skey: 0, extra, superfluous }))),
    );
    await admin().command({ split: 'conf.prefix', middle: { skey: 0 } });
    await admin().command({ moveChunk: 'conf.prefix', find: { skey: 0 }, to: 'sh1' });
    expect(await on(0).collection('prefix').find().toArray()).toHaveLength(0);
    expect(await on(1).collection('prefix').find().toArray()).toHaveLength(25);
    expect(await collection.indexes()).toHaveLength(2);
    expect(await collection.find().toArray()).toHaveLength(25);
  });

  test('prefix_shard_key.js: an index that is multikey behind the key still serves to move and to split', async () => {
    const collection = conf().collection('user');
    await collection.createIndex({ num: 1, x: 1 });
    await admin().command({ shardCollection: 'conf.user', key: { num: 1 } });
    const x = Array.from({ length: 50 }, (_, i) => i);
    await collection.insertMany(Array.from({ length: 200 }, (_, num) => ({ num, x })));
    await admin().command({ split: 'conf.user', middle: { num: 70 } });
    await admin().command({ moveChunk: 'conf.user', find: { num: 70 }, to: 'sh1' });
    await admin().command({ split: 'conf.user', find: { num: 0 } });
    const count = (shard: number) => on(shard).collection('user').countDocuments();
    expect([await count(0), await count(1)]).toEqual([70, 130]);
  });

  test('hash_basic.js: chunks of hashes split by bounds, key and query, and every one of them moves', async () => {
    const collection = conf().collection('user');
    await admin().command({ shardCollection: 'conf.user', key: { x: 'hashed' } });
    await collection.insertMany(Array.from({ length: 300 }, (_, x) => ({ x })));
    const chunks = () =>
      config()
        .collection('chunks')
        .find({ 'min.x': { $exists: true } })
        .sort({ min: 1 })
        .toArray();
    const [first] = await chunks();
    await admin().command({ split: 'conf.user', bounds: [first?.min, first?.max] });
    const [, second] = await config()
      .collection('chunks')
      .find({ 'min.x': { $exists: true } }, { promoteLongs: false })
      .sort({ min: 1 })
      .toArray();
    await admin().command({ split: 'conf.user', middle: { x: second?.min.x.add(1_000_000) } });
    await admin().command({ split: 'conf.user', find: { x: 7 } });
    const all = await config()
      .collection('chunks')
      .find({ 'min.x': { $exists: true } }, { promoteLongs: false })
      .toArray();
    expect(all).toHaveLength(5);
    for (const { min, max, shard } of all) {
      await admin().command({ moveChunk: 'conf.user', bounds: [min, max], to: shard === 'sh0' ? 'sh1' : 'sh0' });
    }
    expect(await collection.find().toArray()).toHaveLength(300);
  });
});

describe('a move is refused and leaves everything as it was', () => {
  test('migrate_overwrite_id.js (X1): when the recipient holds a document with the same _id', async () => {
    await admin().command({ split: 'conf.c', middle: { uid: 1_000 } });
    await admin().command({ moveChunk: 'conf.c', find: { uid: 1_000 }, to: 'sh1' });
    await fill(1_000);
    await through().insertOne({ _id: 500, uid: 5_000 });
    expect(await refusalOf(move({ min: { uid: 0 }, max: { uid: 1_000 } }))).toEqual({
      code: 96,
      message: 'Data transfer error: migrate failed: Location6718402: operation was interrupted',
    });
    expect(await counts()).toEqual([1_000, 1]);
    expect(await through().find({ _id: 500 }).toArray()).toHaveLength(2);
    expect(await cluster.router.client.db('config').collection('shardlab.journal').countDocuments({})).toBe(0);
  });

  test('and leaves no cursor open on the donor, of which only a part was read', async () => {
    const openOnDonor = async () => (await on(0).admin().serverStatus()).metrics.cursor.open.total;
    await admin().command({ split: 'conf.c', middle: { uid: 1_000 } });
    await admin().command({ moveChunk: 'conf.c', find: { uid: 1_000 }, to: 'sh1' });
    const megabyte = 'x'.repeat(2 ** 20);
    await conf()
      .collection<{ _id: number }>('c')
      .insertMany(Array.from({ length: 34 }, (_, i) => ({ _id: i, uid: i, megabyte })));
    await through().insertOne({ _id: 0, uid: 5_000 });
    const before = await openOnDonor();
    expect(await refusalOf(move({ min: { uid: 0 }, max: { uid: 1_000 } }))).toMatchObject({ code: 96 });
    expect(await openOnDonor()).toEqual(before);
    expect(await counts()).toEqual([34, 1]);
  });

  test('when the recipient holds documents and lacks an index', async () => {
    await admin().command({ split: 'conf.c', middle: { uid: 0 } });
    await admin().command({ moveChunk: 'conf.c', find: { uid: 0 }, to: 'sh1' });
    await through().insertMany([
      { _id: 1, uid: -1 },
      { _id: 2, uid: 1 },
    ]);
    await held(0).createIndex({ extra: 1 });
    expect(await refusalOf(move({ min: { uid: new MinKey() } }))).toEqual({
      code: 242,
      message:
        'aborting, shard is missing 1 indexes and collection is not empty. Non-trivial index creation should be scheduled manually',
    });
    expect(await counts()).toEqual([1, 1]);
  });

  test('move_chunk_missing_idx.js: when the donor has no index left for the shard key', async () => {
    await held(0).dropIndex('uid_1');
    expect(await refusalOf(move({ min: { uid: new MinKey() } }))).toEqual({
      code: 27,
      message: "can't find index with prefix { uid: 1 } in storeCurrentLocs for conf.c",
    });
  });

  test.each([
    [{ moveChunk: 'conf.none', find: { uid: 1 }, to: 'sh1' }, 118, 'Collection conf.none is not sharded.'],
    [{ moveChunk: 'none.c', find: { uid: 1 }, to: 'sh1' }, 26, 'Database none not found'],
    [
      { moveRange: 'conf.none', min: { uid: 1 }, toShard: 'sh1' },
      118,
      "Can't execute moveRange on unsharded collection conf.none",
    ],
    [{ moveChunk: 'conf.c', find: { uid: 1 }, to: 'none' }, 70, 'moveChunk destination shard does not exist'],
    [{ moveChunk: 'conf.c', to: 'sh1' }, 72, 'need to specify query or bounds'],
    [{ moveChunk: 'conf.c', bounds: [{ uid: 1 }], to: 'sh1' }, 72, 'bounds can only have exactly 2 elements'],
    [
      { moveChunk: 'conf.c', find: { uid: 1 }, bounds: [{ uid: 1 }, { uid: 2 }], to: 'sh1' },
      72,
      'cannot specify bounds and query at the same time',
    ],
    [{ moveChunk: 'conf.c', find: { x: 1 }, to: 'sh1' }, 656450, 'no shard key found in chunk query { x: 1 }'],
    [
      { moveChunk: 'conf.c', bounds: [{ x: 1 }, { x: 2 }], to: 'sh1' },
      656451,
      'shard key bounds [{ x: 1 },{ x: 2 }) are not valid for shard key pattern { uid: 1 }',
    ],
    [
      { moveChunk: 'conf.c', bounds: [{ uid: 1 }, { uid: 2 }], to: 'sh1' },
      656452,
      'no chunk found with the shard key bounds [{ uid: 1 }, { uid: 2 })',
    ],
    [{ moveChunk: 'conf.c', find: { uid: 1 } }, 40414, "BSON field 'moveChunk.to' is missing but a required field"],
  ])('%j', async (command, code, message) => {
    expect(await refusalOf(admin().command(command))).toEqual({ code, message });
  });

  test('move_chunk_permitMigrations.js: while migrations are not allowed, also after the router has read it again', async () => {
    const allow = (allowMigrations: boolean) => admin().command({ setAllowMigrations: 'conf.c', allowMigrations });
    const entry = () =>
      cluster.router.client.db('config').collection<{ _id: string }>('collections').findOne({ _id: 'conf.c' });
    await allow(false);
    expect(await refusalOf(move({ min: { uid: 1 } }))).toMatchObject({ code: 117 });
    await admin().command({ flushRouterConfig: 1 });
    expect(await refusalOf(move({ min: { uid: 1 } }))).toMatchObject({ code: 117 });
    expect(await entry()).toMatchObject({ permitMigrations: false });
    await allow(true);
    expect(await entry()).not.toHaveProperty('permitMigrations');
    await move({ min: { uid: 1 } });
    expect(await refusalOf(admin().command({ setAllowMigrations: 'conf.x', allowMigrations: true }))).toEqual({
      code: 118,
      message: 'Collection must be sharded so migrations can be blocked',
    });
  });

  test('when its bounds lie in two chunks', async () => {
    await admin().command({ split: 'conf.c', middle: { uid: 0 } });
    expect(await refusalOf(move({ min: { uid: -5 }, max: { uid: 5 } }))).toMatchObject({ code: 11089203 });
  });

  test('move_jumbo_chunk.js: when the chunk is too large, unless it is forced', async () => {
    await cluster.router.client
      .db('config')
      .collection('settings')
      .insertOne({ _id: 'chunksize' as never, value: 1 });
    try {
      await through().insertMany(Array.from({ length: 30 }, (_, i) => ({ _id: i, uid: i, text: 'x'.repeat(100_000) })));
      const { code, message } = await refusalOf(admin().command({ moveChunk: 'conf.c', find: { uid: 1 }, to: 'sh1' }));
      expect(code).toBe(153);
      expect(message).toMatch(
        /^Cannot move chunk: the maximum number of documents for a chunk is 20, .* Found 30 documents in chunk {2}ns: conf\.c /,
      );
      await admin().command({ moveChunk: 'conf.c', find: { uid: 1 }, to: 'sh1', forceJumbo: true });
      expect(await counts()).toEqual([0, 30]);
      await admin().command({ moveRange: 'conf.c', min: { uid: 5 }, toShard: 'sh0' });
      expect(await counts()).toEqual([10, 20]); // as much as a full chunk holds, from the bound given
      expect(await held(0).countDocuments({ uid: { $gte: 5, $lt: 15 } })).toBe(10);
    } finally {
      await cluster.router.client
        .db('config')
        .collection('settings')
        .deleteOne({ _id: 'chunksize' as never });
    }
  });
});
