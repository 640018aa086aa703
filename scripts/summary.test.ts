import { expect, test } from 'vitest';
import { modelledRecord, realRecord } from '../reports/record.fixture.ts';
import { isAsExpected, listOf, outcomeLines, placeOf, summary } from './summary.ts';

const completed = { ...modelledRecord, steps: modelledRecord.steps.filter(({ check }) => check?.result !== 'differs') };

test('an experiment went as expected when no prediction differs and it came to its end, or was skipped', () => {
  expect(isAsExpected(completed)).toBe(true);
  expect(isAsExpected(modelledRecord)).toBe(false);
  expect(isAsExpected({ ...completed, ended: { how: 'skipped', reason: '' } })).toBe(true);
  expect(isAsExpected({ ...completed, ended: { how: 'threw', error: '' } })).toBe(false);
  expect(isAsExpected({ ...completed, ended: { how: 'cluster failed', error: '' } })).toBe(false);
  expect(isAsExpected(realRecord)).toBe(false);
});

test('what went otherwise is said under the experiment', () => {
  expect(outcomeLines(completed)).toEqual(['07-an-example: 2 predictions ok']);
  expect(outcomeLines(modelledRecord)).toEqual([
    '07-an-example: 1 of 3 predictions differs',
    '  step 3: expected success, seen MongoNetworkError: connection closed: differs. A command that nobody answers.',
  ]);
  expect(outcomeLines(realRecord)).toEqual([
    '07-an-example: did not end',
    '  The experiment had not ended after 60 s and was given up. The report holds the steps until then.',
  ]);
});

test('the summary has one experiment a line', () => {
  expect(summary([completed, realRecord], () => 'a/page.md')).toBe(
    [
      '07-an-example  2 predictions ok  G1 modelled, U2 holds, K10 fails  a/page.md',
      '07-an-example  did not end       G1 holds, U2 K10 skipped          a/page.md',
    ].join('\n'),
  );
});

test('the list names what can be run', () => {
  const run = async () => {};
  const listed = listOf([{ number: 1, name: 'one', title: 'The one', question: '?', claims: ['G1', 'U2'], run }]);
  expect(listed).toMatch(/^01-one +The one \(G1, U2\)\n\n/);
});

test('a thrown error is placed where the experiment threw it', () => {
  const error = new TypeError('no');
  error.stack =
    'TypeError: no\n    at node:internal/x:1:1\n    at f (/x/node_modules/y.js:1:1)\n    at run (/my/file.ts:3:4)';
  expect(placeOf(error)).toBe('at run (/my/file.ts:3:4)');
  error.stack = 'E: no\n    at judge (/x/experiments/harness/expect.ts:1:1)\n    at async run (/my/file.ts:3:4)';
  expect(placeOf(error)).toBe('at async run (/my/file.ts:3:4)');
  expect(placeOf('text')).toBe('at an unknown place');
});
