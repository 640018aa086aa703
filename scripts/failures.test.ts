import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import type { Exchange, Json, Observed, Outcome, ResultRecord } from '../experiments/harness/record.ts';
import { modelledRecord, realRecord } from '../reports/record.fixture.ts';
import { failuresText, patchText } from './failures.ts';

const screen = { columns: Number.POSITIVE_INFINITY, colors: picocolors.createColors(false) };

const insert = (reply: { readonly [key: string]: Json }, to = 'router'): Exchange => ({
  ...{ to, database: '<database>', command: { insert: 'u', documents: [{ _id: 1 }], ordered: true } },
  ...{ reply, answeredBy: 'engine' },
});

/** A record whose only step differs. */
function differing(expected: Outcome, observed: Observed, exchanges: readonly Exchange[]): ResultRecord {
  const check = { expected, result: 'differs', claims: [], shown: false } as const;
  return {
    ...modelledRecord,
    steps: [{ number: 4, section: 'story', caption: 'Its `uid` again.', exchanges, observed, check }],
  };
}

/** The lines below the step's caption. */
function stepLines(...step: Parameters<typeof differing>): string[] {
  const lines = failuresText([differing(...step)], screen).split('\n');
  expect(lines.slice(0, 4)).toEqual([
    'What went otherwise (- expected, + seen):',
    '',
    '07-an-example',
    '  step 4: Its uid again.',
  ]);
  return lines.slice(4).map((line) => line.slice(4));
}

const COMMAND = 'db.u.insertOne({ _id: 1 })';

test('nothing is said where everything went as predicted', () => {
  expect(failuresText([{ ...modelledRecord, steps: [] }], screen)).toBe('');
});

test('an error is shown with the server’s words, wherever they stand in the reply', () => {
  const refused = (reply: { readonly [key: string]: Json }) =>
    stepLines({ code: 67 }, { ok: false, code: 11000 }, [insert(reply)]);
  const shown = [COMMAND, '- error 67', '+ error 11000', '+ E11000 dup\\x1b key'];
  expect(refused({ ok: 1, n: 0, writeErrors: [{ index: 0, code: 11000, errmsg: 'E11000 dup\u001b key' }] })).toEqual(
    shown,
  );
  expect(refused({ ok: 0, errmsg: 'E11000 dup\u001b key' })).toEqual(shown);
  expect(refused({ ok: 1, writeConcernError: { code: 11000, errmsg: 'E11000 dup\u001b key' } })).toEqual(shown);
});

test('a success that was not expected is shown with its reply', () => {
  expect(stepLines({ code: 67 }, { ok: true }, [insert({ n: 1, ok: 1 })])).toEqual([
    ...[COMMAND, '- error 67', '+ success', '// the reply', '{ n: 1, ok: 1 }'],
  ]);
});

test('counts are held against each other shard by shard', () => {
  const counted = ['sh0', 'sh1'].map((shard) => insert({ n: 1, ok: 1 }, shard));
  expect(stepLines({ counts: [1, 2] }, { ok: true, counts: [1, 1] }, counted)).toEqual([
    ...['// shard sh0', COMMAND, '// shard sh1', COMMAND],
    ...['  sh0: 1 document', '- sh1: 2 documents', '+ sh1: 1 document'],
  ]);
});

test('documents and scans', () => {
  const reply = { cursor: { firstBatch: [] }, ok: 1 };
  expect(stepLines({ documents: 2 }, { ok: true, documents: 0 }, [insert(reply)]).slice(1, 3)).toEqual([
    ...['- 2 documents', '+ 0 documents'],
  ]);
  expect(stepLines({ scan: 'email_1' }, { ok: true, scan: 'COLLSCAN' }, [insert(reply)]).slice(1, 3)).toEqual([
    ...['- a scan of the index email_1', '+ a scan of the collection'],
  ]);
});

test('a race has no command, and only what differs is marked', () => {
  const race = { clients: 10, winners: 'more than one', codes: [11000], answeredBy: ['engine'] } as const;
  expect(stepLines({ winners: 'exactly one', code: 11000 }, { ok: true, race }, [])).toEqual([
    '- succeeded: exactly one',
    '+ succeeded: more than one',
    '  errors of the others: 11000',
  ]);
});

test('commands and replies of any length are shown by their beginning', () => {
  const documents = Array.from({ length: 500 }, (_, _id) => ({ _id, text: 'x'.repeat(1_000) }));
  const many: Exchange = {
    ...insert({ cursor: { firstBatch: documents }, ok: 1 }),
    command: { insert: 'u', documents },
  };
  const lines = stepLines({ documents: 1 }, { ok: true, documents: 500 }, Array(9).fill(many));
  expect(lines.length).toBeLessThan(80);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(410);
  expect(lines).toContain('// and 5 more commands');
  expect(lines.at(-1)).toMatch(/^\/\/ and \d+ more lines$/);
});

test('every step that differs is shown, and how an experiment ended that did not come to its end', () => {
  const twice = { ...modelledRecord, steps: [...modelledRecord.steps, ...modelledRecord.steps] };
  expect(failuresText([twice], screen).match(/step 3: A command that nobody answers\./g)).toHaveLength(2);
  expect(failuresText([modelledRecord], screen)).toContain('    - success\n    + MongoNetworkError: connection closed');
  expect(failuresText([realRecord], { ...screen, columns: 50 })).toContain(
    '\n  The experiment had not ended after 60 s and was\n  given up. ',
  );
});

test('a patch is coloured line by line', () => {
  const colors = picocolors.createColors(true);
  expect(patchText('--- a\tkept\n@@ -1 +1 @@\n-a\n+b\n \u009bc\u202ed', { ...screen, colors }).split('\n')).toEqual([
    ...[
      colors.red('--- a\tkept'),
      colors.cyan('@@ -1 +1 @@'),
      colors.red('-a'),
      colors.green('+b'),
      ' \\x9bc\\u{202e}d',
    ],
  ]);
});
