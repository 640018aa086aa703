/** Reads through the router must be what a single engine that holds every document answers. */
import { Decimal128, type Document, EJSON, Long } from 'bson';
import type { Collection as AnyCollection, Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endAll } from '../../mongod.fixture.ts';
import { refusalOf, startCluster, type TestRouter, type TestSet, type TestSets } from '../cluster.fixture.ts';

type Row = Document & { _id: number };
type Collection = AnyCollection<Row>;

let sets: TestSets;
let router: TestRouter;
let db: Db;

/** Half of them on each shard. */
const DOCUMENTS: Document[] = Array.from({ length: 300 }, (_, i) => ({
  _id: i,
  uid: i % 100,
  g: i % 7,
  x: ((i * 7919) % 101) / 2,
  s: ['a', 'B', 'c', 'A', 'b'][i % 5],
  tags: [`t${i % 3}`, `t${i % 4}`],
  d: new Date(i * 1e6),
  n: i % 10 === 0 ? null : i,
  m: i % 3 ? i : Long.fromNumber(i),
  dec: Decimal128.fromString(String(i / 4)),
  at: [((i * 7) % 300) / 10, 0],
  sub: { a: i % 5, b: [i % 2, { c: i % 3 }] },
  ...(i % 11 ? { opt: i % 4 } : {}),
}));

beforeAll(async () => {
  ({ sets, router } = await startCluster());
  db = router.client.db('reads');
  const admin = router.client.db('admin');
  await admin.command({ enableSharding: 'reads', primaryShard: 'sh0' });
  await admin.command({ enableSharding: 'elsewhere', primaryShard: 'sh1' });
  await admin.command({ shardCollection: 'reads.sharded', key: { uid: 1 } });
  await admin.command({ split: 'reads.sharded', middle: { uid: 50 } });
  await admin.command({ moveChunk: 'reads.sharded', find: { uid: 50 }, to: 'sh1' });
  await db.collection('sharded').insertMany(DOCUMENTS);
  await db.collection('whole').insertMany(DOCUMENTS);
  await Promise.all(['sharded', 'whole'].map((name) => db.collection(name).createIndex({ at: '2dsphere' })));
  await db
    .collection('groups')
    .insertMany(Array.from({ length: 7 }, (_, _id) => ({ _id: _id as never, name: `g${_id}` })));
});
afterAll(endAll);

/** What a read answers on the sharded collection and on the unsharded copy, types included. */
async function both(read: (collection: Collection) => Promise<unknown>): Promise<[sharded: string, whole: string]> {
  const answers = ['sharded', 'whole'].map(async (name) => {
    try {
      return EJSON.stringify(await read(db.collection<Row>(name)), { relaxed: false });
    } catch (error) {
      const { code, message } = error as { code: number; message: string };
      return `${code} ${message.replaceAll(`reads.${name}`, 'reads.<collection>')}`;
    }
  });
  const [sharded = '', whole = ''] = await Promise.all(answers);
  return [sharded, whole];
}

test('the documents lie on both shards', async () => {
  const counts = sets.shards.map(({ client }) => client.db('reads').collection('sharded').countDocuments());
  expect(await Promise.all(counts)).toEqual([150, 150]);
});

