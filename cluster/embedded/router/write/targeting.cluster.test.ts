/** Writes whose query names the shard key, the `_id`, or neither: jstests of the server under jstests/sharding, with the answers of 9.0. */
import { type Document, Long, MinKey, ObjectId, UUID } from 'bson';
import type { Collection, Db } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endAll } from '../../mongod.fixture.ts';
import { decodePlain, encode } from '../../wire/bson.ts';
import { Peer } from '../../wire/client.ts';
import { refusalOf, startCluster, type TestRouter, type TestSets } from '../cluster.fixture.ts';

let sets: TestSets;
let router: TestRouter;
let db: Db;
let wire: Peer;
const admin = () => router.client.db('admin');

beforeAll(async () => {
  ({ sets, router } = await startCluster());
  wire = new Peer(`127.0.0.1:${router.port}`);
  db = router.client.db('conf');
  await admin().command({ enableSharding: 'conf', primaryShard: 'sh0' });
});
afterAll(async () => {
  wire.close();
  await endAll();
});

/** A collection whose documents from `middle` on are on the second shard. */
async function shard(name: string, key: Document, middle: Document, options: Document = {}): Promise<Collection> {
  const ns = `conf.${name}`;
  await db.collection(name).drop();
  await admin().command({ shardCollection: ns, key, ...options });
  if (Object.values(key).includes('hashed')) return db.collection(name); // parted at 0 from the beginning
  await admin().command({ split: ns, middle });
  await admin().command({ moveChunk: ns, find: middle, to: 'sh1' });
  return db.collection(name);
}

/** What each shard holds, asked of it directly. */
async function held(name: string, filter: Document = {}): Promise<Document[][]> {
  const on = sets.shards.map(({ client }) =>
    client.db('conf').collection(name).find(filter).sort({ _id: 1 }).toArray(),
  );
  return Promise.all(on);
}

describe.each([
  ['a range', { key: 1 }],
  ['a hash', { key: 'hashed' }],
])('update_sharded.js: %s', (_, key) => {
  let coll: Collection;
  beforeAll(async () => {
    coll = await shard('update', key, { key: 0 });
  });

  test('upserts, replacements and updates by the key', async () => {
    await coll.insertOne({ _id: 1 as never, key: 1 });
    await coll.replaceOne({ _id: 2 as never }, { key: 2 }, { upsert: true });
    await coll.updateOne({ _id: 3 as never, key: 3 }, { $set: { foo: 'bar' } }, { upsert: true });
    expect(await coll.countDocuments({})).toBe(3);
    expect(await coll.findOne({ _id: 3 as never })).toEqual({ _id: 3, key: 3, foo: 'bar' });
    for (const n of [1, 2, 3]) await coll.replaceOne({ _id: n as never, key: n }, { key: n, other: n });
    expect(await coll.find().sort({ key: 1 }).toArray()).toEqual([1, 2, 3].map((n) => ({ _id: n, key: n, other: n })));
    await coll.updateOne({ key: 17 }, { $inc: { x: 5 } }, { upsert: true });
    await coll.updateMany({ key: 18 }, { $inc: { x: 5 } }, { upsert: true });
    expect(await coll.find({ x: 5 }, { projection: { _id: 0 }, sort: { key: 1 } }).toArray()).toEqual([
      { key: 17, x: 5 },
      { key: 18, x: 5 },
    ]);
  });

  test.each<[string, () => Document]>([
    ['_id', () => ({ _id: new ObjectId() })],
    ['_id by $eq', () => ({ _id: { $eq: new ObjectId() } })],
    ['_id by $in', () => ({ _id: { $in: [new ObjectId()] } })],
    ['_id in $or', () => ({ $or: [{ _id: new ObjectId() }] })],
    ['two of _id in $or', () => ({ $or: [{ _id: new ObjectId() }, { _id: new ObjectId() }] })],
    ['two of _id in $and', () => ({ $and: [{ _id: new ObjectId() }, { _id: new ObjectId() }] })],
    ['a part of _id', () => ({ '_id.x': new ObjectId() })],
    ['the key', () => ({ key: new ObjectId() })],
    ['the key by $all', () => ({ key: { $all: [new ObjectId()] } })],
    ['a part of the key', () => ({ 'key.x': new ObjectId() })],
    ['contradicting keys', () => ({ $and: [{ key: -1 }, { key: -2 }] })],
    ['a part of _id with the key', () => ({ '_id.x': new ObjectId(), key: 100 })],
  ])('an update of one document that matches nothing: %s', async (_name, filter) => {
    expect(await coll.updateOne(filter(), { $set: { x: 1 } })).toMatchObject({ matchedCount: 0, modifiedCount: 0 });
  });

  // Refused until 7.0; a two-phase write since 7.1.
  test.each<[string, Document]>([
    ['everything', {}],
    ['a range of the key', { key: { $gt: new MinKey() } }],
    ['keys of two shards', { $or: [{ key: -10 }, { key: 2 }] }],
    ['a range of _id', { _id: { $gt: 0 } }],
  ])('an update of one document that several shards may hold: %s', async (name, filter) => {
    expect(await coll.updateOne(filter, { $set: { only: name } })).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
    expect(await coll.countDocuments({ only: name })).toBe(1);
  });
});

