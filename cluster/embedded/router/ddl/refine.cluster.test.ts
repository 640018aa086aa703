import { MaxKey, MinKey } from 'bson';
import { describe, expect, test } from 'vitest';
import { chunksOf, refusalOf, useDatabase } from '../cluster.fixture.ts';

const { cluster, admin, conf, on } = useDatabase();
const shard = (collection: string, key: object, options = {}) =>
  admin().command({ shardCollection: `conf.${collection}`, key, ...options });

const chunks = (collection: string) => chunksOf(cluster.router, `conf.${collection}`);

// X2
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

  test('refine_collection_shard_key_atomicity.js: lengthens the ranges of zones too', async () => {
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
    expect(await cluster.router.client.db('config').collection('tags').find().toArray()).toEqual([
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

describe('refine_collection_shard_key_basic.js', () => {
  const refine = (key: unknown, options = {}) =>
    admin().command({ refineCollectionShardKey: 'conf.foo', key, ...options });
  const ID: Record<string, 1> = { _id: 1, aKey: 1 };

  test.each([
    [{ _id: 5 }, 2],
    [{ _id: -1 }, 2],
    [{ _id: 'hashed', aKey: 'hashed' }, 2],
    [{ aKey: 'hahashed' }, 2],
    [{}, 2],
    [undefined, 40414],
    ['blah', 14],
    [{ aKey: 1 }, 72],
    [ID, 72], // for want of an index
  ])('%j is refused', async (key, code) => {
    await shard('foo', { _id: 1 });
    expect((await refusalOf(refine(key))).code).toBe(code);
  });

  test.each([{ _id: 1 }, { a: 1, b: 1 }, { aKey: 'hashed' }, { _id: 1, aKey: 'hashed' }])(
    '%j again is a success that changes nothing',
    async (key) => {
      await shard('foo', key);
      const before = await cluster.router.client.db('config').collection('collections').findOne({});
      await refine(key);
      expect(await cluster.router.client.db('config').collection('collections').findOne({})).toEqual(before);
    },
  );

  test.each([
    [[{ sparse: true }], [' Index key is sparse.']],
    [[{ partialFilterExpression: { aKey: { $gt: 0 } } }], [' Index key is partial.']],
    [[{ sparse: true, collation: { locale: 'en' } }], [' Index key is sparse.', ' Index has a non-simple collation.']],
    [
      [
        { partialFilterExpression: { aKey: { $gt: 0 } }, name: 'partial' },
        { sparse: true, name: 'sparse' },
      ],
      [' Index key is partial.', ' Index key is sparse.'],
    ],
  ])('an index with %j will not do', async (indexes, reasons) => {
    await shard('foo', { _id: 1 });
    for (const options of indexes) await conf().collection('foo').createIndex(ID, options);
    const { code, message } = await refusalOf(refine(ID));
    expect(code).toBe(72);
    for (const reason of reasons) expect(message).toContain(reason);
  });

  test('a multikey index will not do, beside a partial one', async () => {
    await shard('foo', { _id: 1 });
    const partialFilterExpression = { aKey: { $gt: 0 } };
    await conf().collection('foo').createIndex(ID, { name: 'partial', partialFilterExpression });
    await conf().collection('foo').createIndex(ID, { name: 'multikey' });
    await conf().command({ insert: 'foo', documents: [{ _id: 1, aKey: [1, 2, 3] }] });
    const { code, message } = await refusalOf(refine(ID));
    expect(code).toBe(72);
    for (const reason of ['multikey', 'partial']) expect(message).toContain(`Index key is ${reason}.`);
  });

  test.each([
    [{ _id: 1, aKey: 1 }, { aKey: 1 }],
    [
      { _id: 1, aKey: 1 },
      { aKey: 1, _id: 1 },
    ],
    [
      { _id: 1, aKey: 1 },
      { aKey: 1, _id: 1, bKey: 1 },
    ],
    [{ _id: 1 }, { aKey: 1, bKey: 1 }],
  ])('from %j to %j is no refinement', async (old, key) => {
    await shard('foo', old);
    await conf()
      .collection('foo')
      .createIndex(key as Record<string, 1>);
    expect((await refusalOf(refine(key))).code).toBe(72);
  });

  test.each([
    [{ _id: 1 }, { _id: 1, aKey: 1 }, { _id: 1, aKey: 1, bKey: 1 }],
    [{ _id: 1 }, { _id: 1, aKey: 1 }, { _id: 1, aKey: 1 }],
    [{ _id: 'hashed' }, { _id: 'hashed', aKey: 1 }, { _id: 'hashed', aKey: 1 }],
    [{ _id: 1 }, { _id: 1, aKey: 'hashed' }, { _id: 1, aKey: 'hashed' }],
    [{ a: 1 }, { a: 1, 'b.c': 1 }, { a: 1, 'b.c': 1 }],
    [{ 'a.b': 1 }, { 'a.b': 1, c: 1 }, { 'a.b': 1, c: 1 }],
  ])('from %j to %j with an index on %j: documents stay, the epoch is new', async (old, key, index) => {
    await shard('foo', old);
    await conf()
      .collection('foo')
      .createIndex(index as Record<string, 1>);
    await conf().command({ insert: 'foo', documents: [{ _id: 12345 }] });
    const entry = () => cluster.router.client.db('config').collection('collections').findOne({});
    const before = await entry();
    await refine(key);
    const after = await entry();
    expect(after).toMatchObject({ key, unique: false, uuid: before?.uuid });
    expect(after?.lastmodEpoch).not.toEqual(before?.lastmodEpoch);
    expect(await conf().collection('foo').find().toArray()).toEqual([{ _id: 12345 }]);
  });

  test('unique stays what it was, and is asked of the index unless the check is off', async () => {
    await shard('foo', { a: 1 }, { unique: true });
    await conf().collection('foo').createIndex({ a: 1, b: 1, c: 1 });
    expect((await refusalOf(refine({ a: 1, b: 1 }))).code).toBe(72);
    await conf().collection('foo').drop();
    await conf().collection('foo').createIndex({ a: 1, b: 1 });
    await shard('foo', { a: 1 }, { unique: true, enforceUniquenessCheck: false });
    await refine({ a: 1, b: 1 }, { enforceUniquenessCheck: false });
    expect(await cluster.router.client.db('config').collection('collections').findOne({})).toMatchObject({
      unique: true,
    });
  });

  test('afterwards chunks are split, moved and merged by the whole key only, and missing fields count as null', async () => {
    const key = { a: 1, b: 1, c: 1, d: 1 };
    const at = (n: number | MinKey | MaxKey) => ({ a: n, b: n, c: n, d: n });
    const short = (n: number | MinKey | MaxKey) => ({ a: n, b: n });
    await shard('foo', { a: 1, b: 1 });
    await conf()
      .collection('foo')
      .createIndex(key as Record<string, 1>);
    for (const n of [0, 5]) await admin().command({ split: 'conf.foo', middle: short(n) });
    await conf().command({ insert: 'foo', documents: [short(-1), at(5)] });
    await refine(key);
    expect(await chunks('foo')).toEqual([
      'Min,Min,Min,Min..0,0,Min,Min sh0',
      '0,0,Min,Min..5,5,Min,Min sh0',
      '5,5,Min,Min..Max,Max,Max,Max sh0',
    ]);
    await refusalOf(admin().command({ split: 'conf.foo', middle: short(10) }));
    await admin().command({ split: 'conf.foo', middle: at(10) });
    await refusalOf(admin().command({ moveChunk: 'conf.foo', find: short(5), to: 'sh1' }));
    await admin().command({ moveChunk: 'conf.foo', find: at(5), to: 'sh1' });
    expect(
      await conf()
        .collection('foo')
        .findOne({ ...short(-1), c: null, d: null }),
    ).not.toBeNull();
    expect(await on(1).collection('foo').countDocuments()).toBe(1);
    const [low, high] = [new MinKey(), new MaxKey()];
    await refusalOf(admin().command({ mergeChunks: 'conf.foo', bounds: [short(low), short(high)] }));
    await admin().command({ moveChunk: 'conf.foo', find: at(5), to: 'sh0' });
    await admin().command({ mergeChunks: 'conf.foo', bounds: [at(low), at(high)] });
    expect(await chunks('foo')).toEqual(['Min,Min,Min,Min..Max,Max,Max,Max sh0']);
  });
});