describe('an aggregation answers what a single engine answers', () => {
  const byId = { $sort: { _id: 1 } };
  const pipelines: Document[][] = [
    [{ $match: { uid: { $gt: 40 } } }, byId],
    [{ $match: { uid: 7 } }, byId],
    [{ $match: { uid: { $in: [3, 77] } } }, { $group: { _id: '$uid', n: { $sum: 1 } } }, byId],
    [{ $match: { $or: [{ uid: 1 }, { uid: 98 }] } }, byId, { $project: { uid: 1 } }],
    [{ $sort: { x: -1, _id: 1 } }, { $skip: 10 }, { $limit: 5 }],
    [{ $sort: { x: -1, _id: 1 } }, { $limit: 20 }, { $skip: 15 }, { $project: { x: 1 } }],
    [
      { $sort: { _id: -1 } },
      { $match: { g: 3 } },
      { $unwind: '$tags' },
      { $addFields: { q: { $concat: ['$s', '$tags'] } } },
    ],
    [byId, { $limit: 10 }, { $match: { g: 3 } }],
    [byId, { $limit: 10 }, { $unwind: '$tags' }],
    [byId, { $skip: 295 }],
    [{ $sort: { s: 1, _id: 1 } }, { $limit: 12 }, { $project: { s: 1 } }],
    [{ $sort: { 'sub.b': 1, _id: 1 } }, { $limit: 25 }, { $project: { _id: 1 } }],
    [{ $sort: { dec: -1 } }, { $limit: 3 }],
    [{ $project: { _id: 0, v: '$n' } }, { $sort: { v: 1 } }, { $limit: 40 }],
    [{ $skip: 290 }, { $count: 'n' }],
    [{ $limit: 17 }, { $count: 'n' }],
    [{ $limit: 17 }, { $skip: 20 }, { $count: 'n' }],
    [
      {
        $group: {
          _id: '$g',
          n: { $sum: 1 },
          sum: { $sum: '$x' },
          avg: { $avg: '$m' },
          min: { $min: '$x' },
          max: { $max: '$d' },
          dec: { $sum: '$dec' },
        },
      },
      byId,
    ],
    [{ $group: { _id: '$g', d: { $stdDevPop: '$x' } } }, { $project: { d: { $round: ['$d', 9] } } }, byId],
    [
      { $group: { _id: '$g', set: { $addToSet: '$s' }, c: { $count: {} } } },
      { $project: { c: 1, set: { $sortArray: { input: '$set', sortBy: 1 } } } },
      byId,
    ],
    [
      {
        $group: {
          _id: '$g',
          t: { $topN: { n: 2, sortBy: { x: 1, _id: 1 }, output: ['$_id', '$x'] } },
          b: { $bottom: { sortBy: { _id: 1 }, output: '$_id' } },
          m: { $maxN: { n: 3, input: '$_id' } },
          i: { $minN: { n: 1, input: '$_id' } },
        },
      },
      byId,
    ],
    [
      byId,
      {
        $group: {
          _id: '$g',
          f: { $first: '$_id' },
          l: { $last: '$_id' },
          fn: { $firstN: { n: 2, input: '$_id' } },
          p: { $push: '$_id' },
        },
      },
      byId,
    ],
    [{ $group: { _id: '$g', p: { $percentile: { input: '$x', p: [0.5], method: 'approximate' } } } }, byId],
    [{ $group: { _id: null, m: { $mergeObjects: { k: 1 } } } }],
    [{ $group: { _id: { g: '$g', s: '$s' }, n: { $sum: 1 } } }, { $sort: { n: -1, _id: 1 } }, { $limit: 7 }],
    [{ $group: { _id: '$opt', n: { $sum: 1 } } }, byId],
    [{ $group: { _id: '$g' } }, byId],
    [{ $group: { _id: '$g', docs: { $push: '$$ROOT' } } }, { $project: { n: { $size: '$docs' } } }, byId],
    [{ $count: 'total' }],
    [{ $match: { uid: { $lt: 0 } } }, { $count: 'total' }],
    [{ $sortByCount: '$s' }, { $sort: { count: -1, _id: 1 } }],
    [{ $bucket: { groupBy: '$x', boundaries: [0, 10, 20, 30], default: 'other' } }],
    [{ $bucket: { groupBy: '$x', boundaries: [0, 10, 60], output: { n: { $sum: 1 }, a: { $avg: '$x' } } } }],
    [{ $bucketAuto: { groupBy: '$x', buckets: 4 } }],
    [
      {
        $facet: {
          a: [{ $count: 'n' }],
          b: [byId, { $limit: 2 }],
          c: [{ $group: { _id: '$g', n: { $sum: 1 } } }, byId],
        },
      },
    ],
    [
      {
        $setWindowFields: {
          partitionBy: '$g',
          sortBy: { _id: 1 },
          output: { r: { $rank: {} }, run: { $sum: '$x', window: { documents: ['unbounded', 'current'] } } },
        },
      },
      byId,
      { $limit: 30 },
    ],
    [{ $lookup: { from: 'groups', localField: 'g', foreignField: '_id', as: 'j' } }, byId, { $limit: 5 }],
    [
      { $match: { uid: 99 } },
      {
        $lookup: {
          from: 'groups',
          let: { g: '$g' },
          pipeline: [{ $match: { $expr: { $eq: ['$_id', '$$g'] } } }],
          as: 'j',
        },
      },
      byId,
    ],
    [{ $unionWith: 'groups' }, { $group: { _id: null, n: { $sum: 1 } } }],
    [
      { $unionWith: { coll: 'groups', pipeline: [{ $match: { _id: { $gt: 3 } } }] } },
      { $match: { name: { $exists: true } } },
      byId,
    ],
    [
      { $match: { _id: 5 } },
      { $graphLookup: { from: 'groups', startWith: '$g', connectFromField: 'nope', connectToField: '_id', as: 'gl' } },
    ],
    [{ $replaceRoot: { newRoot: '$sub' } }, { $group: { _id: '$a', n: { $sum: 1 } } }, byId],
    [{ $redact: { $cond: [{ $gt: ['$g', 3] }, '$$PRUNE', '$$KEEP'] } }, { $count: 'n' }],
    [{ $sample: { size: 10 } }, { $count: 'n' }],
    [{ $sample: { size: 1000 } }, byId],
    [
      { $fill: { sortBy: { _id: 1 }, output: { opt: { method: 'locf' } } } },
      byId,
      { $project: { opt: 1 } },
      { $limit: 40 },
    ],
    [
      { $densify: { field: '_id', range: { step: 1, bounds: [295, 305] } } },
      byId,
      { $match: { _id: { $gt: 294 } } },
      { $project: { uid: 1 } },
    ],
    [{ $addFields: { z: { $literal: '$x' } } }, { $group: { _id: '$z', n: { $sum: 1 } } }],
    [{ $project: { a: { $literal: '$$ROOT' } } }, byId, { $limit: 2 }, { $group: { _id: '$a', n: { $sum: 1 } } }],
    [{ $match: { $expr: { $gt: ['$x', '$$lim'] } } }, { $count: 'n' }],
    [{ $unknown: 1 }],
    [{ $group: { _id: '$g', x: { $unknown: 1 } } }],
    [{ $project: { x: { $divide: ['$x', 0] } } }],
    [byId, { $project: { x: { $divide: ['$x', 0] } } }],
    [{ $limit: 0 }],
    [{ $match: 1 as never }],
  ];
  const variants: Document[] = [{}, { collation: { locale: 'en', strength: 2 } }, { batchSize: 3 }];

  test.each(pipelines.map((pipeline) => [JSON.stringify(pipeline), pipeline] as const))('%s', async (_, pipeline) => {
    for (const variant of variants) {
      const [sharded, whole] = await both((collection) =>
        collection.aggregate(pipeline, { ...variant, let: { lim: 20 } }).toArray(),
      );
      expect(sharded).toBe(whole);
    }
  });
});