describe('upsert_sharded.js', () => {
  /** The document that an upsert makes in an empty collection. */
  async function upserted(coll: Collection, query: Document, update: Document): Promise<Document | null> {
    await coll.deleteMany({});
    await coll.updateOne(query, update, { upsert: true });
    return coll.findOne({}, { projection: { _id: 0 } });
  }

  describe('with the key {x: 1}', () => {
    let coll: Collection;
    beforeAll(async () => {
      coll = await shard('upsert', { x: 1 }, { x: 0 });
    });

    test.each([
      { x: 1 },
      { x: { $eq: 1 } },
      { x: { $all: [1] } },
      { x: { $in: [1] } },
      { $and: [{ x: { $eq: 1 } }] },
      { $or: [{ x: { $eq: 1 } }] },
    ])('%j fixes the key, and the document gets it', async (query) => {
      const document = await upserted(coll, query, { $set: { a: 1 } });
      expect(document).toMatchObject({ a: 1, x: 1 });
      expect((await held('upsert')).map(({ length }) => length)).toEqual([0, 1]);
    });

    // Refused until 7.0, since the query fixes no key; the update or null does since 7.1.
    test.each([
      [{}, { $set: { a: 1, x: 1 } }, { a: 1, x: 1 }, [0, 1]],
      [{ x: { $gt: 1 } }, { $set: { a: 1, x: 1 } }, { a: 1, x: 1 }, [0, 1]],
      [{ 'x.x': { $eq: 1 } }, { $set: { a: 1 } }, { x: { x: 1 }, a: 1 }, [0, 1]],
      [{ y: 1 }, { $set: { a: 1 } }, { y: 1, a: 1 }, [1, 0]],
    ])('%j with %j', async (query, update, document, counts) => {
      expect(await upserted(coll, query, update)).toEqual(document);
      expect((await held('upsert')).map(({ length }) => length)).toEqual(counts);
    });

    test('an array as the key is refused', async () => {
      expect(await refusalOf(upserted(coll, { x: [1, 2] }, { $set: { a: 1 } }))).toMatchObject({ code: 61 });
      expect(await coll.countDocuments({})).toBe(0);
    });
  });

  describe("with the key {'x.x': 1}", () => {
    let coll: Collection;
    beforeAll(async () => {
      coll = await shard('nested', { 'x.x': 1 }, { 'x.x': 0 });
    });

    test.each([
      [{ 'x.x': 1 }, { x: 1 }],
      [{ 'x.x': { $eq: 1 } }, { x: 1 }],
      [{ 'x.x': { $all: [1] } }, { x: 1 }],
      [{ $and: [{ 'x.x': { $eq: 1 } }] }, { x: 1 }],
      [{ $or: [{ 'x.x': { $eq: 1 } }] }, { x: 1 }],
      [
        { 'x.x': 1, 'x.y': 1 },
        { x: 1, y: 1 },
      ],
      [
        { 'x.x': 1, 'x.y.z': 1 },
        { x: 1, y: { z: 1 } },
      ],
    ])('%j makes x to %j', async (query, x) => {
      expect(await upserted(coll, query, { $set: { a: 1 } })).toMatchObject({ x, a: 1 });
    });

    test.each([{ 'x.x': [] }, { x: { x: [] } }, { x: [{ x: 1 }] }])(
      '%j holds an array, at some level',
      async (query) => {
        expect((await refusalOf(upserted(coll, query, { $set: { a: 1 } }))).code).toBe(61);
      },
    );
  });
});

