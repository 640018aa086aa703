import { expect, test } from 'vitest';
import type { JsonObject } from '../experiments/harness/record.ts';
import { replyOutcome } from './reply-outcome.ts';

test.each<[JsonObject, string]>([
  [{ n: 1, ok: 1 }, 'ok'],
  [{ ok: 0, code: 67, codeName: 'CannotCreateIndex', errmsg: 'no' }, 'error 67 CannotCreateIndex, no'],
  [{ ok: 0, errmsg: 'no' }, 'error, no'],
  [
    {
      ok: 1,
      writeErrors: [
        { code: 11000, errmsg: 'a' },
        { code: 11000, errmsg: 'b' },
      ],
    },
    '2 write errors: error 11000, a',
  ],
  [{ ok: 0, errmsg: 'x'.repeat(200) }, `error, ${'x'.repeat(139)}…`],
  [{ ok: 1, writeConcernError: { code: 64, errmsg: 'late' } }, 'write concern error 64, late'],
  [{ ok: 1, cursor: { firstBatch: [{}, {}], id: 0 } }, '2 documents'],
])('%j comes to %s', (reply, text) => expect(replyOutcome(reply)).toBe(text));
