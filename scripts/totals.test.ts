import { expect, test } from 'vitest';
import type { ResultRecord } from '../experiments/harness/record.ts';
import { modelledRecord, realRecord } from '../reports/record.fixture.ts';
import { totalsText } from './totals.ts';

const head = { ...modelledRecord.experiment, claims: [] };
const bare: ResultRecord = { ...modelledRecord, experiment: head, steps: [], verdicts: [] };

test('experiments, predictions and claims are counted, each claim once, as on the index page', () => {
  const skipped: ResultRecord = { ...bare, ended: { how: 'skipped', reason: '' } };
  expect(totalsText([skipped, modelledRecord, modelledRecord, realRecord]).split('\n')).toEqual([
    '4 experiments: 2 differ, 1 did not end, 1 skipped',
    '6 predictions: 4 ok, 2 differ',
    '3 claims: 1 holds, 1 fails, 1 modelled (which proves nothing about MongoDB)',
  ]);
});

test('where nothing is predicted and no claim is tested, that is said', () => {
  expect(totalsText([bare])).toBe('1 experiment: 1 without predictions\nno predictions\nno claims');
});