test('findandmodify1.js: every document of chunks on two shards is changed once, then removed once', async () => {
  const coll = await shard('stuff', { _id: 1 }, { _id: 10 });
  const ids = Array.from({ length: 20 }, (_, i) => i);
  for (const i of [2, 6, 14, 18]) await admin().command({ split: 'conf.stuff', middle: { _id: i } });
  for (const i of [2, 14]) {
    await admin().command({ moveChunk: 'conf.stuff', find: { _id: i }, to: i === 2 ? 'sh1' : 'sh0' });
  }
  await coll.insertMany(ids.map((_id) => ({ _id }) as never));
  for (const i of ids) {
    expect(await coll.findOneAndUpdate({ _id: i as never, b: null }, { $set: { b: 1 } })).toEqual({ _id: i });
    expect(await coll.countDocuments({ b: 1 })).toBe(i + 1);
  }
  for (const i of ids) {
    expect(await coll.findOneAndDelete({ _id: i as never })).toEqual({ _id: i, b: 1 });
    expect(await coll.countDocuments({})).toBe(19 - i);
  }
});

describe('bulk_insert.js', () => {
  let coll: Collection;
  beforeAll(async () => {
    coll = await shard('bulk', { ukey: 1 }, { ukey: 0 }, { unique: true });
  });
  const keys = (...ukeys: (number | undefined)[]) =>
    ukeys.map((ukey) => (ukey === undefined ? { hello: 'world' } : { ukey }));

  test.each([
    ['to one shard', keys(0, 1), 2],
    ['with a document without the key', keys(0, undefined, 1), 3],
    ['to two shards', keys(0, -1), 2],
    ['to one, the other and the first again', keys(0, 1, -1, undefined), 4],
  ])('%s', async (_, documents, inserted) => {
    await coll.deleteMany({});
    await coll.insertMany(documents as never);
    expect(await coll.find().toArray()).toHaveLength(inserted);
  });

  test.each([
    ['in order', keys(0, 0, 1), true, 1, 1],
    ['in order, on the second shard', keys(0, 1, -1, -2, -2), true, 4, 4],
    ['in order, back on the first shard', keys(0, 1, -2, -3, 4, 4, undefined), true, 5, 5],
    ['unordered', keys(0, 0, 1), false, 2, 1],
    ['unordered, over both shards', keys(0, 1, -2, -3, 4, 4, undefined), false, 6, 5],
  ])('with a duplicate %s', async (_, documents, ordered, inserted, index) => {
    await coll.deleteMany({});
    const error = await coll.insertMany(documents as never, { ordered }).catch((thrown) => thrown);
    expect(error.writeErrors.map((one: { index: number; code: number }) => [one.index, one.code])).toEqual([
      [index, 11000],
    ]);
    expect(error.insertedCount).toBe(inserted);
    expect(await coll.find().toArray()).toHaveLength(inserted);
  });
});

test('multi_write_target.js: writes of many reach every shard, a write by _id every one that has it', async () => {
  const coll = await shard('multi', { skey: 1 }, { skey: 0 });
  const fill = () =>
    coll.insertMany([
      { _id: 0, skey: -1, x: 1 },
      { _id: 1, skey: 1, x: 1 },
      { _id: 0, skey: 100, x: 1 },
    ] as never);
  await fill();
  expect(await coll.updateMany({ x: 1 }, { $set: { updated: true } })).toMatchObject({ modifiedCount: 3 });
  await coll.updateOne({ _id: 0 as never }, { $set: { updatedById: true } });
  const byId = await held('multi', { updatedById: true });
  expect(byId.map((documents) => documents.map(({ skey }) => skey))).toEqual([[-1], [100]]);
  expect(await coll.deleteMany({ x: 1 })).toMatchObject({ deletedCount: 3 });
  await fill();
  await coll.deleteOne({ _id: 0 as never });
  expect(await held('multi', { x: 1 })).toMatchObject([[], [{ _id: 1 }]]);
});

