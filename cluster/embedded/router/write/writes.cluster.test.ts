/** Writes through the router, and what they leave on each shard. */
import { type Document, Long, ObjectId, UUID } from 'bson';
import type { Collection, Db } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endAll } from '../../mongod.fixture.ts';
import { decodePlain, encode } from '../../wire/bson.ts';
import { Peer } from '../../wire/client.ts';
import { refusalOf, startCluster, startRouter, type TestRouter, type TestSets } from '../cluster.fixture.ts';
import { recorded } from '../journal/entries.ts';
import { ConfigCatalog } from '../metadata/config-catalog.ts';
import { digest } from './move-document.ts';

type Row = Document & { _id: number | string };

let sets: TestSets;
let router: TestRouter;
let db: Db;
let rows: Collection<Row>;
let wire: Peer;

beforeAll(async () => {
  ({ sets, router } = await startCluster());
  useRouter();
  wire = new Peer(`127.0.0.1:${router.port}`);
  const admin = router.client.db('admin');
  await admin.command({ enableSharding: 'writes', primaryShard: 'sh0' });
  await admin.command({ shardCollection: 'writes.c', key: { k: 1 } });
  await admin.command({ split: 'writes.c', middle: { k: 100 } });
  await admin.command({ moveChunk: 'writes.c', find: { k: 100 }, to: 'sh1' });
  await rows.createIndex({ k: 1, email: 1 }, { unique: true, partialFilterExpression: { email: { $exists: true } } });
});
afterAll(async () => {
  wire.close();
  await endAll();
});
beforeEach(async () => {
  await rows.deleteMany({});
});
afterEach(async () => {
  const left = sets.shards.map(({ client }) => client.db('config').collection('shardlab_scratch').countDocuments({}));
  expect(await Promise.all(left)).toEqual([0, 0]);
  expect(await sets.config.client.db('config').collection('shardlab.journal').countDocuments({})).toBe(0);
});

function useRouter(): void {
  db = router.client.db('writes');
  rows = db.collection<Row>('c');
}

/** What each shard holds, asked of it directly, by `_id`. */
async function held(): Promise<Document[][]> {
  return Promise.all(
    sets.shards.map(({ client }) => client.db('writes').collection('c').find().sort({ _id: 1 }).toArray()),
  );
}

/** A session's id and a transaction number, as a driver sends with a retryable write. */
function retryable(): Document {
  return { lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1) };
}

/** A command as it is: a driver would put a session of its own over it. */
async function send(command: Document, database = 'writes'): Promise<Document> {
  return decodePlain(await wire.send(encode({ ...command, $db: database })));
}

describe('a batch across shards', () => {
  const documents = [1, 200, 1, 2].map((k, i) => ({ _id: i, k, email: 'a' }));

  test('in order stops at the first error, under its own index', async () => {
    const error = await rows.insertMany(documents).catch((refused) => refused);
    expect([error.code, error.writeErrors[0].index, error.insertedCount]).toEqual([11000, 2, 2]);
    expect(await held()).toMatchObject([[{ _id: 0 }], [{ _id: 1 }]]);
  });

  test('unordered goes on, and names each error by its own index', async () => {
    const error = await rows
      .insertMany([...documents, { _id: 9, k: [1], email: 'b' }], { ordered: false })
      .catch((refused) => refused);
    expect(error.writeErrors.map(({ index, code }: Document) => [index, code])).toEqual([
      [2, 11000],
      [4, 61],
    ]);
    expect(await held()).toMatchObject([[{ _id: 0 }, { _id: 3 }], [{ _id: 1 }]]);
  });

  test("keeps the engine's words in a write error", async () => {
    await rows.insertOne({ _id: 1, k: 1 });
    const { writeErrors } = await db.command({
      insert: 'c',
      documents: [
        { _id: 2, k: 200 },
        { _id: 1, k: 3 },
      ],
    });
    const errmsg = 'E11000 duplicate key error collection: writes.c index: _id_ dup key: { _id: 1 }';
    expect(writeErrors).toEqual([{ index: 1, code: 11000, errmsg, keyPattern: { _id: 1 }, keyValue: { _id: 1 } }]);
    expect(Object.keys(writeErrors[0])).toEqual(['index', 'code', 'errmsg', 'keyPattern', 'keyValue']);
  });

  test('of every kind, unordered', async () => {
    await rows.insertMany([
      { _id: 1, k: 1 },
      { _id: 2, k: 200 },
    ]);
    const result = await rows.bulkWrite(
      [
        { insertOne: { document: { _id: 3, k: 300 } } },
        { updateOne: { filter: { k: 1 }, update: { $set: { x: 1 } } } },
        { deleteOne: { filter: { _id: 2 } } },
        { updateMany: { filter: {}, update: { $set: { y: 1 } } } },
        { updateOne: { filter: { k: 4 }, update: { $set: { x: 1 } }, upsert: true } },
      ],
      { ordered: false },
    );
    expect(result).toMatchObject({ insertedCount: 1, deletedCount: 1, upsertedCount: 1 });
    expect((await held()).map((documents) => documents.map(({ k }) => k).sort())).toEqual([[1, 4], [300]]);
  });

  test('unacknowledged is written all the same', async () => {
    const reply = await db.command({ insert: 'c', documents: [{ _id: 1, k: 1 }], writeConcern: { w: 0 } });
    expect(reply).toEqual({ ok: 1 });
    expect(await rows.countDocuments({})).toBe(1);
  });
});

