import { type Document, Long, MaxKey, MinKey, Timestamp } from 'bson';
import { beforeEach, describe, expect, test } from 'vitest';
import { chunksOf, refusalOf, useDatabase } from '../cluster.fixture.ts';

const { cluster, admin, conf, on } = useDatabase();

beforeEach(async () => {
  await admin().command({ shardCollection: 'conf.c', key: { a: 1 } });
});

const chunks = () => chunksOf(cluster.router, 'conf.c');

describe('split', () => {
  test('basic_split.js: parts a chunk at a key, at the median of a query, at the median of bounds', async () => {
    await admin().command({ split: 'conf.c', middle: { a: 0 } });
    expect(await chunks()).toEqual(['Min..0 sh0', '0..Max sh0']);
    await on(0)
      .collection('c')
      .insertMany(Array.from({ length: 20 }, (_, i) => ({ a: i + 1 })));
    await admin().command({ split: 'conf.c', find: { a: 5 } });
    expect(await chunks()).toEqual(['Min..0 sh0', '0..11 sh0', '11..Max sh0']);
    await admin().command({ split: 'conf.c', bounds: [{ a: 0 }, { a: 11 }] });
    expect(await chunks()).toEqual(['Min..0 sh0', '0..6 sh0', '6..11 sh0', '11..Max sh0']);
  });

  test.each([
    [{ split: 'conf.none', middle: { a: 1 } }, 118, 'Collection conf.none is not sharded.'],
    [{ split: 'none.c', middle: { a: 1 } }, 26, 'Database none not found'],
    [{ split: 'conf.c' }, undefined, 'need to specify find/bounds or middle'],
    [{ split: 'conf.c', middle: {} }, undefined, 'need to specify find/bounds or middle'],
    [{ split: 'conf.c', find: { a: 1 }, middle: { a: 1 } }, undefined, 'cannot specify find and middle together'],
    [{ split: 'conf.c', bounds: [{ a: 1 }] }, undefined, 'upper bound not specified'],
    [
      { split: 'conf.c', bounds: [1, 2] },
      14,
      "BSON field 'split.bounds.0' is the wrong type 'int', expected type 'object'",
    ],
    [
      { split: 'conf.c', bounds: [{ a: 1 }, { a: 2 }], find: { a: 1 } },
      undefined,
      'cannot specify bounds and find at the same time',
    ],
    [
      { split: 'conf.c', bounds: [{ a: 1 }, { a: 2 }], middle: { a: 1 } },
      undefined,
      'cannot specify bounds and middle together',
    ],
    [{ split: 'conf.c', find: { x: 1 } }, undefined, 'no shard key found in chunk query { x: 1 }'],
    [
      { split: 'conf.c', bounds: [{ x: 1 }, { a: 2 }] },
      undefined,
      'shard key bounds [{ x: 1 },{ a: 2 }) are not valid for shard key pattern { a: 1 }',
    ],
    [
      { split: 'conf.c', bounds: [{ a: 1 }, { a: 2 }] },
      undefined,
      'no chunk found with the shard key bounds [{ a: 1 }, { a: 2 })',
    ],
    [
      { split: 'conf.c', middle: { a: 1, b: 1 } },
      undefined,
      'new split key { a: 1, b: 1 } is not valid for shard key pattern { a: 1 }',
    ],
    [
      { split: 'conf.c', middle: { a: new MinKey() } },
      undefined,
      'new split key { a: MinKey } is a boundary key of existing chunk [{ a: MinKey },{ a: MaxKey })',
    ],
    [
      { split: 'conf.c', middle: { a: /x/ } },
      2,
      'split failed :: caused by :: Shard key element a: /x/ is not valid for storage',
    ],
    [
      { split: 'conf.c', find: { a: 1 } },
      96,
      "can't open a cursor to scan the range (desired range is possibly empty)",
    ],
  ])('%j is refused', async (command, code, message) => {
    expect(await refusalOf(admin().command(command))).toEqual({ code, message });
    expect(await chunks()).toEqual(['Min..Max sh0']);
  });

  test('documents that all have one key cannot be parted by their median', async () => {
    await on(0)
      .collection('c')
      .insertMany(Array.from({ length: 20 }, () => ({ a: 7 })));
    expect(await refusalOf(admin().command({ split: 'conf.c', find: { a: 7 } }))).toEqual({
      code: 87,
      message: 'Unable to find median in chunk because chunk is indivisible.',
    });
  });

  test('a hashed key is split at hashes only', async () => {
    await admin().command({ shardCollection: 'conf.h', key: { k: 'hashed' } });
    await admin().command({ split: 'conf.h', middle: { k: Long.fromNumber(10) } });
    expect(await refusalOf(admin().command({ split: 'conf.h', middle: { k: 20 } }))).toMatchObject({
      code: 87,
      message: expect.stringContaining("split point k: 20Value of type 'int' is not allowed for hashed fields"),
    });
  });
});

