/** Shard keys and the indexes that they need and allow. */
import { MinKey } from 'bson';
import { beforeEach, describe, expect, test } from 'vitest';
import { chunksOf, refusalOf, useDatabase } from '../cluster.fixture.ts';

const { cluster, admin, conf, on } = useDatabase();
const shard = (collection: string, key: object, options = {}) =>
  admin().command({ shardCollection: `conf.${collection}`, key, ...options });

const chunks = (collection: string) => chunksOf(cluster.router, `conf.${collection}`);
const indexNames = async (collection: string, which = 0): Promise<string[]> =>
  (await on(which).collection(collection).indexes()).map(({ name = '' }) => name);

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
    expect(Object.keys(raw).sort()).toEqual(cluster.sets.shards.map(({ connectionString }) => connectionString).sort());
    expect(await indexNames('c', 1)).toContain('uid_email');
  });

  // G1 G2 K7 X5
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

test('index_commands_shard_targeting.js: indexes are made where chunks are and on the primary shard, dropped where chunks are', async () => {
  await shard('c', { _id: 1 });
  await admin().command({ moveRange: 'conf.c', min: { _id: new MinKey() }, toShard: 'sh1' });
  await conf().command({ createIndexes: 'c', indexes: [{ key: { x: 1 }, name: 'x_1' }] });
  expect([await indexNames('c', 0), await indexNames('c', 1)]).toEqual([
    ['_id_', 'x_1'],
    ['_id_', 'x_1'],
  ]);
  expect(await conf().command({ dropIndexes: 'c', index: 'x_1' })).toMatchObject({ nIndexesWas: 2 });
  expect([await indexNames('c', 0), await indexNames('c', 1)]).toEqual([['_id_', 'x_1'], ['_id_']]);
});