describe('a write of one document whose query does not name the shard key', () => {
  beforeEach(async () => {
    await rows.insertMany([
      { _id: 1, k: 1, n: 0 },
      { _id: 2, k: 200, n: 0 },
      { _id: 3, k: 300, n: 1 },
    ]);
  });

  test('changes exactly one, wherever it is (7.1+)', async () => {
    expect(await rows.updateOne({ n: 0 }, { $set: { seen: true } })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 1,
    });
    expect(await rows.updateOne({ n: 1 }, [{ $set: { seen: '$n' } }])).toMatchObject({ matchedCount: 1 });
    expect(await rows.countDocuments({ seen: { $exists: true } })).toBe(2);
    expect(await rows.updateOne({ n: 7 }, { $set: { seen: true } })).toMatchObject({ matchedCount: 0 });
    expect(await rows.deleteOne({ n: 0 })).toEqual({ acknowledged: true, deletedCount: 1 });
    expect(await rows.countDocuments({})).toBe(2);
  });

  test('takes the first of all shards by a sort (8.0+)', async () => {
    await rows.updateOne({ n: 0 }, { $set: { first: true } }, { sort: { k: -1 } });
    expect(
      await rows.findOneAndUpdate({}, { $set: { last: true } }, { sort: { k: -1 }, returnDocument: 'after' }),
    ).toMatchObject({ _id: 3, last: true });
    expect(await rows.findOneAndDelete({ n: 0 }, { sort: { k: 1 } })).toMatchObject({ _id: 1 });
    expect(await held()).toEqual([
      [],
      [
        { _id: 2, k: 200, n: 0, first: true },
        { _id: 3, k: 300, n: 1, last: true },
      ],
    ]);
  });

  test('upserts where the new document belongs', async () => {
    const { upsertedId } = await rows.updateOne({ name: 'x' }, { $set: { k: 500 } }, { upsert: true });
    expect(
      await rows.findOneAndUpdate({ name: 'y' }, { $set: { z: 1 } }, { upsert: true, returnDocument: 'after' }),
    ).toMatchObject({ name: 'y', z: 1 });
    expect(await held()).toMatchObject([
      [{ _id: 1 }, { name: 'y', z: 1 }],
      [{}, {}, { _id: upsertedId, name: 'x', k: 500 }],
    ]);
    const refused = await refusalOf(rows.updateMany({ name: 'z' }, { $set: { x: 1 } }, { upsert: true }));
    expect(refused).toEqual({
      code: 61,
      message: 'Failed to target upsert by query :: could not extract exact shard key',
    });
  });

  test('may be a replacement', async () => {
    expect(await rows.replaceOne({ _id: 3 }, { k: 300, other: true })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 1,
    });
    expect(await rows.findOne({ _id: 3 })).toEqual({ _id: 3, k: 300, other: true });
  });
});