describe('clearJumboFlag', () => {
  const jumbo = async () => {
    const found = await cluster.router.client
      .db('config')
      .collection('chunks')
      .find({}, { sort: { min: 1 } })
      .toArray();
    return found.map((chunk) => chunk.jumbo);
  };

  test.each([{ find: { a: 5 } }, { bounds: [{ a: 0 }, { a: new MaxKey() }] }])(
    'clear_jumbo.js: takes the flag off the chunk of %j, which begins a new major version',
    async (which) => {
      await admin().command({ split: 'conf.c', middle: { a: 0 } });
      const collection = cluster.router.client.db('config').collection('chunks');
      await collection.updateMany({}, { $set: { jumbo: true } });
      await admin().command({ clearJumboFlag: 'conf.c', ...which });
      expect(await jumbo()).toEqual([true, undefined]);
      expect((await collection.findOne({ min: { a: 0 } }))?.lastmod).toEqual(new Timestamp({ t: 2, i: 0 }));
      await admin().command({ clearJumboFlag: 'conf.c', ...which });
      expect((await collection.findOne({ min: { a: 0 } }))?.lastmod).toEqual(new Timestamp({ t: 2, i: 0 }));
    },
  );

  test.each([
    [{}, 72, 'need to specify find or bounds'],
    [{ bounds: [{ a: 0 }] }, 72, 'bounds can only have exactly 2 elements'],
    [{ bounds: [{ a: 0 }, { a: 1 }], find: {} }, 72, 'cannot specify bounds and find at the same time'],
    [{ find: { x: 1 } }, 51260, 'no shard key found in chunk query { x: 1 }'],
    [{ bounds: [{ a: 0 }, { a: 1 }] }, 51261, 'no chunk found with the shard key bounds [{ a: 0 }, { a: 1 })'],
  ])('%j is refused', async (which, code, message) => {
    expect(await refusalOf(admin().command({ clearJumboFlag: 'conf.c', ...which }))).toEqual({ code, message });
  });
});

describe('mergeAllChunksOnShard', () => {
  const HOUR_AGO = new Timestamp({ t: Math.floor(Date.now() / 1000) - 3_600, i: 1 });
  const merge = (more: object = {}) => admin().command({ mergeAllChunksOnShard: 'conf.c', shard: 'sh0', ...more });
  const age = (filter: Document = {}) =>
    cluster.router.client
      .db('config')
      .collection('chunks')
      .updateMany(filter, { $set: { onCurrentShardSince: HOUR_AGO } });

  beforeEach(async () => {
    for (const a of [0, 10, 20, 30]) await admin().command({ split: 'conf.c', middle: { a } });
    await admin().command({ moveChunk: 'conf.c', find: { a: 10 }, to: 'sh1' });
  });

  test('leaves chunks of the last five minutes', async () => {
    await merge();
    expect(await chunks()).toHaveLength(5);
  });

  test('makes one chunk of neighbours on the shard, and leaves a jumbo one', async () => {
    await age();
    await merge();
    expect(await chunks()).toEqual(['Min..10 sh0', '10..20 sh1', '20..Max sh0']);
    await admin().command({ split: 'conf.c', middle: { a: 0 } });
    await cluster.router.client
      .db('config')
      .collection('chunks')
      .updateOne({ min: { a: 0 } }, { $set: { jumbo: true } });
    await merge();
    expect(await chunks()).toHaveLength(4);
  });

  test('merges no more than it is told', async () => {
    await age();
    await merge({ maxNumberOfChunksToMerge: 3 });
    expect(await chunks()).toEqual(['Min..10 sh0', '10..20 sh1', '20..30 sh0', '30..Max sh0']);
  });

  test.each([
    [{ mergeAllChunksOnShard: 'conf.c', shard: 'sh9' }, 70],
    [{ mergeAllChunksOnShard: 'conf.none', shard: 'sh0' }, 118],
    [{ mergeAllChunksOnShard: 'conf.c' }, 40414],
  ])('%j is refused', async (command, code) => {
    expect(await refusalOf(admin().command(command))).toMatchObject({ code });
  });
});

