import { Long } from 'bson';
import { describe, expect, test } from 'vitest';
import { decodePlain, encode, field } from '../wire/bson.ts';
import type { Catalog } from './catalog.ts';
import type { Call } from './command.ts';
import { CursorRegistry } from './cursors.ts';
import { type CursorReply, cursorIn } from './read/batch.ts';
import { FAKE_CURSOR, FakeShard, open } from './read/fake-shard.fixture.ts';
import { Concatenation } from './read/merge.ts';
import { MergedCursor } from './read/merged-cursor.ts';
import { ShardCursor } from './read/shard-cursor.ts';

const MINUTE = 60_000;

function setUp(count: number) {
  const shard = new FakeShard(Array.from({ length: count }, (_, _id) => ({ _id })));
  const locked: string[] = [];
  let free = Promise.resolve();
  const catalog = {
    peer: () => shard.peer,
    usingAll: (namespaces: readonly string[], work: () => Promise<unknown>) => {
      locked.push(...namespaces);
      return free.then(work);
    },
  } as unknown as Catalog;
  /** Lets every request wait for its collection until what it returns is called. */
  const hold = (): (() => void) => {
    let release = (): void => {};
    free = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  return { shard, locked, hold, cursors: new CursorRegistry(catalog) };
}

function call(fields: object): Call {
  return { name: Object.keys(fields)[0], db: 'd', body: encode(fields), sequences: [] } as unknown as Call;
}

/** Adopts the fake shard's cursor; returns the client's id of it. */
async function adopted(cursors: CursorRegistry, shard: FakeShard): Promise<Long> {
  const { cursor } = decodeCursor(cursors.adopt(await open(shard, 2), 'sh0', call({ find: 'c' })));
  return cursor.id;
}

function decodeCursor(reply: Buffer): { cursor: { id: Long; firstBatch?: object[]; nextBatch?: object[] } } {
  const { cursor } = decodePlain(reply);
  const id = field(field(reply, 'cursor')?.bytes as Buffer, 'id')?.bytes as Buffer;
  return { cursor: { ...cursor, id: Long.fromBytesLE([...id]) } };
}

/** A cursor of the router's own, closed in a turn of its own; returns the client's id of it. */
async function opened(cursors: CursorRegistry, shard: FakeShard, onClose: () => void): Promise<Long> {
  const source = new Concatenation([new ShardCursor(shard.peer, cursorIn(await open(shard, 2)) as CursorReply)]);
  const later = () => new Promise<void>((resolve) => setTimeout(() => resolve(onClose()), 5));
  const cursor = new MergedCursor(source, { onClose: later });
  return decodeCursor(cursors.open(cursor, ['d.c'], await cursor.first(2), 'engine', call({ find: 'c' })).body).cursor
    .id;
}

describe("a cursor of the router's own", () => {
  test.each<[string, (cursors: CursorRegistry, id: Long) => Promise<unknown>]>([
    ['read to its end', (cursors, id) => cursors.getMore(call({ getMore: id, collection: 'c' }))],
    ['killed', (cursors, id) => cursors.killCursors(call({ killCursors: 'c', cursors: [id] }))],
  ])('that is %s has left nothing behind when the client is told', async (_, end) => {
    const { shard, cursors } = setUp(3);
    let isClosed = false;
    const id = await opened(cursors, shard, () => {
      isClosed = true;
    });
    expect(isClosed).toBe(false);
    await end(cursors, id);
    expect(isClosed).toBe(true);
  });
});

describe('a cursor that is killed while a request uses it', () => {
  const killed = { code: 237, message: 'operation was interrupted' };

  test.each<[string, (cursors: CursorRegistry, shard: FakeShard) => Promise<Long>]>([
    ["a shard's", adopted],
    ["the router's own", (cursors, shard) => opened(cursors, shard, () => {})],
  ])('ends that request with an error, not with a page that looks like the last: %s', async (_, begin) => {
    const { shard, cursors } = setUp(9);
    const id = await begin(cursors, shard);
    const more = cursors.getMore(call({ getMore: id, collection: 'c' }));
    for (let turn = 0; turn < 50; turn++) await Promise.resolve(); // the shard answers in a later turn of the event loop
    expect(shard.all('getMore')).toHaveLength(1);
    const kill = cursors.killCursors(call({ killCursors: 'c', cursors: [id] }));
    await expect(more).rejects.toMatchObject(killed);
    expect(String(decodePlain((await kill).body).cursorsKilled)).toBe(String(id));
  });

  test('also while the request waits for its collection, where it is in use already', async () => {
    const { shard, cursors, hold } = setUp(9);
    const id = await adopted(cursors, shard);
    const release = hold();
    const more = call({ getMore: id, collection: 'c' });
    const waiting = cursors.getMore(more);
    await expect(cursors.getMore(more)).rejects.toMatchObject({ code: 12051 });
    await cursors.killCursors(call({ killCursors: 'c', cursors: [id] }));
    release();
    await expect(waiting).rejects.toMatchObject(killed);
    expect(shard.all('getMore')).toEqual([]);
  });
});

describe("a shard's cursor that a client reads through the router", () => {
  test('gets an id of the router, and is asked of the shard under its own', async () => {
    const { shard, cursors, locked } = setUp(5);
    const id = await adopted(cursors, shard);
    expect(id.equals(FAKE_CURSOR)).toBe(false);
    expect(id.isPositive()).toBe(true);
    const { body, answeredBy } = await cursors.getMore(
      call({ getMore: id, collection: 'c', batchSize: 2, comment: 'mine' }),
    );
    expect(decodeCursor(body).cursor).toMatchObject({ id, nextBatch: [{ _id: 2 }, { _id: 3 }], ns: 'd.c' });
    expect(answeredBy).toBe('engine');
    expect(shard.all('getMore')).toMatchObject([{ getMore: 7, collection: 'c', batchSize: 2, comment: 'mine' }]);
    expect(locked).toEqual(['d.c']);
  });

  test('is forgotten when it is exhausted', async () => {
    const { shard, cursors } = setUp(3);
    const id = await adopted(cursors, shard);
    const { body } = await cursors.getMore(call({ getMore: id, collection: 'c' }));
    expect(decodeCursor(body).cursor.id.isZero()).toBe(true);
    await expect(cursors.getMore(call({ getMore: id, collection: 'c' }))).rejects.toMatchObject({
      code: 43,
      message: `Cursor not found (id: ${id}).`,
    });
  });

  test('is not adopted when one batch was all, nor when there is none', async () => {
    const { shard, cursors } = setUp(1);
    const reply = await open(shard);
    expect(cursors.adopt(reply, 'sh0', call({ find: 'c' })).equals(reply)).toBe(true);
    const other = encode({ n: 1, ok: 1 });
    expect(cursors.adopt(other, 'sh0', call({ count: 'c' }))).toBe(other);
  });

  test('is of its own collection only', async () => {
    const { shard, cursors } = setUp(5);
    const id = await adopted(cursors, shard);
    await expect(cursors.getMore(call({ getMore: id, collection: 'other' }))).rejects.toMatchObject({
      code: 13,
      message: "Requested getMore on namespace 'd.other', but cursor belongs to a different namespace d.c",
    });
  });

  test.each<[object, number, string]>([
    [{ getMore: 1n }, 40414, "BSON field 'getMore.collection' is missing but a required field"],
    [
      { getMore: 1n, collection: 5 },
      14,
      "BSON field 'getMore.collection' is the wrong type 'int', expected type 'string'",
    ],
    [{ getMore: 1n, collection: 'c', limit: 1 }, 40415, "BSON field 'getMore.limit' is an unknown field."],
    [{ getMore: 1, collection: 'c' }, 14, "BSON field 'getMore.getMore' is the wrong type 'int', expected type 'long'"],
    [
      { getMore: 1n, collection: 'c', batchSize: -1 },
      2,
      "BSON field 'batchSize' value must be >= 0, actual value '-1'",
    ],
  ])('%o is no request for more', async (fields, code, message) => {
    await expect(setUp(1).cursors.getMore(call(fields))).rejects.toMatchObject({ code, message });
  });

  test.each<[object, number, string]>([
    [{ killCursors: 'c' }, 40414, "BSON field 'killCursors.cursors' is missing but a required field"],
    [
      { killCursors: 'c', cursors: [1] },
      14,
      "BSON field 'killCursors.cursors.0' is the wrong type 'int', expected type 'long'",
    ],
  ])('%o kills none', async (fields, code, message) => {
    await expect(setUp(1).cursors.killCursors(call(fields))).rejects.toMatchObject({ code, message });
  });

  test('serves one request at a time', async () => {
    const { shard, cursors } = setUp(9);
    const id = await adopted(cursors, shard);
    const more = call({ getMore: id, collection: 'c', batchSize: 1 });
    const first = cursors.getMore(more);
    await expect(cursors.getMore(more)).rejects.toMatchObject({ code: 12051 });
    await first;
    await cursors.getMore(more);
  });

  test('is killed on the shard when the client kills it; unknown ids are named', async () => {
    const { shard, cursors } = setUp(9);
    const id = await adopted(cursors, shard);
    const { body } = await cursors.killCursors(call({ killCursors: 'c', cursors: [id, Long.fromNumber(1)] }));
    expect(decodePlain(body)).toMatchObject({ cursorsAlive: [], cursorsUnknown: [], ok: 1 });
    expect(String(decodePlain(body).cursorsKilled)).toBe(String(id));
    expect(Number(decodePlain(body).cursorsNotFound)).toBe(1);
    expect(shard.all('killCursors')).toMatchObject([{ cursors: [7] }]);
  });

  test('is closed after ten minutes without a request', async () => {
    const { shard, cursors } = setUp(9);
    const id = await adopted(cursors, shard);
    cursors.closeIdle(Date.now() + 9 * MINUTE);
    await cursors.getMore(call({ getMore: id, collection: 'c', batchSize: 1 }));
    cursors.closeIdle(Date.now() + 11 * MINUTE);
    await expect(cursors.getMore(call({ getMore: id, collection: 'c' }))).rejects.toMatchObject({ code: 43 });
    expect(shard.all('killCursors')).toHaveLength(1);
  });

  test('stays for ever when it was told to', async () => {
    const { shard, cursors } = setUp(9);
    const asked = call({ find: 'c', noCursorTimeout: true });
    const { id } = decodeCursor(cursors.adopt(await open(shard, 2), 'sh0', asked)).cursor;
    cursors.closeIdle(Date.now() + 60 * MINUTE);
    await cursors.getMore(call({ getMore: id, collection: 'c', batchSize: 1 }));
    cursors.closeIdle(Date.now() + 60 * MINUTE);
    await cursors.getMore(call({ getMore: id, collection: 'c', batchSize: 1 }));
  });

  test('keeps what it had to return when documents move, and asks the shard no more', async () => {
    const { shard, cursors } = setUp(6);
    const id = await adopted(cursors, shard);
    await cursors.drain('d.other');
    expect(shard.all('getMore')).toHaveLength(0);
    await cursors.drain('d.c');
    shard.failure = 'gone';
    const { body } = await cursors.getMore(call({ getMore: id, collection: 'c', batchSize: 3 }));
    expect(decodeCursor(body).cursor).toMatchObject({ id, nextBatch: [{ _id: 2 }, { _id: 3 }, { _id: 4 }] });
    const last = await cursors.getMore(call({ getMore: id, collection: 'c' }));
    expect(decodeCursor(last.body).cursor).toMatchObject({ nextBatch: [{ _id: 5 }] });
    expect(decodeCursor(last.body).cursor.id.isZero()).toBe(true);
  });

  test('ends with the error of the shard, and is gone', async () => {
    const { shard, cursors } = setUp(6);
    const id = await adopted(cursors, shard);
    shard.failure = 'refuse';
    await expect(cursors.getMore(call({ getMore: id, collection: 'c' }))).rejects.toMatchObject({ name: 'Refused' });
    await expect(cursors.getMore(call({ getMore: id, collection: 'c' }))).rejects.toMatchObject({ code: 43 });
  });
});