describe('an _id that exists on two shards', () => {
  beforeEach(async () => {
    await rows.insertMany([
      { _id: 'x', k: 1 },
      { _id: 'x', k: 200 },
    ]);
  });

  test('updateOne by it alone: both shards write; a retryable write counts one of them (8.0+)', async () => {
    const update = { update: 'c', updates: [{ q: { _id: 'x' }, u: { $inc: { n: 1 } } }] };
    expect(await send(update)).toMatchObject({ n: 2, nModified: 2 });
    expect(await send({ ...update, ...retryable() })).toMatchObject({ n: 1, nModified: 1 });
    expect(await rows.countDocuments({ n: 2 })).toBe(2);
  });

  test('findAndModify by it alone changes exactly one (7.1+)', async () => {
    expect(await rows.findOneAndUpdate({ _id: 'x' }, { $set: { one: true } })).toMatchObject({ _id: 'x' });
    expect(await rows.countDocuments({ one: true })).toBe(1);
  });

  test('deleteMany deletes both', async () => {
    expect(await rows.deleteMany({ _id: 'x' })).toEqual({ acknowledged: true, deletedCount: 2 });
  });
});

describe('a changed shard key value', () => {
  const PREFIX = 'Plan executor error during update :: caused by :: ';
  beforeEach(async () => {
    await rows.insertMany([
      { _id: 1, k: 1, email: 'a' },
      { _id: 2, k: 200, email: 'a' },
    ]);
  });

  test('stays on its shard where that owns the new key', async () => {
    expect(await rows.updateOne({ k: 1 }, { $set: { k: 2 } })).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
    expect((await held())[0]).toEqual([{ _id: 1, k: 2, email: 'a' }]);
  });

  test.each<[string, Document | Document[]]>([
    ['modifiers', { $inc: { k: 299 } }],
    ['a pipeline', [{ $replaceWith: { $mergeObjects: ['$$ROOT', { k: { $add: ['$k', 299] } }] } }]],
  ])('moves the document to its new owner: %s', async (_, update) => {
    expect(await rows.updateOne({ _id: 1, k: 1 }, update)).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
    expect(await held()).toEqual([
      [],
      [
        { _id: 1, k: 300, email: 'a' },
        { _id: 2, k: 200, email: 'a' },
      ],
    ]);
  });

  test('moves by replacement and by findAndModify too', async () => {
    await rows.replaceOne({ k: 1 }, { k: 300, email: 'b' });
    const before = await rows.findOneAndUpdate({ _id: 2 }, { $set: { k: 5 } }, { projection: { k: 1 } });
    expect(before).toEqual({ _id: 2, k: 200 });
    expect(await held()).toEqual([[{ _id: 2, k: 5, email: 'a' }], [{ _id: 1, k: 300, email: 'b' }]]);
  });

  test('moves a new document of an upsert to its owner', async () => {
    await rows.updateOne({ _id: 3, k: 3 }, { $set: { k: 333 } }, { upsert: true });
    await rows.updateOne({ _id: 4, k: 4 }, { $setOnInsert: { k: 444 } }, { upsert: true });
    expect((await held())[1]).toMatchObject([{ _id: 2 }, { _id: 3, k: 333 }, { _id: 4, k: 444 }]);
  });

  test('that meets a unique key, or its own _id, on the other shard is refused and nothing moves', async () => {
    await rows.insertOne({ _id: 2, k: 3, email: 'c' });
    const before = await held();
    const stage =
      'During insert stage of updating a shard key :: caused by :: E11000 duplicate key error collection: writes.c index:';
    const taken = await refusalOf(rows.updateOne({ _id: 1, k: 1 }, { $set: { k: 200 } }));
    expect(taken).toEqual({
      code: 11000,
      message:
        'Update operation was converted into a distributed transaction because the document being updated would move shards and that ' +
        `transaction failed. :: caused by :: ${stage} k_1_email_1 dup key: { k: 200, email: "a" }`,
    });
    const sameId = await refusalOf(rows.updateOne({ _id: 2, k: 3 }, { $set: { k: 300 } }));
    expect(sameId).toEqual({
      code: 11000,
      message:
        "Failed to update document's shard key field. There is either an orphan for this document or _id for this collection is not " +
        `globally unique. :: caused by :: ${stage} _id_ dup key: { _id: 2 }`,
    });
    expect(await held()).toEqual(before);
  });

  test('is refused where the server refuses it', async () => {
    const before = await held();
    const update = (statement: Document, more: Document = {}) =>
      send({ update: 'c', updates: [statement], ...more }).then(({ writeErrors: [{ code, errmsg }] }) => ({
        code,
        errmsg,
      }));
    expect(await update({ q: { k: 1 }, u: { $set: { k: [2] } } }, retryable())).toEqual({
      code: 54,
      errmsg: `${PREFIX}After applying the update to the document, the field 'k' was found to be an array or array descendant.`,
    });
    expect(await update({ q: { k: 1 }, u: { $set: { k: 2 } }, multi: true })).toEqual({
      code: 72,
      errmsg: `${PREFIX}Multi-update operations are not allowed when updating the shard key field.`,
    });
    const unretryable =
      'Must run update to shard key field in a multi-statement transaction or with retryWrites: true.';
    expect(await update({ q: { k: 1 }, u: { $set: { k: 2 } } })).toEqual({
      code: 20,
      errmsg: `${PREFIX}${unretryable}`,
    });
    const [move] = [{ updateOne: { filter: { k: 1 }, update: { $set: { k: 500 } } } }];
    expect(
      await refusalOf(
        rows.bulkWrite([move as never, { updateOne: { filter: { k: 200 }, update: { $set: { x: 1 } } } }]),
      ),
    ).toEqual({
      code: 72,
      message:
        'Document shard key value updates that cause the doc to move shards must be sent with write batch of size 1',
    });
    expect((await refusalOf(rows.updateOne({ k: 1 }, { $set: { _id: 9 } }))).code).toBe(66);
    expect(await held()).toEqual(before);
  });

  test('that is no change is no matter: of many, by another number type, by a pipeline', async () => {
    expect(await rows.updateMany({ k: 1 }, { $set: { k: 1, seen: true } })).toMatchObject({ modifiedCount: 1 });
    expect(await rows.updateMany({}, [{ $replaceWith: { $mergeObjects: ['$$ROOT', { again: true }] } }])).toMatchObject(
      { modifiedCount: 2 },
    );
    expect(
      await db.command({ update: 'c', updates: [{ q: { k: 1 }, u: { $mul: { k: Long.fromNumber(1) } } }] }),
    ).toMatchObject({ n: 1 });
    expect(await rows.countDocuments({ again: true })).toBe(2);
  });
});