describe('mergeChunks by keys of more than one field, and by hashes', () => {
  const bound = (x: unknown, y: unknown) => ({ x, y });
  const [low, high] = [new MinKey(), new MaxKey()];

  test('merge_chunks_compound_shard_key.js: one chunk less, and a higher minor version', async () => {
    await admin().command({ shardCollection: 'conf.xy', key: { x: 1, y: 1 } });
    for (const middle of [bound(0, 1), bound(1, 0), bound(2, 0), bound(2, 1)]) {
      await admin().command({ split: 'conf.xy', middle });
    }
    const versions: string[] = [];
    for (const bounds of [
      [bound(0, 1), bound(2, 0)],
      [bound(low, low), bound(2, 0)],
      [bound(2, 0), bound(high, high)],
      [bound(low, low), bound(high, high)],
    ]) {
      await admin().command({ mergeChunks: 'conf.xy', bounds });
      const [min, max] = bounds;
      const chunk = await cluster.router.client.db('config').collection('chunks').findOne({ min, max });
      versions.push(`${chunk?.lastmod.t}|${chunk?.lastmod.i}`);
    }
    expect(versions).toEqual(['1|9', '1|10', '1|11', '1|12']);
    expect(await chunksOf(cluster.router, 'conf.xy')).toEqual(['Min,Min..Max,Max sh0']);
  });

  test('merge_chunk_hashed.js: no hole, no other shard, no other bounds', async () => {
    const ns = 'conf.hashed';
    const at = (x: number | MinKey | MaxKey) => ({ x: typeof x === 'number' ? Long.fromString(String(x)) : x });
    const mergeAt = (min: number | MinKey, max: number | MaxKey) =>
      admin().command({ mergeChunks: ns, bounds: [at(min), at(max)] });
    const move = (min: number, max: number, to: string) =>
      admin().command({ moveChunk: ns, bounds: [at(min), at(max)], to });
    await admin().command({ shardCollection: ns, key: { x: 'hashed' } });
    const E = 100_000_000_000_000_000;
    const points = [-46, -45, -40, -35, -30, -25, -20, 46].map((n) => n * E);
    for (const point of points) await admin().command({ split: ns, middle: at(point) });
    await move(-45 * E, -40 * E, 'sh1');
    await move(-25 * E, -20 * E, 'sh1');
    await cluster.router.client
      .db('conf')
      .collection('hashed')
      .insertMany([-100, -60, -10, 10].map((x) => ({ x })));
    for (const [min, max] of [
      [low, -50 * E], // bounds of no chunk
      [-55 * E, -45 * E],
      [45 * E, 55 * E],
      [-15 * E, high],
      [low, -35 * E], // over chunks of the other shard
      [-35 * E, 0],
      [-30 * E, 0],
      [low, -40 * E], // up to chunks of the other shard
      [-30 * E, -20 * E],
      [-25 * E, 0],
    ] as const) {
      expect(await refusalOf(mergeAt(min, max))).toMatchObject({ code: 20 });
    }
    await mergeAt(low, -46 * E); // a single one is as it is
    await mergeAt(low, -45 * E);
    await mergeAt(-40 * E, -25 * E);
    await mergeAt(0, high);
    await move(-20 * E, 0, 'sh1');
    await move(-45 * E, -40 * E, 'sh0');
    await mergeAt(-25 * E, high);
    await mergeAt(low, -25 * E);
    expect(await chunksOf(cluster.router, ns)).toEqual([`Min..${-25 * E} sh0`, `${-25 * E}..Max sh1`]);
    expect(await conf().collection('hashed').find().toArray()).toHaveLength(4);
  });
});