describe('a find answers what a single engine answers', () => {
  const finds: [filter: Document, options: Document][] = [
    [{}, { sort: { _id: 1 } }],
    [{}, { sort: { s: 1, x: -1, _id: 1 }, skip: 30, limit: 50 }],
    [{}, { sort: { s: -1, _id: 1 }, projection: { _id: 1 } }],
    [{}, { sort: { s: 1, _id: 1 }, projection: { s: 0, sub: 0 } }],
    [{}, { sort: { s: 1, _id: 1 }, collation: { locale: 'en', strength: 2 } }],
    [{ s: 'A' }, { sort: { _id: 1 }, collation: { locale: 'en', strength: 2 } }],
    [{}, { sort: { tags: 1, 'sub.b.c': -1, _id: 1 } }],
    [{}, { sort: { dec: -1 } }],
    [{}, { sort: { n: 1, _id: -1 }, hint: { _id: 1 } }],
    [{ uid: { $gte: 45, $lt: 55 } }, { sort: { _id: 1 } }],
    [{ uid: 7 }, { sort: { x: 1 }, limit: 2 }],
    [{ uid: { $in: [1, 99] } }, { sort: { _id: -1 }, projection: { uid: 1, _id: 0 } }],
    [{ $or: [{ uid: 3 }, { uid: 97 }] }, { sort: { _id: 1 } }],
    [{ g: 100 }, {}],
    [{ $unknown: 1 }, {}],
    [{}, { sort: { _id: 1 }, min: { _id: 10 }, max: { _id: 20 }, hint: { _id: 1 } }],
    [
      { at: { $near: { $geometry: { type: 'Point', coordinates: [12.03, 0] }, $maxDistance: 1e6 } } },
      { skip: 3, limit: 60 },
    ],
    [{ $and: [{ at: { $nearSphere: [12.03, 0] } }, { g: 3 }] }, { projection: { at: 1 } }],
    [{ at: { $nearSphere: [12.03, 0] } }, { sort: { _id: 1 }, limit: 20 }],
    [{ _id: { $lt: 9 } }, { sort: { _id: 1 }, returnKey: true, hint: { _id: 1 } }],
  ];
  test.each(finds)('%j %j', async (filter, options) => {
    for (const batchSize of [undefined, 1, 7, 300]) {
      const [sharded, whole] = await both((collection) =>
        collection.find(filter, { ...options, ...(batchSize && { batchSize }) }).toArray(),
      );
      expect(sharded).toBe(whole);
    }
  });

  test('without a sort finds the same documents', async () => {
    const ids = async (options: Document): Promise<number[]> =>
      (await db.collection('sharded').find({}, options).toArray()).map(({ _id }) => Number(_id)).sort((a, b) => a - b);
    expect(await ids({})).toEqual(DOCUMENTS.map(({ _id }) => _id));
    expect(new Set(await ids({ skip: 100, limit: 150, batchSize: 11 })).size).toBe(150);
    expect(await ids({ limit: 20, singleBatch: true, batchSize: 5 })).toHaveLength(5);
  });

  test('counts and distinct values', async () => {
    const reads: ((collection: Collection) => Promise<unknown>)[] = [
      (collection) => collection.estimatedDocumentCount(),
      (collection) => collection.countDocuments({ g: 1 }),
      (collection) =>
        db.command({ count: collection.collectionName, query: { g: 1 }, skip: 10, limit: 20 }).then(({ n }) => n),
      (collection) => db.command({ count: collection.collectionName, skip: 290, limit: -20 }).then(({ n }) => n),
      (collection) => collection.distinct('g', { uid: { $gt: 10 } }),
      (collection) => collection.distinct('tags'),
      (collection) => collection.distinct('m', { _id: { $lt: 20 } }),
      (collection) => collection.distinct('sub.b.c', { uid: 3 }),
    ];
    for (const read of reads) {
      const [sharded, whole] = await both(read);
      expect(sharded).toBe(whole);
    }
    expect(await db.command({ count: 'sharded' })).toMatchObject({ shards: { sh0: 150, sh1: 150 }, n: 300, ok: 1 });
    expect(await db.collection('sharded').distinct('s', {}, { collation: { locale: 'en', strength: 2 } })).toHaveLength(
      3,
    );
  });

  test('of a database that does not exist is empty', async () => {
    const nowhere = router.client.db('nowhere').collection('c');
    expect([
      await nowhere.find().toArray(),
      await nowhere.aggregate([]).toArray(),
      await nowhere.distinct('x'),
    ]).toEqual([[], [], []]);
    expect(await router.client.db('nowhere').command({ count: 'c' })).toMatchObject({ n: 0, ok: 1 });
    const { databases } = await router.client.db('admin').admin().listDatabases();
    expect(databases.map(({ name }) => name)).not.toContain('nowhere');
  });
});