test('a router that dies while a document moves leaves it neither twice nor nowhere', async () => {
  await rows.insertMany([
    { _id: 'begun', k: 1 },
    { _id: 'arrived', k: 2 },
    { _id: 'taken', k: 3 },
    { _id: 'taken', k: 300 },
  ]);
  await router.end('SIGKILL');
  const metadata = new ConfigCatalog(new Peer(`127.0.0.1:${sets.config.port}`), 'router:1');
  await metadata.reload();
  for (const [_id, k] of [
    ['begun', 1],
    ['arrived', 2],
    ['taken', 3],
  ] as const) {
    const after = digest(encode({ _id, k: k + 200 }));
    const entry = {
      id: new ObjectId(),
      kind: 'document',
      ns: 'writes.c',
      documentId: encode({ _id }),
      after,
      from: 'sh0',
      to: 'sh1',
    } as const;
    await metadata.commit([recorded(entry)], () => {});
  }
  metadata.close();
  await sets.shards[1]?.client.db('writes').collection<Row>('c').insertOne({ _id: 'arrived', k: 202 });
  router = await startRouter(sets, router.port);
  useRouter();
  expect(await held()).toEqual([
    [
      { _id: 'begun', k: 1 },
      { _id: 'taken', k: 3 },
    ],
    [
      { _id: 'arrived', k: 202 },
      { _id: 'taken', k: 300 },
    ],
  ]);
  expect(await sets.config.client.db('config').collection('shardlab.journal').countDocuments({})).toBe(0);
});