describe('mergeChunks', () => {
  beforeEach(async () => {
    for (const a of [0, 10, 20, 30]) await admin().command({ split: 'conf.c', middle: { a } });
  });
  const merge = (min: unknown, max: unknown) =>
    admin().command({ mergeChunks: 'conf.c', bounds: [{ a: min }, { a: max }] });

  test('merge_chunks_test.js, basic_merge.js: makes one chunk of neighbours on one shard', async () => {
    await merge(0, 30);
    expect(await chunks()).toEqual(['Min..0 sh0', '0..30 sh0', '30..Max sh0']);
    await merge(new MinKey(), new MaxKey());
    expect(await chunks()).toEqual(['Min..Max sh0']);
  });

  test('dates the chunk from the last of them that came to the shard', async () => {
    await admin().command({ moveChunk: 'conf.c', find: { a: 10 }, to: 'sh1' });
    await admin().command({ moveChunk: 'conf.c', find: { a: 20 }, to: 'sh1' });
    const before = await cluster.router.client.db('config').collection('chunks').findOne({ 'min.a': 20 });
    await merge(10, 30);
    const after = await cluster.router.client.db('config').collection('chunks').findOne({ 'min.a': 10 });
    expect(after).toMatchObject({
      onCurrentShardSince: before?.onCurrentShardSince,
      history: [{ validAfter: before?.onCurrentShardSince, shard: 'sh1' }],
    });
  });

  test('is told in config.changelog, as a split is', async () => {
    await merge(0, 20);
    const entries = await cluster.router.client
      .db('config')
      .collection('changelog')
      .find({ ns: 'conf.c', what: { $in: ['split', 'merge'] } }, { sort: { $natural: -1 }, limit: 2 })
      .toArray();
    const collection = await cluster.router.client
      .db('config')
      .collection('collections')
      .findOne({ _id: 'conf.c' as never });
    const { lastmodEpoch: e, timestamp: t } = collection as Document;
    const version = (major: number, minor: number) => ({ e, t, v: new Timestamp({ t: major, i: minor }) });
    expect(entries.map(({ what, details }) => [what, details])).toEqual([
      [
        'merge',
        {
          prevPlacementVersion: version(1, 8),
          mergedVersion: version(1, 9),
          owningShard: 'sh0',
          min: { a: 0 },
          max: { a: 20 },
          numChunks: 2,
        },
      ],
      [
        'split',
        {
          before: { min: { a: 20 }, max: { a: new MaxKey() }, lastmod: version(1, 6) },
          left: { min: { a: 20 }, max: { a: 30 }, lastmod: version(1, 7) },
          right: { min: { a: 30 }, max: { a: new MaxKey() }, lastmod: version(1, 8) },
          owningShard: 'sh0',
        },
      ],
    ]);
  });

  test('one chunk alone is a success without effect', async () => {
    await merge(0, 10);
    expect((await chunks()).length).toBe(5);
  });

  test.each([
    ['a wrong lower bound', 1, 20],
    ['a wrong upper bound', 0, 21],
    ['the bounds of nothing', 1, 2],
  ])('refuses %s', async (_, min, max) => {
    const why = `shard sh0 does not contain a sequence of chunks that exactly fills the range [{ a: ${min} }, { a: ${max} })`;
    expect(await refusalOf(merge(min, max))).toEqual({
      code: 20,
      message: `Failed to commit chunk merge :: caused by :: could not merge chunks, ${why}`,
    });
  });

  test('refuses chunks of two shards', async () => {
    await admin().command({ moveChunk: 'conf.c', find: { a: 10 }, to: 'sh1' });
    expect(await refusalOf(merge(0, 30))).toMatchObject({ code: 20 });
  });

  test.each([
    [{ mergeChunks: 'conf.c', bounds: [{ a: 1 }] }, 72, 'bounds can only have exactly 2 elements'],
    [
      { mergeChunks: 'conf.c', bounds: [{ x: 1 }, { a: 1 }] },
      72,
      'shard key bounds [{ x: 1 },{ a: 1 }) are not valid for shard key pattern { a: 1 }',
    ],
    [{ mergeChunks: 'conf.c' }, 40414, "BSON field 'mergeChunks.bounds' is missing but a required field"],
    [{ mergeChunks: 'conf.none', bounds: [{ a: 1 }, { a: 2 }] }, 118, 'Collection conf.none is not sharded.'],
  ])('%j is refused', async (command, code, message) => {
    expect(await refusalOf(admin().command(command))).toEqual({ code, message });
  });
});
