import { Long, UUID } from 'bson';
import { describe, expect, test } from 'vitest';
import { encode, field } from '../wire/bson.ts';
import type { Call } from './command.ts';
import { type History, RetryableWrites } from './sessions.ts';

const session = { id: new UUID() };

function call(fields: object): Call {
  return { body: encode({ insert: 'c', ...fields }), name: 'insert', db: 'd', sequences: [] } as unknown as Call;
}

function write(txnNumber: number, more: object = {}, lsid: object = session): Call {
  return call({ lsid, txnNumber: Long.fromNumber(txnNumber), ...more });
}

const done = { done: { n: 2, nModified: 0, upserted: [] } };
const remember = async (history?: History): Promise<void> => history?.remember([0, 1], done);
const recall = async (history?: History): Promise<unknown> => [
  history?.recall(0),
  history?.recall(1),
  history?.recall(2),
];

describe('retryable writes', () => {
  test('a write without a transaction number has no history', async () => {
    expect(await new RetryableWrites().run(call({ lsid: session }), async (history) => history)).toBeUndefined();
  });

  test('the same statements under the same number are recalled; others are not', async () => {
    const retries = new RetryableWrites();
    await retries.run(write(1), remember);
    expect(await retries.run(write(1), recall)).toEqual([done, done, undefined]);
    expect(await retries.run(write(1, { stmtIds: [1, 2, 0] }), recall)).toEqual([done, undefined, done]);
    expect(await retries.run(write(1, { stmtId: 1 }), recall)).toEqual([done, undefined, undefined]);
    expect(await retries.run(write(1, {}, { id: new UUID() }), recall)).toEqual([undefined, undefined, undefined]);
  });

  test('a newer number forgets, an older one is refused', async () => {
    const retries = new RetryableWrites();
    await retries.run(write(1), remember);
    expect(await retries.run(write(2), recall)).toEqual([undefined, undefined, undefined]);
    await expect(retries.run(write(1), recall)).rejects.toMatchObject({
      code: 225,
      message: expect.stringContaining(`txnNumber 1 is prohibited on session ${session.id.toString()}`),
    });
  });

  test('a retry waits for the first attempt, even one that fails', async () => {
    const retries = new RetryableWrites();
    const order: string[] = [];
    const slow = retries.run(write(1), async (history) => {
      await new Promise((resolve) => setImmediate(resolve));
      history?.remember([0], done);
      order.push('first');
      throw new Error('connection lost');
    });
    const retry = retries.run(write(1), async (history) => {
      order.push('retry');
      return history?.recall(0);
    });
    await expect(slow).rejects.toThrow('connection lost');
    expect(await retry).toBe(done);
    expect(order).toEqual(['first', 'retry']);
  });

  test('an ended session is forgotten', async () => {
    const retries = new RetryableWrites();
    await retries.run(write(1), remember);
    retries.end(field(encode({ endSessions: [session] }), 'endSessions'));
    expect(await retries.run(write(1), recall)).toEqual([undefined, undefined, undefined]);
  });

  test('what is remembered is bounded: the session that wrote longest ago goes first', async () => {
    const retries = new RetryableWrites();
    const big = { reply: Buffer.alloc(9 * 1024 * 1024) };
    const other = { id: new UUID() };
    await retries.run(write(1), async (history) => history?.remember([0], big));
    await retries.run(write(1, {}, other), async (history) => history?.remember([0], big));
    expect(await retries.run(write(1), async (history) => history?.recall(0))).toBeUndefined();
    expect(await retries.run(write(1, {}, other), async (history) => history?.recall(0))).toBe(big);
  });
});