describe('a retried write', () => {
  test('is answered, not applied twice: updates, inserts across shards, findAndModify, bulkWrite', async () => {
    await rows.insertMany([
      { _id: 1, k: 1, n: 0 },
      { _id: 2, k: 200, n: 0 },
    ]);
    const increments = {
      update: 'c',
      updates: [1, 200].map((k) => ({ q: { k }, u: { $inc: { n: 1 } } })),
      ...retryable(),
    };
    const inserts = {
      insert: 'c',
      documents: [
        { _id: 3, k: 3 },
        { _id: 4, k: 400 },
      ],
      ...retryable(),
    };
    const found = { findAndModify: 'c', query: { k: 1 }, update: { $inc: { n: 1 } }, new: true, ...retryable() };
    const ops = [
      { update: 0, filter: { k: 1 }, updateMods: { $inc: { n: 1 } } },
      { insert: 0, document: { _id: 5, k: 5 } },
    ];
    const bulk = { bulkWrite: 1, ops, nsInfo: [{ ns: 'writes.c' }], ...retryable() };
    for (const command of [increments, inserts, found]) {
      const first = await send(command);
      const { retriedStmtIds, retriedStmtId, ...again } = await send(command);
      expect(again).toEqual(first);
      expect(retriedStmtIds ?? [retriedStmtId]).toEqual(command === found ? [0] : [0, 1]);
    }
    const first = await send(bulk, 'admin');
    const { retriedStmtIds, ...again } = await send(bulk, 'admin');
    expect([again, retriedStmtIds]).toEqual([first, [0, 1]]);
    expect(await rows.find().sort({ _id: 1 }).toArray()).toMatchObject([
      { n: 3 },
      { n: 1 },
      { _id: 3 },
      { _id: 4 },
      { _id: 5 },
    ]);
  });

  test('does what failed, and only that', async () => {
    const inserts = {
      insert: 'c',
      documents: [
        { _id: 1, k: 1 },
        { _id: 2, k: 200, email: 'a' },
      ],
      ...retryable(),
    };
    await rows.insertOne({ _id: 9, k: 200, email: 'a' });
    expect(await send(inserts)).toMatchObject({ n: 1, writeErrors: [{ index: 1, code: 11000 }] });
    await rows.deleteOne({ _id: 9, k: 200 });
    expect(await send(inserts)).toMatchObject({ n: 2, retriedStmtIds: [0], ok: 1 });
    expect((await held()).map((documents) => documents.length)).toEqual([1, 1]);
  });

  test('is refused once its session has begun a newer one', async () => {
    const { lsid } = retryable();
    await send({ insert: 'c', documents: [{ _id: 1, k: 1 }], lsid, txnNumber: Long.fromNumber(2) });
    const old = await send({ insert: 'c', documents: [{ _id: 2, k: 1 }], lsid, txnNumber: Long.fromNumber(1) });
    expect(old).toMatchObject({ ok: 0, code: 225, codeName: 'TransactionTooOld' });
  });
});