describe('a pipeline that writes', () => {
  test('writes what it read from both shards, on whichever shard the target is', async () => {
    const sharded = db.collection('sharded');
    await sharded.aggregate([{ $match: { uid: { $gte: 40, $lt: 60 } } }, { $out: 'out' }]).toArray();
    await sharded.aggregate([{ $out: { db: 'elsewhere', coll: 'out' } }]).toArray();
    await sharded
      .aggregate([{ $group: { _id: '$g', n: { $sum: 1 } } }, { $merge: { into: { db: 'elsewhere', coll: 'merged' } } }])
      .toArray();
    await db
      .collection('whole')
      .aggregate([{ $match: { g: 2 } }, { $out: { db: 'elsewhere', coll: 'two' } }])
      .toArray();
    await sharded
      .aggregate([
        { $lookup: { from: 'groups', localField: 'g', foreignField: '_id', as: 'j' } },
        { $out: { db: 'elsewhere', coll: 'joined' } },
      ])
      .toArray();
    const elsewhere = sets.shards[1]?.client.db('elsewhere');
    expect(await sets.shards[0]?.client.db('reads').collection('out').countDocuments()).toBe(60);
    expect(await elsewhere?.collection('out').countDocuments()).toBe(300);
    expect(await elsewhere?.collection('merged').find().sort({ _id: 1 }).next()).toEqual({ _id: 0, n: 43 });
    expect(await elsewhere?.collection('two').countDocuments()).toBe(43);
    expect(await elsewhere?.collection('joined').countDocuments({ 'j.name': 'g3' })).toBe(43);
  });

  test('is refused where another collection than its own is sharded', async () => {
    const run = (stage: Document) => refusalOf(db.collection('sharded').aggregate([stage]).toArray());
    expect(await run({ $out: 'sharded' })).toEqual({ code: 28769, message: 'reads.sharded cannot be sharded' });
    const what = 'is not modelled; run it on real MongoDB with --mongodb <version>';
    expect((await run({ $merge: 'sharded' })).message).toBe(`shardlab: $merge into a sharded collection ${what}`);
    expect((await run({ $unionWith: 'sharded' })).message).toBe(
      `shardlab: $unionWith from a sharded collection ${what}`,
    );
    expect((await run({ $changeStream: {} })).message).toBe(`shardlab: a change stream ${what}`);
    await db.createCollection('view', { viewOn: 'sharded', pipeline: [] });
    await db.createCollection('wholeView', { viewOn: 'whole', pipeline: [{ $match: { g: 1 } }] });
    expect((await refusalOf(db.collection('view').find().toArray())).message).toBe(
      `shardlab: reading a view of a sharded collection ${what}`,
    );
    expect(await db.collection('wholeView').countDocuments()).toBe(43);
  });
});

