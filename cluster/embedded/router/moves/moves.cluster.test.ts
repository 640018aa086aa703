import { Long, MaxKey, MinKey, ObjectId } from 'bson';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect, endAll, startMongod } from '../../mongod.fixture.ts';
import { encode, firstName } from '../../wire/bson.ts';
import { Peer } from '../../wire/client.ts';
import {
  refusalOf,
  startCluster,
  startRouter,
  type TestRouter,
  type TestSet,
  type TestSets,
} from '../cluster.fixture.ts';
import type { Router } from '../command.ts';
import { splitNamespace } from '../ddl/namespace.ts';
import type { MoveEntry } from '../journal/entries.ts';
import { ConfigCatalog } from '../metadata/config-catalog.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { copyRange, firstBatch } from './copy.ts';
import { moveRange } from './move.ts';
import { prepareRecipient } from './recipient.ts';
import { deleteRange, openShardCollection } from './shard-range.ts';
import { begin, commitMove } from './stages.ts';

const DOCUMENTS = 3_000;

let sets: TestSets;
let router: TestRouter;
const admin = () => router.client.db('admin');
const through = () => router.client.db('conf').collection<{ _id: number; uid: number | null }>('c');
const on = (shard: number) => sets.shards[shard]?.client.db('conf').collection('c');

beforeAll(async () => {
  ({ sets, router } = await startCluster());
});
afterAll(endAll);

beforeEach(async () => {
  await router.client.db('conf').dropDatabase();
  await admin().command({ enableSharding: 'conf', primaryShard: 'sh0' });
  await admin().command({ shardCollection: 'conf.c', key: { uid: 1 } });
});

async function fill(documents = DOCUMENTS): Promise<void> {
  await through().insertMany(Array.from({ length: documents }, (_, i) => ({ _id: i, uid: i, text: 'x'.repeat(200) })));
}

async function counts(): Promise<number[]> {
  return Promise.all([0, 1].map(async (shard) => (await on(shard)?.countDocuments()) ?? 0));
}

/** The ids that a client reads, in order. */
async function idsThrough(): Promise<number[]> {
  return (
    await through()
      .find({}, { projection: { _id: 1 } })
      .toArray()
  )
    .map(({ _id }) => _id)
    .sort((a, b) => a - b);
}

/** Starts a shard again where it was. */
async function revive(dead: TestSet): Promise<void> {
  const { port, dbpath } = dead.member;
  const member = await startMongod(['--replSet', dead.name, '--shardsvr'], { port, dbpath });
  Object.assign(dead, { member, client: await connect(port) });
}

const ALL = Array.from({ length: DOCUMENTS }, (_, i) => i);
const move = (fields: object) => admin().command({ moveRange: 'conf.c', toShard: 'sh1', ...fields });

