import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { modelledRecord, realRecord } from '../reports/record.fixture.ts';
import { isAsExpected, listOf, summary } from './summary.ts';

const completed = { ...modelledRecord, steps: modelledRecord.steps.filter(({ check }) => check?.result !== 'differs') };

test('an experiment went as expected when no prediction differs and it came to its end, or was skipped', () => {
  expect(isAsExpected(completed)).toBe(true);
  expect(isAsExpected(modelledRecord)).toBe(false);
  expect(isAsExpected({ ...completed, ended: { how: 'skipped', reason: '' } })).toBe(true);
  expect(isAsExpected({ ...completed, ended: { how: 'threw', error: '' } })).toBe(false);
  expect(isAsExpected({ ...completed, ended: { how: 'cluster failed', error: '' } })).toBe(false);
  expect(isAsExpected(realRecord)).toBe(false);
});

const screen = (columns: number) => ({ columns, colors: picocolors.createColors(false) });
const page = () => 'a/folder/page.md';

test('the summary is a table with an experiment a line, as wide as it wants to be where nobody looks', () => {
  expect(summary([completed, realRecord], page, screen(Number.POSITIVE_INFINITY)).split('\n')).toEqual([
    'experiment     outcome           claims                            page',
    '07-an-example  2 predictions ok  G1 modelled, U2 holds, K10 fails  a/folder/page.md',
    '07-an-example  did not end       G1 holds, U2 K10 skipped          a/folder/page.md',
  ]);
});

test('where there is no room, the pages stand below, then claims take lines of their own', () => {
  expect(summary([completed, realRecord], page, screen(60)).split('\n')).toEqual([
    'experiment     outcome           claims',
    '07-an-example  2 predictions ok  G1 modelled, U2 holds, K10',
    '                                 fails',
    '07-an-example  did not end       G1 holds, U2 K10 skipped',
    'pages: a/folder/*.md',
  ]);
  expect(summary([completed, { ...realRecord, verdicts: [] }], page, screen(40)).split('\n')).toEqual([
    '07-an-example',
    '  2 predictions ok',
    '  G1 modelled, U2 holds, K10 fails',
    '07-an-example',
    '  did not end',
    'pages: a/folder/*.md',
  ]);
  expect(summary([completed], page, screen(20)).split('\n')).toEqual([
    ...['07-an-example', '  2 predictions ok', '  G1 modelled, U2', '  holds, K10 fails'],
    'pages: a/folder/*.md',
  ]);
});

test('what went otherwise is red', () => {
  const text = summary([modelledRecord], page, { columns: 200, colors: picocolors.createColors(true) });
  expect(text).toContain(picocolors.createColors(true).red('1 of 3 predictions differs'));
});

test('the list names what can be run', () => {
  const run = async () => {};
  const listed = listOf([{ number: 1, name: 'one', title: 'The one', question: '?', claims: ['G1', 'U2'], run }]);
  expect(listed).toMatch(/^01-one +The one \(G1, U2\)\n\n/);
});