test('a tailable cursor is refused by the one rule', async () => {
  const refusal = await refusalOf(db.collection('sharded').find({}, { tailable: true }).toArray());
  expect(refusal.message).toMatch(/^shardlab: a tailable cursor is not modelled/);
});

test('statistics of a sharded collection say which shard they are of', async () => {
  const stats = await db
    .collection('sharded')
    .aggregate([{ $collStats: { count: {} } }])
    .toArray();
  expect(stats.map(({ shard, host, count }) => [shard, host, count])).toEqual(
    sets.shards.map(({ name, port }) => [name, `127.0.0.1:${port}`, 150]),
  );
  expect(Object.keys(stats[0] ?? {}).slice(0, 3)).toEqual(['ns', 'shard', 'host']);
  const indexes = await db
    .collection('sharded')
    .aggregate([{ $indexStats: {} }, { $sort: { name: 1, shard: 1 } }])
    .toArray();
  expect(indexes.map(({ name, shard }) => [name, shard])).toEqual([
    ['_id_', 'sh0'],
    ['_id_', 'sh1'],
    ['at_2dsphere', 'sh0'],
    ['at_2dsphere', 'sh1'],
    ['uid_1', 'sh0'],
    ['uid_1', 'sh1'],
  ]);
});

test('a merge of more than one command can carry goes through a collection that is gone afterwards', async () => {
  const big = db.collection<{ _id: string; uid: number; text: string }>('big');
  await router.client.db('admin').command({ shardCollection: 'reads.big', key: { uid: 'hashed' } });
  const text = 'y'.repeat(50_000);
  await big.insertMany(
    Array.from({ length: 300 }, (_, i) => ({ _id: `b${i}`, uid: i, text })),
    { ordered: false },
  );
  const numbered = { $setWindowFields: { sortBy: { _id: 1 }, output: { at: { $documentNumber: {} } } } };
  const cursor = big.aggregate([numbered, { $project: { at: 1, size: { $strLenCP: '$text' } } }], { batchSize: 100 });
  const collected = () =>
    (sets.shards[0] as TestSet).client
      .db('reads')
      .listCollections({ name: /^tmp\./ })
      .toArray();
  expect(await cursor.hasNext()).toBe(true);
  expect(await collected()).toMatchObject([{ options: { temp: true } }]);
  const found = await cursor.toArray();
  expect(found.map(({ at }) => at)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
  expect(found.every(({ size }) => size === 50_000)).toBe(true);
  expect(await collected()).toEqual([]);
});

describe('explain', () => {
  const plan = (explained: Document): Document => explained.queryPlanner.winningPlan;

  test('of what one shard answers', async () => {
    const explained = await db.collection('sharded').find({ uid: 3 }).explain('queryPlanner');
    expect(plan(explained)).toMatchObject({
      stage: 'SINGLE_SHARD',
      shards: [{ shardName: 'sh0', winningPlan: { stage: 'FETCH', inputStage: { stage: 'IXSCAN' } } }],
    });
    expect(plan(explained).shards[0].connectionString).toBe(sets.shards[0]?.connectionString);
    const ranged = await db
      .collection('sharded')
      .find({ uid: { $lt: 3 } })
      .explain('queryPlanner');
    expect(plan(ranged)).toMatchObject({
      stage: 'SINGLE_SHARD',
      shards: [{ winningPlan: { inputStage: { stage: 'SHARDING_FILTER', inputStage: { stage: 'IXSCAN' } } } }],
    });
    expect(plan(await db.collection('whole').find().explain('queryPlanner'))).toMatchObject({
      stage: 'SINGLE_SHARD',
      shards: [{ winningPlan: { stage: 'COLLSCAN' } }],
    });
  });

  test('of what several shards answer, with their figures added up', async () => {
    const { executionStats, ...explained } = await db
      .collection('sharded')
      .find({ g: 3 })
      .sort({ x: 1 })
      .skip(2)
      .limit(5)
      .explain('executionStats');
    expect(plan(explained)).toMatchObject({
      stage: 'SHARD_MERGE_SORT',
      shards: [{ shardName: 'sh0' }, { shardName: 'sh1' }],
    });
    expect(executionStats).toMatchObject({
      nReturned: 5,
      totalDocsExamined: 300,
      executionStages: { stage: 'SHARD_MERGE_SORT', limitAmount: 5, skipAmount: 2 },
    });
    expect(plan(await db.collection('sharded').find({ g: 3 }).explain('queryPlanner')).stage).toBe('SHARD_MERGE');
    const counted = await db.command({ explain: { count: 'sharded', query: { g: 3 } }, verbosity: 'executionStats' });
    expect(counted.executionStats.executionStages.nCounted).toBe(43);
    expect(
      plan(await db.command({ explain: { distinct: 'sharded', key: 'g' }, verbosity: 'queryPlanner' })).stage,
    ).toBe('SHARD_MERGE');
  });

  test('of a write, which it does not do', async () => {
    const explain = (command: Document) => db.command({ explain: command, verbosity: 'executionStats' });
    const updated = await explain({
      update: 'sharded',
      updates: [{ q: { g: 3 }, u: { $set: { z: 1 } }, multi: true }],
    });
    expect(plan(updated)).toMatchObject({ stage: 'SHARD_WRITE', shards: [{ shardName: 'sh0' }, { shardName: 'sh1' }] });
    expect(plan(await explain({ delete: 'sharded', deletes: [{ q: { uid: 99 }, limit: 1 }] }))).toMatchObject({
      shards: [{ shardName: 'sh1' }],
    });
    expect(plan(await explain({ findAndModify: 'sharded', query: { uid: 99 }, remove: true })).stage).toBe(
      'SINGLE_SHARD',
    );
    expect(await db.collection('sharded').countDocuments({ z: 1 })).toBe(0);
    expect(await db.collection('sharded').countDocuments({})).toBe(300);
    const two = {
      delete: 'sharded',
      deletes: [
        { q: {}, limit: 1 },
        { q: {}, limit: 1 },
      ],
    };
    expect(await refusalOf(explain(two))).toEqual({ code: 16, message: 'explained write batches must be of size 1' });
  });

  test('of an aggregation, parted or whole', async () => {
    const grouped = [{ $match: { x: { $gt: 2 } } }, { $group: { _id: '$g', n: { $sum: 1 } } }, { $sort: { _id: 1 } }];
    const parted = await db.collection('sharded').aggregate(grouped).explain('queryPlanner');
    expect(parted).toMatchObject({
      mergeType: 'router',
      splitPipeline: { shardsPart: grouped.slice(0, 2) },
      shards: { sh0: {}, sh1: {} },
    });
    expect(Object.keys(parted.splitPipeline.mergerPart[0])).toEqual(['$mergeCursors']);
    const sorted = await db
      .collection('sharded')
      .aggregate([{ $sort: { x: -1 } }, { $limit: 3 }])
      .explain('queryPlanner');
    expect(sorted.splitPipeline.mergerPart).toMatchObject([{ $mergeCursors: { sort: { x: -1 } } }, { $limit: 3 }]);
    const joined = await db
      .collection('sharded')
      .aggregate([{ $lookup: { from: 'groups', localField: 'g', foreignField: '_id', as: 'of' } }])
      .explain('queryPlanner');
    expect(joined).toMatchObject({ mergeType: 'specificShard', mergeShardId: 'sh0' });
    const whole = await db.command({
      aggregate: 'sharded',
      pipeline: [{ $match: { uid: 3 } }],
      explain: true,
      cursor: {},
    });
    expect(whole).toMatchObject({ splitPipeline: null, shards: { sh0: { queryPlanner: {} } } });
  });
});
