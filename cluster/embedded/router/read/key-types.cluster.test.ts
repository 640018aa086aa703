/** Reads of collections whose shard keys are of every type: jstests of the server under jstests/sharding. */
import { type Document, ObjectId } from 'bson';
import type { Collection, Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endAll } from '../../mongod.fixture.ts';
import { startCluster, type TestRouter, type TestSets } from '../cluster.fixture.ts';

let sets: TestSets;
let router: TestRouter;
let db: Db;
const admin = () => router.client.db('admin');

beforeAll(async () => {
  ({ sets, router } = await startCluster());
  db = router.client.db('conf');
  await admin().command({ enableSharding: 'conf', primaryShard: 'sh0' });
});
afterAll(endAll);

/** Documents, of which those from the fourth on are moved to the second shard. */
async function fill(
  name: string,
  key: Document,
  documents: readonly Document[],
  fourth: Document,
): Promise<Collection> {
  const ns = `conf.${name}`;
  await admin().command({ shardCollection: ns, key });
  await db.collection(name).insertMany([...documents].reverse());
  await admin().command({ split: ns, middle: fourth });
  await admin().command({ moveChunk: ns, find: fourth, to: 'sh1' });
  return db.collection(name);
}

const WORDS = ['allan', 'bob', 'eliot', 'joe', 'mark', 'sara'];
const PAIRS = [1, 2].flatMap((a) => [1.2, 3.5, 4.5].map((b) => ({ a, b })));

describe.each<[string, Document, string, readonly unknown[]]>([
  ['string', { k: 1 }, 'k', WORDS],
  ['double', { a: 1 }, 'a', [1.2, 3.5, 4.5, 4.6, 6.7, 9.9]],
  ['date', { a: 1 }, 'a', [1, 2, 3, 4, 5, 6].map((n) => new Date(n * 1_000_000))],
  ['string_id', { _id: 1 }, '_id', WORDS],
  ['embedded_1', { 'a.b': 1 }, 'a.b', WORDS],
  ['embedded_2', { 'a.b.c': 1 }, 'a.b.c', WORDS],
  ['object', { o: 1 }, 'o', PAIRS],
  ['compound', { 'o.a': 1, 'o.b': 1 }, 'o', PAIRS],
  ['oid_id', { _id: 1 }, '_id', [1, 2, 3, 4, 5, 6].map(() => new ObjectId())],
  ['oid_other', { o: 1 }, 'o', [1, 2, 3, 4, 5, 6].map(() => new ObjectId())],
])('key_many.js: %s', (name, key, path, values) => {
  const nested = (value: unknown) =>
    path.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), value) as Document;
  const dotted = (value: unknown): Document => {
    if (name !== 'compound') return { [path]: value };
    return Object.fromEntries(Object.entries(value as object).map(([part, one]) => [`o.${part}`, one]));
  };
  const keyOf = (document: Document): unknown => path.split('.').reduce((inner, part) => inner[part], document);
  const sort = (direction: 1 | -1) => Object.fromEntries(Object.keys(key).map((field) => [field, direction]));
  let coll: Collection;

  beforeAll(async () => {
    coll = await fill(name, key, values.map(nested), dotted(values[3]));
  });

  test('three documents are on each shard, six are found', async () => {
    for (const { client } of sets.shards) expect(await client.db('conf').collection(name).countDocuments()).toBe(3);
    expect(await coll.countDocuments({})).toBe(6);
    const { count, shards } = await db.command({ collStats: name });
    expect([count, shards.sh0.count, shards.sh1.count]).toEqual([6, 3, 3]);
  });

  test('in the order of the key, forward and back, and by $in', async () => {
    expect((await coll.find().sort(sort(1)).toArray()).map(keyOf)).toEqual(values);
    expect((await coll.find().sort(sort(-1)).toArray()).map(keyOf)).toEqual([...values].reverse());
    const some = name === 'compound' ? { 'o.a': { $in: [1, 2] } } : { [path]: { $in: values } };
    expect((await coll.find(some).sort(sort(1)).toArray()).map(keyOf)).toEqual(values);
  });

  test('by $or two, by $nor the other four', async () => {
    const two = [dotted(values[2]), dotted(values[4])];
    expect(await coll.find({ $or: two }).toArray()).toHaveLength(2);
    expect(await coll.find({ $nor: two }).toArray()).toHaveLength(4);
    expect((await db.command({ count: name, query: { $nor: two } })).n).toBe(4);
  });

  test('updates of one and of all', async () => {
    await coll.updateOne(dotted(values[3]), { $set: { xx: 17 } });
    const [changed] = await coll.find({ xx: 17 }).toArray();
    expect(keyOf(changed as Document)).toEqual(values[3]);
    await coll.updateOne(dotted(values[3]), { $set: { xx: 17 } }, { upsert: true });
    await coll.updateMany({}, { $inc: { xx: 1 } });
    const sum = (await coll.find().toArray()).reduce((all, { xx }) => all + xx, 0);
    expect(sum).toBe(23);
  });
});

describe('count1.js', () => {
  const NAMES = ['eliot', 'sara', 'bob', 'joe', 'mark', 'allan'];
  const sorted = [...NAMES].sort();
  let coll: Collection;
  beforeAll(async () => {
    coll = await fill(
      'count',
      { name: 1 },
      NAMES.map((name, i) => ({ _id: i + 1, name })),
      { name: 'joe' },
    );
  });
  const names = async (options: object) => (await coll.find({}, options).toArray()).map(({ name }) => name);

  test('find by sort, skip and limit', async () => {
    expect(await names({ sort: { name: 1 } })).toEqual(sorted);
    expect(await names({ sort: { name: -1 } })).toEqual([...sorted].reverse());
    expect(await names({ sort: { name: 1 }, limit: 2 })).toEqual(['allan', 'bob']);
    expect(await names({ sort: { name: 1 }, skip: 1, limit: 2 })).toEqual(['bob', 'eliot']);
    expect(await names({ sort: { name: 1 }, skip: 3, limit: 2 })).toEqual(['joe', 'mark']);
    expect(await names({ sort: { _id: 1 }, limit: 2 })).toEqual(['eliot', 'sara']);
    expect(await names({ sort: { _id: 1 }, skip: 3, limit: 2 })).toEqual(['joe', 'mark']);
  });

  test('counts of find and of count with skip and limit', async () => {
    for (const [options, n] of [
      [{ limit: 2 }, 2],
      [{ skip: 2, limit: 2 }, 2],
      [{ skip: 5, limit: 2 }, 1],
    ] as const) {
      expect(await names(options)).toHaveLength(n);
      expect((await db.command({ count: 'count', ...options })).n).toBe(n);
    }
    expect((await db.command({ count: 'count' })).n).toBe(6);
  });

  test('a range of new documents on one shard, skipped in part', async () => {
    await coll.insertMany(Array.from({ length: 10 }, (_, i) => ({ _id: (7 + i) as never, name: `zzz${i}` })));
    const found = (options: object) => coll.find({ name: { $gt: 'z' } }, { sort: { _id: 1 }, ...options }).toArray();
    expect(await found({})).toHaveLength(10);
    expect(await found({ skip: 5 })).toHaveLength(5);
    expect(await found({ skip: 5, limit: 3 })).toHaveLength(3);
  });
});
