import { Long } from 'bson';
import { expect, test } from 'vitest';
import { decodePlain, encode } from '../wire/bson.ts';
import { IdleCursors } from './idle-cursors.ts';

const MINUTE = 60_000;

/** Cursors over an engine that only remembers what it was told to close. */
function setUp() {
  const closed: unknown[] = [];
  const cursors = new IdleCursors({
    runAtOnce: async (body) => {
      const { killCursors, cursors: ids, $db } = decodePlain(body);
      closed.push([$db, killCursors, ...ids]);
      return encode({ ok: 1 });
    },
  });
  return { cursors, closed };
}

function cursorReply(id: number, ns = 't.c'): Buffer {
  return encode({ cursor: { firstBatch: [{ a: 1 }], id: Long.fromNumber(id), ns }, ok: 1 });
}

const find = encode({ find: 'c', $db: 't' });

test('a cursor that nobody used for ten minutes is closed, once', async () => {
  const { cursors, closed } = setUp();
  cursors.note(find, cursorReply(7, 't.a.b'), 0);
  await cursors.closeIdle(10 * MINUTE - 1);
  expect(closed).toEqual([]);
  await cursors.closeIdle(10 * MINUTE);
  await cursors.closeIdle(20 * MINUTE);
  expect(closed).toEqual([['t', 'a.b', 7]]);
});

test('a getMore keeps it open, and reading it to its end closes it', async () => {
  const { cursors, closed } = setUp();
  const getMore = encode({ getMore: Long.fromNumber(7), collection: 'c', $db: 't' });
  cursors.note(find, cursorReply(7), 0);
  cursors.note(getMore, cursorReply(7), 9 * MINUTE);
  await cursors.closeIdle(10 * MINUTE);
  cursors.note(getMore, cursorReply(0), 11 * MINUTE);
  await cursors.closeIdle(60 * MINUTE);
  expect(closed).toEqual([]);
});

test('one that asked to stay stays, also when it has been read on', async () => {
  const { cursors, closed } = setUp();
  cursors.note(encode({ find: 'c', noCursorTimeout: true, $db: 't' }), cursorReply(7), 0);
  cursors.note(encode({ getMore: Long.fromNumber(7), collection: 'c', $db: 't' }), cursorReply(7), MINUTE);
  await cursors.closeIdle(60 * MINUTE);
  expect(closed).toEqual([]);
});

test('an engine that refuses is no reason to stop', async () => {
  const asked: unknown[] = [];
  const cursors = new IdleCursors({
    runAtOnce: async (body) => {
      asked.push(decodePlain(body).killCursors);
      throw new Error('closing');
    },
  });
  cursors.note(find, cursorReply(7, 't.a'), 0);
  cursors.note(find, cursorReply(8, 't.b'), 0);
  await cursors.closeIdle(10 * MINUTE);
  expect(asked).toEqual(['a', 'b']);
});

test.each([
  ['a reply without a cursor', encode({ ping: 1, $db: 't' }), encode({ ok: 1 })],
  ['an aggregate that failed', encode({ aggregate: 'c', cursor: {}, $db: 't' }), encode({ ok: 0, cursor: 'none' })],
])('nothing is closed for %s', async (_, command, reply) => {
  const { cursors, closed } = setUp();
  cursors.note(command, reply, 0);
  await cursors.closeIdle(60 * MINUTE);
  expect(closed).toEqual([]);
});