describe('updateOne_without_shard_key', () => {
  let coll: Collection;
  beforeAll(async () => {
    coll = await shard('without', { x: 1 }, { x: 0 });
  });
  beforeEach(async () => {
    await coll.deleteMany({});
  });

  /** A command as it is, alone or as a retryable write. */
  const send = async (command: Document, retryable: boolean): Promise<Document> => {
    const session = retryable ? { lsid: { id: new UUID() }, txnNumber: Long.ZERO } : {};
    return decodePlain(await wire.send(encode({ ...command, ...session, $db: 'conf' })));
  };

  describe.each([
    ['alone', false],
    ['retryable', true],
  ])('%s', (_, retryable) => {
    const BAD = { q: { y: { $match: 5 } }, limit: 1 };
    const GOOD = { q: { y: 5 }, limit: 1 };

    test.each([
      ['an unknown modifier', { updates: [{ q: { y: 5 }, u: { $match: { z: 0 } } }] }, [[0, 9]]],
      [
        'one before a good update, in order',
        {
          updates: [
            { q: { y: 5 }, u: { $match: { z: 0 } } },
            { q: { y: 5 }, u: { $set: { a: 0 } } },
          ],
        },
        [[0, 9]],
      ],
      [
        'three, unordered',
        {
          updates: [
            { q: { y: { $match: 5 } }, u: { $set: { z: 0 } } },
            { q: { y: 5 }, u: { $match: { z: 0 } } },
            { q: { y: 5 }, u: { $match: { z: 0 } } },
          ],
          ordered: false,
        },
        [
          [0, 2],
          [1, 9],
          [2, 9],
        ],
      ],
      ['a bad query of a delete', { deletes: [BAD] }, [[0, 2]]],
      ['one behind a good delete, in order', { deletes: [GOOD, BAD] }, [[1, 2]]],
      [
        'two around a good delete, unordered',
        { deletes: [BAD, GOOD, BAD], ordered: false },
        [
          [0, 2],
          [2, 2],
        ],
      ],
    ])('errors.js: %s', async (_name, command: Document, errors) => {
      await coll.insertMany([-2, 2, 3].map((x) => ({ x, y: 5 })));
      const name = command.updates ? 'update' : 'delete';
      const { writeErrors } = await send({ [name]: 'without', ...command }, retryable);
      expect(writeErrors.map(({ index, code }: Document) => [index, code])).toEqual(errors);
    });

    test('errors.js: an unknown modifier of findAndModify', async () => {
      await coll.insertMany([-2, 2, 3].map((x) => ({ x, y: 5 })));
      const command = { findAndModify: 'without', query: { y: 5 }, update: { $match: { y: 3 } } };
      expect(await send(command, retryable)).toMatchObject({ ok: 0, code: 9 });
    });

    test.each([
      ['one, documents on two shards', [-1, 1], [{ y: 2 }], 1],
      ['two, documents on two shards', [-1, 1], [{ y: 2 }, { y: 2 }], 2],
      ['by the key and without, documents on two shards', [-1, 1], [{ x: -1 }, { y: 2 }, { x: 1 }, { y: 2 }], 2],
      ['one, documents on one shard', [-1, -2], [{ y: 2 }], 1],
      ['two, documents on one shard', [-1, -2], [{ y: 2 }, { y: 2 }], 2],
      ['by the key and without, documents on one shard', [-1, -2], [{ x: -1 }, { y: 2 }, { x: -2 }, { y: 2 }], 2],
    ])('deleteOne_without_shard_key_basic.js: %s', async (_name, xs, queries, n) => {
      for (const ordered of [true, false]) {
        await coll.deleteMany({});
        await coll.insertMany(xs.map((x) => ({ x, y: 2 })));
        const deletes = queries.map((q) => ({ q, limit: 1 }));
        expect(await send({ delete: 'without', deletes, ordered }, retryable)).toMatchObject({ ok: 1, n });
        expect(await coll.countDocuments({})).toBe(2 - n);
      }
    });

    test.each([
      [1, { x: -2 }],
      [-1, { x: 2 }],
    ])('find_and_modify_without_shard_key_sort.js: by {x: %d}', async (x, value) => {
      await coll.insertMany([-2, -1, 1, 2].map((n) => ({ x: n, y: 1 })));
      const command = { findAndModify: 'without', query: { y: 1 }, sort: { x }, update: { $set: { z: 4 } } };
      expect(await send(command, retryable)).toMatchObject({ lastErrorObject: { n: 1, updatedExisting: true }, value });
      expect(await coll.find({ z: 4 }).toArray()).toMatchObject([value]);
    });
  });

  test.each([true, false])(
    'would_change_owning_shard_test.js: an update moves the document (ordered: %s)',
    async (ordered) => {
      await coll.insertOne({ x: -2, y: 1 });
      const update = { update: 'without', updates: [{ q: { y: 1 }, u: { x: 2, y: 1 } }], ordered };
      expect(await send(update, true)).toMatchObject({ n: 1, nModified: 1 });
      expect(await held('without')).toMatchObject([[], [{ x: 2, y: 1 }]]);
    },
  );

  test('would_change_owning_shard_test.js: findAndModify moves the document', async () => {
    await coll.insertOne({ x: -2, y: 1 });
    const command = { findAndModify: 'without', query: { y: 1 }, update: { x: 2, y: 1 } };
    expect(await send(command, true)).toMatchObject({ lastErrorObject: { n: 1, updatedExisting: true } });
    expect(await held('without')).toMatchObject([[], [{ x: 2, y: 1 }]]);
  });
});