// K2 K3
describe('dropIndexes on a sharded collection', () => {
  const drop = (collection: string, index: unknown) => conf().command({ dropIndexes: collection, index });
  const last = { code: 370, message: "Cannot drop the only compatible index for this collection's shard key" };

  test('shard_key_index_must_exist.js: keeps the last index that fits the shard key', async () => {
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

test('what a sharding that was cut short has left on another shard does not stay', async () => {
  await on(1).collection('h').createIndex({ email: 1 }, { unique: true });
  await shard('h', { k: 'hashed' });
  expect(await indexNames('h', 1)).toEqual(['_id_', 'k_hashed']);
});

describe('the index of the shard key', () => {
  const documents = Array.from({ length: 30 }, (_, num) => ({ num, x: 1 }));
  const UNIQUE = { unique: true };

  // The jstest's own numbers; where it shards, the indexes there are afterwards.
  test.each([
    [0, { x: 1 }, {}, [[{ num: 1 }, UNIQUE], [{ x: 1 }]], undefined],
    [1, { x: 1 }, {}, [[{ x: 1 }], [{ x: 1, num: 1 }, UNIQUE]], ['x_1', 'x_1_num_1']],
    [2, { x: 1 }, {}, [[{ x: 1 }], [{ x: 1, num: 1 }]], ['x_1', 'x_1_num_1']],
    [
      3,
      { num: 1 },
      UNIQUE,
      [
        [{ num: 1 }, UNIQUE],
        [{ num: 1, x: 1 }, UNIQUE],
      ],
      ['num_1', 'num_1_x_1'],
    ],
    [4, { _id: 1 }, UNIQUE, [[{ _id: 1, num: 1 }, UNIQUE]], ['_id_1_num_1']],
    [5, { _id: 1, num: 1 }, UNIQUE, [[{ _id: 1, num: 1 }, UNIQUE]], ['_id_1_num_1']],
    [6, { num: 1 }, UNIQUE, 'empty', [[{ num: 1, _id: 1 }, UNIQUE]], ['num_1__id_1', 'num_1!']],
    [7, { num: 1 }, {}, 'empty', [], ['num_1']],
    [8, { num: 1 }, UNIQUE, 'empty', [], ['num_1!']],
    [9, { x: 1 }, {}, [[{ num: 1 }, UNIQUE], [{ x: 1 }]], undefined],
    ['10, without an index', { num: 1 }, {}, [], undefined],
    [10, { num: 1 }, {}, [[{ num: 1, x: 1 }]], ['num_1_x_1']],
    [11, { num: 1 }, {}, 'empty', [[{ num: 1, x: 1 }]], ['num_1_x_1']],
    [12, { num: 1 }, {}, { num: 100, x: [2, 3] }, [[{ num: 1, x: 1 }]], undefined],
    [13, { num: 1 }, {}, { num: [100, 200], x: 10 }, [[{ num: 1, x: 1 }]], undefined],
    [14, { num: 1 }, {}, { num: 100, x: 10, y: [1, 2] }, [[{ num: 1, x: 1, y: 1 }]], undefined],
  ] as unknown as IndexCase[])('index1.js, test # %s', async (_, key, options, ...rest) => {
    const expected = rest.pop();
    const indexes = rest.pop() as [Record<string, 1>, object?][];
    const [more] = rest;
    if (more !== 'empty') await conf().command({ insert: 'foo', documents });
    if (more && more !== 'empty') await conf().command({ insert: 'foo', documents: [more] });
    for (const [index, how] of indexes) await conf().collection('foo').createIndex(index, how);
    if (!expected) return expect((await refusalOf(shard('foo', key, options))).code).toBe(72);
    await shard('foo', key, options);
    const made = (await on(0).collection('foo').indexes()).filter(({ name }) => name !== '_id_');
    const isGiven = (name = '') =>
      indexes.some(
        ([index]) =>
          name ===
          Object.keys(index)
            .map((field) => `${field}_1`)
            .join('_'),
      );
    expect(made.map(({ name, unique }) => (unique && !isGiven(name) ? `${name}!` : name))).toEqual(expected);
  });

  type IndexCase = [number | string, Record<string, 1>, object, ...unknown[]];

  test.each(['before', 'after'])(
    'hash_shard_unique_compound.js: next to a hashed key a unique index may begin with its field, made %s sharding',
    async (when) => {
      const unique = () => conf().collection('foo').createIndex({ a: 1, b: 1 }, UNIQUE);
      if (when === 'before') await unique();
      await shard('foo', { a: 'hashed' });
      if (when === 'after') await unique();
      await conf().command({ insert: 'foo', documents: [{ a: 1, b: 1 }] });
      expect((await refusalOf(conf().collection('foo').insertOne({ a: 1, b: 1 }))).code).toBe(11000);
      for (const which of [0, 1]) expect(await indexNames('foo', which)).toContain('a_1_b_1');
    },
  );

  describe('shard_collection_basic.js', () => {
    const KEYS = [{ a: 1 }, { a: 'hashed' }, { a: 1, b: 1 }, { 'z.x': 1 }, { 'z.x': 'hashed' }] as const;

    test.each(KEYS)('%j: without documents any time, with documents only with an index', async (key) => {
      await shard('empty', key);
      await conf().command({ insert: 'foo', documents: [{ a: 1, b: 1 }] });
      expect((await refusalOf(shard('foo', key))).code).toBe(72);
      await conf().collection('foo').createIndex(key);
      await shard('foo', key);
    });

    test.each([{ a: 1 }, { a: 1, b: 1 }])('%j: not where an index on it is multikey', async (key) => {
      await conf()
        .collection('foo')
        .createIndex(key as Record<string, 1>);
      await conf().command({ insert: 'foo', documents: [{ a: [1, 2, 3], b: 1 }] });
      expect((await refusalOf(shard('foo', key))).code).toBe(72);
    });

    test.each([
      [{ key: 'aaa' }, 14],
      [{ key: { aKey: 'hahahashed' } }, 2],
      [{ key: { _id: { a: 1 } } }, 2],
      [{ key: { _id: { 'a.b': 1 } } }, 2],
      [{ key: { x: 'hashed', y: 'hashed' } }, 2],
      [{ key: { aKey: 'hashed' }, unique: true }, 72],
      [{ key: { _id: 1 }, collation: true }, 14],
      [{ key: { _id: 1 }, collation: { locale: 'en_US' } }, 2],
    ])('%j is refused', async (options, code) => {
      expect((await refusalOf(admin().command({ shardCollection: 'conf.foo', ...options }))).code).toBe(code);
      expect(await chunks('foo')).toEqual([]);
    });

    test('a name may have 235 bytes', async () => {
      const name = 'x'.repeat(235 - 'conf.'.length);
      await shard(name, { _id: 1 });
      expect((await refusalOf(shard(`${name}x`, { _id: 1 }))).code).toBe(73);
    });

    test('a dotted path is a key, and the simple collation is the same as none', async () => {
      await shard('dotted', { '_id.a': 1 });
      for (const options of [{}, {}, { collation: { locale: 'simple' } }]) await shard('foo', { _id: 1 }, options);
      expect((await refusalOf(shard('foo', { x: 1 }))).code).toBe(23);
      expect((await refusalOf(shard('foo', { _id: 1 }, { unique: true }))).code).toBe(23);
    });

    test('a unique key wants an index on it to be unique', async () => {
      await conf().collection('foo').createIndex({ aKey: 1 });
      expect((await refusalOf(shard('foo', { aKey: 1 }, UNIQUE))).code).toBe(72);
    });

    describe('in a collection of another collation', () => {
      const simple = { collation: { locale: 'simple' } };
      beforeEach(async () => {
        await conf().createCollection('foo', { collation: { locale: 'en_US' } });
      });

      test('the simple one has to be asked for, and the index gets it', async () => {
        expect((await refusalOf(shard('foo', { a: 1 }))).code).toBe(2);
        expect((await refusalOf(shard('foo', { a: 1 }, { collation: { locale: 'en_US' } }))).code).toBe(2);
        await shard('foo', { a: 1 }, simple);
        const index = (await conf().collection('foo').indexes()).find(({ name }) => name === 'a_1');
        expect(index?.collation).toEqual({ locale: 'simple' });
      });

      test('_id cannot be the key', async () => {
        expect((await refusalOf(shard('foo', { _id: 1 }, simple))).code).toBeDefined();
        expect(await chunks('foo')).toEqual([]);
      });

      test('an index of that collation does not serve documents', async () => {
        await conf().command({ insert: 'foo', documents: [{ a: 'foo' }] });
        await conf().collection('foo').createIndex({ a: 1 });
        expect((await refusalOf(shard('foo', { a: 1 }, simple))).code).toBe(72);
      });
    });

    test('of two indexes on the key one with the simple collation is enough', async () => {
      const collation = { locale: 'en_US' };
      await conf().collection('foo').createIndex({ a: 1 }, { collation, name: 'a_1' });
      expect((await refusalOf(shard('foo', { a: 1 }))).code).toBeDefined();
      await conf().collection('foo').createIndex({ a: 1 }, { name: 'a_1_simple' });
      await shard('foo', { a: 1 });
    });
  });
});