describe('a move', () => {
  test('takes the documents of the range along, each of which is found once before and after', async () => {
    await fill();
    expect(await idsThrough()).toEqual(ALL);
    await move({ min: { uid: 1_000 }, max: { uid: 2_000 } });
    expect(await counts()).toEqual([2_000, 1_000]);
    expect(await idsThrough()).toEqual(ALL);
    expect(await through().countDocuments({ uid: { $gte: 990, $lt: 1_010 } })).toBe(20);
  });

  // jstests/sharding/move_chunk_basic.js
  test('leaves chunks, versions and history as a server does', async () => {
    await admin().command({ split: 'conf.c', middle: { uid: 0 } });
    expect(await admin().command({ moveChunk: 'conf.c', find: { uid: 5 }, to: 'sh1' })).toMatchObject({ ok: 1 });
    const chunks = await router.client
      .db('config')
      .collection('chunks')
      .find({}, { sort: { min: 1 } })
      .toArray();
    expect(chunks.map(({ shard, lastmod }) => `${shard} ${lastmod.t}|${lastmod.i}`)).toEqual(['sh0 2|1', 'sh1 2|0']);
    expect(chunks[1]?.history.map(({ shard }: { shard: string }) => shard)).toEqual(['sh1', 'sh0']);
    expect(chunks[1]?.onCurrentShardSince).toEqual(chunks[1]?.history[0].validAfter);
  });

  test('gives the recipient the options and indexes of the collection', async () => {
    const collection = router.client.db('conf').collection('v');
    await router.client.db('conf').createCollection('v', { validator: { n: { $type: 'number' } } });
    await admin().command({ shardCollection: 'conf.v', key: { uid: 1 } });
    await collection.createIndex({ uid: 1, email: 1 }, { unique: true, partialFilterExpression: { live: true } });
    await collection.insertOne({ uid: 1, n: 1 });
    await admin().command({ moveChunk: 'conf.v', find: { uid: 1 }, to: 'sh1' });
    const there = sets.shards[1]?.client.db('conf');
    expect(await there?.collection('v').indexes()).toEqual(
      await sets.shards[0]?.client.db('conf').collection('v').indexes(),
    );
    expect(await there?.listCollections({ name: 'v' }).toArray()).toMatchObject([
      { options: { validator: { n: { $type: 'number' } } } },
    ]);
    expect(await collection.findOne({ uid: 1 })).toMatchObject({ n: 1 });
  });

  test('drops from a recipient that owns nothing the indexes that are left from earlier', async () => {
    const collection = router.client.db('conf').collection<{ uid: number; email?: string }>('c');
    await collection.createIndex({ uid: 1, email: 1 }, { unique: true });
    await move({ min: { uid: new MinKey() } });
    await move({ min: { uid: new MinKey() }, toShard: 'sh0' });
    await collection.dropIndex('uid_1_email_1');
    await collection.insertMany([{ uid: 1 }, { uid: 1 }]);
    await move({ min: { uid: new MinKey() } });
    expect(await counts()).toEqual([0, 2]);
    expect((await on(1)?.indexes())?.map(({ name }) => name)).toEqual(['_id_', 'uid_1']);
  });

  test('carries null, missing and MaxKey keys with the chunk they belong to', async () => {
    await admin().command({ split: 'conf.c', middle: { uid: 0 } });
    await router.client
      .db('conf')
      .command({ insert: 'c', documents: [{ _id: 1 }, { _id: 2, uid: null }, { _id: 3, uid: 7 }] });
    await move({ min: { uid: new MinKey() } });
    expect(await counts()).toEqual([1, 2]);
    expect(await idsThrough()).toEqual([1, 2, 3]);
  });

  test('goes by the simple collation, whatever the collection compares by', async () => {
    await router.client.db('conf').createCollection('w', { collation: { locale: 'en', strength: 2 } });
    await admin().command({ shardCollection: 'conf.w', key: { word: 1 }, collation: { locale: 'simple' } });
    const words = ['A', 'Z', 'a', 'z'].map((word) => ({ _id: word.charCodeAt(0), word }));
    await router.client.db('conf').command({ insert: 'w', documents: words });
    await admin().command({ moveRange: 'conf.w', min: { word: 'a' }, max: { word: 'z' }, toShard: 'sh1' });
    const on1 = await sets.shards[1]?.client.db('conf').collection('w').find().toArray();
    expect(on1?.map(({ word }) => word)).toEqual(['a']);
    expect(await router.client.db('conf').collection('w').find({ word: 'A' }).toArray()).toHaveLength(2);
  });

  test('moves by the hash of a hashed key', async () => {
    await admin().command({ shardCollection: 'conf.h', key: { k: 'hashed' } });
    const hashed = router.client.db('conf').collection('h');
    await hashed.insertMany(Array.from({ length: 500 }, (_, k) => ({ k })));
    await admin().command({
      moveRange: 'conf.h',
      min: { k: new MinKey() },
      max: { k: Long.fromNumber(0) },
      toShard: 'sh1',
    });
    await admin().command({ moveRange: 'conf.h', min: { k: Long.fromNumber(0) }, toShard: 'sh1' });
    expect(await sets.shards[0]?.client.db('conf').collection('h').countDocuments()).toBe(0);
    expect(await sets.shards[1]?.client.db('conf').collection('h').countDocuments()).toBe(500);
  });

  test('is told in config.changelog as a server tells it', async () => {
    await fill(10);
    await move({ min: { uid: 5 } });
    const entries = await router.client
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
    const [chunk] = await router.client.db('config').collection('chunks').find().toArray();
    expect(chunk?.lastmod).toMatchObject({ t: 1, i: 0 });
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
    expect(await on(0)?.countDocuments({ uid: { $gte: 0, $lt: 1_500 } })).toBe(0);
  });
});

