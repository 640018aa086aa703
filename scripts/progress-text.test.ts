import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import type { Ending } from '../experiments/harness/record.ts';
import { modelledRecord, realRecord } from '../reports/record.fixture.ts';
import { type Done, doneText, placeOf, plainLine, underWayText } from './progress-text.ts';

const completed = { ...modelledRecord, steps: modelledRecord.steps.filter(({ check }) => check?.result !== 'differs') };
const screen = (columns: number) => ({ columns, colors: picocolors.createColors(false) });
const ended = (how: Ending, ms = 800): Done => ({ record: { ...completed, ended: how }, ms });
const longest = 'a-name-of-26-characters-it'.length;

/** Marks are others where the terminal shows no Unicode. */
const marksAside = (text: string) => text.replaceAll(/^[✔✖–+x-] /gm, '# ');

test('in a file or a pipe a line says it all', () => {
  const skipped = ended({ how: 'skipped', reason: 'it needs\n more' });
  const threw = { ...ended({ how: 'threw', error: 'TypeError: no\u001b[2J' }), place: 'at run (/my/file.ts:3:4)' };
  expect(
    [{ record: completed, ms: 800 }, { record: modelledRecord, ms: 65_400 }, skipped, threw].map(plainLine),
  ).toEqual([
    '07-an-example: 2 predictions ok (0.8 s)',
    '07-an-example: 1 of 3 predictions differs (1 min 5 s): step 3',
    '07-an-example: skipped (0.8 s): it needs more',
    '07-an-example: threw (0.8 s): TypeError: no\\x1b[2J at run (/my/file.ts:3:4)',
  ]);
  expect(plainLine({ record: realRecord, ms: 60_000 })).toBe(
    '07-an-example: did not end (1 min 0 s): given up after 60 s',
  );
  expect(plainLine(ended({ how: 'cluster failed', error: 'sh1 died' }))).toBe(
    '07-an-example: cluster failed (0.8 s): sh1 died',
  );
});

test('on a terminal the line has columns', () => {
  expect(marksAside(doneText({ record: completed, ms: 12_345 }, longest, screen(80)))).toBe(
    '# 07-an-example               12.3 s  2 predictions ok',
  );
  expect(marksAside(doneText({ record: modelledRecord, ms: 0 }, longest, screen(80)))).toBe(
    '# 07-an-example                0.0 s  1 of 3 predictions differs: step 3',
  );
});

test('what does not fit stands below, broken between words, unless the mark says it', () => {
  const skipped = ended({ how: 'skipped', reason: 'it needs what is not there' });
  expect(marksAside(doneText(skipped, longest, screen(50)))).toBe(
    '# 07-an-example                0.8 s  skipped\n  it needs what is not there',
  );
  expect(marksAside(doneText(skipped, longest, screen(30)))).toBe(
    '# 07-an-example          0.8 s\n  skipped: it needs what is\n  not there',
  );
  expect(marksAside(doneText({ record: completed, ms: 800 }, longest, screen(20)))).toBe('# 07-an-exa…   0.8 s');
});

test('what is under way shows for how long, and the next that wait', () => {
  const waiting = ['02-next', '03-after-it', '04-last', '05-last'];
  expect(underWayText(1_200, waiting, 11, screen(80))).toBe(
    '  1.2 s\n  02-next     waiting\n  03-after-it waiting\n  and 2 more',
  );
  expect(underWayText(1_200, [], 11, screen(80))).toBe('  1.2 s');
});

test('a thrown error is placed where the experiment threw it', () => {
  const error = new TypeError('no');
  error.stack =
    'TypeError: no\n    at node:internal/x:1:1\n    at f (/x/node_modules/y.js:1:1)\n    at Array.map (<anonymous>)\n    at run (/my/file.ts:3:4)';
  expect(placeOf(error)).toBe('at run (/my/file.ts:3:4)');
  error.stack = 'E: no\n    at judge (/x/experiments/harness/expect.ts:1:1)\n    at async run (/my/file.ts:3:4)';
  expect(placeOf(error)).toBe('at async run (/my/file.ts:3:4)');
  expect(placeOf('text')).toBe('at an unknown place');
});