describe('bulkWrite (8.0+)', () => {
  test('writes to several collections and tells of each operation', async () => {
    const result = await router.client.bulkWrite(
      [
        { name: 'insertOne', namespace: 'writes.c', document: { _id: 1 as never, k: 1 } },
        { name: 'insertOne', namespace: 'writes.c', document: { _id: 2 as never, k: 200 } },
        { name: 'updateMany', namespace: 'writes.c', filter: {}, update: { $set: { b: 1 } } },
        { name: 'updateOne', namespace: 'writes.plain', filter: { x: 1 }, update: { $set: { b: 1 } }, upsert: true },
        { name: 'replaceOne', namespace: 'writes.c', filter: { k: 200 }, replacement: { k: 200, z: 1 } },
        { name: 'deleteOne', namespace: 'writes.c', filter: { _id: 1 as never } },
        { name: 'deleteMany', namespace: 'writes.plain', filter: {} },
      ],
      { verboseResults: true },
    );
    expect(result).toMatchObject({
      insertedCount: 2,
      upsertedCount: 1,
      matchedCount: 3,
      modifiedCount: 3,
      deletedCount: 2,
    });
    expect([...(result.insertResults?.keys() ?? [])]).toEqual([0, 1]);
    expect(
      [...(result.updateResults?.entries() ?? [])].map(([index, { matchedCount }]) => [index, matchedCount]),
    ).toEqual([
      [2, 2],
      [3, 1],
      [4, 1],
    ]);
    expect(await held()).toEqual([[], [{ _id: 2, k: 200, z: 1 }]]);
  });

  test('stops at the first error in order, and names each one otherwise; results come in batches', async () => {
    const ops = [1, 1, 2].map((_id) => ({ insert: 0, document: { _id, k: _id } }));
    const run = (more: Document) =>
      router.client.db('admin').command({ bulkWrite: 1, ops, nsInfo: [{ ns: 'writes.c' }], ...more });
    expect(await run({})).toMatchObject({
      nErrors: 1,
      nInserted: 1,
      cursor: {
        firstBatch: [
          { ok: 1, idx: 0, n: 1 },
          { ok: 0, idx: 1, code: 11000, n: 0 },
        ],
      },
    });
    const { cursor, ...sums } = await run({ ordered: false, cursor: { batchSize: 2 } });
    expect(sums).toMatchObject({ nErrors: 2, nInserted: 1 });
    expect(cursor.firstBatch).toMatchObject([
      { idx: 0, code: 11000 },
      { idx: 1, code: 11000 },
    ]);
    const more = await router.client.db('admin').command({ getMore: cursor.id, collection: '$cmd.bulkWrite' });
    expect(more.cursor).toMatchObject({ nextBatch: [{ ok: 1, idx: 2, n: 1 }], id: 0 });
    expect((await run({ errorsOnly: true, ordered: false })).cursor.firstBatch).toHaveLength(3);
    expect((await refusalOf(run({ ops: [{ insert: 3, document: {} }] }))).code).toBe(2);
  });
});

test('a multi-document transaction is not modelled', async () => {
  const session = router.client.startSession();
  const work = session.withTransaction(() => rows.insertOne({ _id: 1, k: 1 }, { session }));
  expect((await refusalOf(work)).message).toBe(
    'shardlab: a multi-document transaction is not modelled; run it on real MongoDB with --mongodb <version>',
  );
  await session.endSession();
  expect(await rows.countDocuments({})).toBe(0);
});

test('who answered is told: an engine, a plain merge of engines, or the model', async () => {
  const harness = new Peer(`127.0.0.1:${router.port}`);
  const ask = async (command: Document) => decodePlain(await harness.send(encode({ ...command, $db: 'writes' })));
  await ask({ hello: 1, client: { application: { name: 'shardlab' } } });
  const by = async (command: Document): Promise<string> => (await ask(command)).$shardlab.answeredBy;
  try {
    expect(
      await by({
        insert: 'c',
        documents: [
          { _id: 1, k: 1 },
          { _id: 2, k: 200 },
        ],
      }),
    ).toBe('engine');
    expect(await by({ insert: 'c', documents: [{ _id: 1, k: 2 }] })).toBe('engine');
    expect(await by({ find: 'c' })).toBe('engine');
    expect(await by({ insert: 'c', documents: [{ _id: 3, k: [1] }] })).toBe('model');
    expect(await by({ update: 'c', updates: [{ q: { x: 1 }, u: { $set: { y: 1 } } }] })).toBe('model');
    expect(await by({ update: 'c', updates: [{ q: { k: 1 }, u: { $set: { k: 300 } } }], ...retryable() })).toBe(
      'model',
    );
  } finally {
    harness.close();
  }
});