describe('a move is refused and leaves everything as it was', () => {
  // jstests/sharding/migrate_overwrite_id.js (X1)
  test('when the recipient holds a document with the same _id', async () => {
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
    expect(await router.client.db('config').collection('shardlab.journal').countDocuments({})).toBe(0);
  });

  test('when the recipient holds documents and lacks an index', async () => {
    await admin().command({ split: 'conf.c', middle: { uid: 0 } });
    await admin().command({ moveChunk: 'conf.c', find: { uid: 0 }, to: 'sh1' });
    await through().insertMany([
      { _id: 1, uid: -1 },
      { _id: 2, uid: 1 },
    ]);
    await on(0)?.createIndex({ extra: 1 });
    expect(await refusalOf(move({ min: { uid: new MinKey() } }))).toEqual({
      code: 242,
      message:
        'aborting, shard is missing 1 indexes and collection is not empty. Non-trivial index creation should be scheduled manually',
    });
    expect(await counts()).toEqual([1, 1]);
  });

  // jstests/sharding/move_chunk_missing_idx.js
  test('when the donor has no index left for the shard key', async () => {
    await on(0)?.dropIndex('uid_1');
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

  test('when its bounds lie in two chunks', async () => {
    await admin().command({ split: 'conf.c', middle: { uid: 0 } });
    expect(await refusalOf(move({ min: { uid: -5 }, max: { uid: 5 } }))).toMatchObject({ code: 11089203 });
  });

  // jstests/sharding/move_jumbo_chunk.js
  test('when the chunk is too large, unless it is forced', async () => {
    await router.client
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
      expect(await on(0)?.countDocuments({ uid: { $gte: 5, $lt: 15 } })).toBe(10);
    } finally {
      await router.client
        .db('config')
        .collection('settings')
        .deleteOne({ _id: 'chunksize' as never });
    }
  });
});

describe('a router that dies in mid-move leaves no document twice and none lost', () => {
  /** What a router does in a move, step by step, on the cluster's servers themselves. */
  async function stages() {
    const metadata = new ConfigCatalog(new Peer(`127.0.0.1:${sets.config.port}`));
    await metadata.reload();
    const { entry } = metadata.sharded('conf.c') ?? { entry: undefined };
    if (!entry) throw new Error('conf.c is not sharded');
    const mover = { metadata, address: 'test:0' };
    const namespace = splitNamespace('conf.c');
    const [min, max] = [encode({ uid: 1_000 }), encode({ uid: 2_000 })];
    const moving: MoveEntry = {
      id: new ObjectId(),
      kind: 'move',
      ns: 'conf.c',
      uuid: entry.uuid,
      min,
      max,
      from: 'sh0',
      to: 'sh1',
    };
    const donor = await openShardCollection(metadata.peer('sh0'), namespace, entry.key);
    await prepareRecipient(metadata.peer('sh0'), metadata.peer('sh1'), namespace, true);
    return {
      begin: () => begin(moving, mover),
      copyHalf: async () => {
        const { documents } = await firstBatch(donor, moving);
        await copyRange(donor, metadata.peer('sh1'), { documents: documents.slice(0, 500), next: undefined });
      },
      copyRest: async () => {
        const { documents } = await firstBatch(donor, { min: encode({ uid: 1_500 }), max });
        await copyRange(donor, metadata.peer('sh1'), { documents, next: undefined });
      },
      commit: () => commitMove(moving, { documents: 1_000, bytes: 1 }, mover),
      cleanHalf: () => deleteRange(donor, { min, max: encode({ uid: 1_500 }) }),
      die: () => metadata.close(),
    };
  }

  test.each([
    ['begun', 1, [3_000, 0]],
    ['half copied', 2, [3_000, 0]],
    ['copied', 3, [3_000, 0]],
    ['committed', 4, [2_000, 1_000]],
    ['half cleaned', 5, [2_000, 1_000]],
  ] as const)('when the move was %s', async (_, reached, expected) => {
    await fill();
    await router.end('SIGKILL');
    const { begin, copyHalf, copyRest, commit, cleanHalf, die } = await stages();
    for (const stage of [begin, copyHalf, copyRest, commit, cleanHalf].slice(0, reached)) await stage();
    die();
    router = await startRouter(sets, router.port);
    expect(await counts()).toEqual(expected);
    expect(await idsThrough()).toEqual(ALL);
    expect(await router.client.db('config').collection('shardlab.journal').countDocuments({})).toBe(0);
    await move({ min: { uid: 1_000 }, max: { uid: 2_000 } });
    expect(await counts()).toEqual([2_000, 1_000]);
  });

  test('and while a shard is down as the next router starts, only what the move concerns waits for it', async () => {
    await fill();
    await router.end('SIGKILL');
    const { begin, copyHalf, die } = await stages();
    await begin();
    await copyHalf();
    die();
    const down = sets.shards[1] as TestSet;
    await down.member.end();
    router = await startRouter(sets, router.port);
    expect((await router.line(9_990_005)).attr).toMatchObject({ kind: 'move', on: 'conf.c', to: 'sh1' });
    await router.client.db('conf').collection('other').insertOne({ a: 1 });
    expect(await refusalOf(through().countDocuments({ uid: 1 }))).toMatchObject({
      code: 6,
      message: expect.stringMatching(/^shard sh1 could not be reached :: caused by :: .*ECONNREFUSED/),
    });
    await revive(down);
    expect(await idsThrough()).toEqual(ALL);
    expect(await counts()).toEqual([3_000, 0]);
    expect(await router.client.db('config').collection('shardlab.journal').countDocuments({})).toBe(0);
  });

  test('when it is killed while documents travel', async () => {
    await through().insertMany(Array.from({ length: 20_000 }, (_, i) => ({ _id: i, uid: i, text: 'x'.repeat(500) })));
    const broken = refusalOf(move({ min: { uid: new MinKey() } }));
    while ((await on(1)?.estimatedDocumentCount()) === 0) await new Promise((resolve) => setImmediate(resolve));
    await router.end('SIGKILL');
    await broken;
    router = await startRouter(sets, router.port);
    const [left = 0, right = 0] = await counts();
    expect(left + right).toBe(20_000);
    expect([left, right]).toContain(0);
    expect(await idsThrough()).toEqual(Array.from({ length: 20_000 }, (_, i) => i));
  });
});

describe('a shard that dies in mid-move', () => {
  test.each([
    ['the recipient', 1, 'insert', [3_000, 0]],
    ['the donor', 0, 'delete', [1_000, 2_000]],
  ] as const)(
    'is named, and when it is back nothing is there twice or lost: %s',
    async (_, which, command, expected) => {
      await fill();
      await router.end('SIGKILL'); // the one in this process takes its place
      const metadata = new ConfigCatalog(new Peer(`127.0.0.1:${sets.config.port}`));
      await metadata.reload();
      const dying = sets.shards[which] as TestSet;
      dieOn(command, metadata.peer(dying.name), dying);
      const mover = { metadata, address: 'test:0', cursors: { drain: async () => {} } } as unknown as Router;
      const collection = metadata.sharded('conf.c') as ShardedCollection;
      const range = { min: encode({ uid: 1_000 }), max: collection.chunks[0]?.max as Buffer };
      const address = `127.0.0.1:${dying.port}`;
      await expect(metadata.changing('conf.c', () => moveRange(collection, range, 'sh1', mover))).rejects.toThrow(
        address,
      );
      await expect(metadata.using('conf.c', async () => {})).rejects.toThrow(address);
      await revive(dying);
      await metadata.using('conf.c', async () => {});
      expect(await counts()).toEqual(expected);
      metadata.close();
      router = await startRouter(sets, router.port);
      expect(await idsThrough()).toEqual(ALL);
      expect(await router.client.db('config').collection('shardlab.journal').countDocuments({})).toBe(0);
    },
  );

  /** Ends the shard as a command of this name is sent to it. */
  function dieOn(command: string, peer: Peer, { member }: TestSet): void {
    const send = peer.send.bind(peer);
    peer.send = async (body, sequences) => {
      if (firstName(body) === command) await member.end('SIGKILL');
      return send(body, sequences);
    };
  }

  test('takes nothing with it that comes after a drop', async () => {
    await fill(10);
    await move({ min: { uid: 5 } });
    const dying = sets.shards[1] as TestSet;
    await dying.member.end('SIGKILL');
    expect(await refusalOf(through().drop())).toMatchObject({ code: 6 });
    expect(await refusalOf(through().insertOne({ _id: 1, uid: 1 }))).toMatchObject({ code: 6 });
    await revive(dying);
    await through().insertOne({ _id: 1, uid: 1 });
    await router.end('SIGKILL');
    router = await startRouter(sets, router.port);
    expect(await idsThrough()).toEqual([1]);
    expect(await counts()).toEqual([1, 0]);
  });
});
