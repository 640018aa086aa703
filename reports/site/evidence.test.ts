import { expect, test } from 'vitest';
import type { Exchange, ResultRecord, StepRecord } from '../../experiments/harness/record.ts';
import { realRecord } from '../record.fixture.ts';
import type { ResultSet } from '../sets.ts';
import { everyWord, evidenceOf, outcomeAlone } from './evidence.ts';

function step(number: number, caption: string, reply: Exchange['reply']): StepRecord {
  const exchange: Exchange = { to: 'router', database: 'd', command: { ping: 1 }, reply, answeredBy: 'server' };
  const code = reply?.code;
  const observed = typeof code === 'number' ? { ok: false, code } : { ok: true };
  return { number, section: 'story', caption, exchanges: [exchange], observed };
}

function set(name: string, steps: readonly StepRecord[], experiment = 1): ResultSet {
  const record: ResultRecord = {
    ...realRecord,
    experiment: { ...realRecord.experiment, number: experiment },
    ended: { how: 'completed' },
    steps,
    verdicts: [{ claim: 'G1', verdict: 'holds', reason: '', steps: steps.map(({ number }) => number), recordings: [] }],
  };
  return { name, records: [record] };
}

const refused = (errmsg: string) => ({ ok: 0, code: 67, errmsg });
/** Captions, and who gave each answer under which number. */
const told = (...[sets, sameness]: [readonly ResultSet[], typeof everyWord]) =>
  evidenceOf('G1', sets, sameness).flatMap(({ steps }) =>
    steps.map(({ caption, answers }) => [
      caption,
      ...answers.map(({ from }) => from.map((one) => `${one.set.name} ${one.step.number}`)),
    ]),
  );

test('an answer that several servers gave is there once; steps are known by their captions', () => {
  const sets = [
    set('7.0', [step(1, 'Unique.', refused('no')), step(2, 'Found.', { ok: 1 })]),
    set('8.0', [step(1, 'New.', { ok: 1 }), step(2, 'Unique.', refused('no!')), step(3, 'Found.', { ok: 1 })]),
    set('9.0', [step(1, 'Unique.', refused('no'))]),
  ];
  expect(told(sets, everyWord)).toEqual([
    ['Unique.', ['7.0 1', '9.0 1'], ['8.0 2']],
    ['New.', ['8.0 1']],
    ['Found.', ['7.0 2', '8.0 3']],
  ]);
});

test('answers that come to the same can be counted as one', () => {
  const sets = [set('7.0', [step(1, 'Unique.', refused('no'))]), set('8.0', [step(1, 'Unique.', refused('no!'))])];
  expect(told(sets, outcomeAlone)).toEqual([['Unique.', ['7.0 1', '8.0 1']]]);
});

test('a caption that occurs twice is two steps', () => {
  const twice = [step(1, 'Again.', { ok: 1 }), step(2, 'Again.', refused('no'))];
  expect(told([set('7.0', twice), set('8.0', twice)], everyWord)).toEqual([
    ['Again.', ['7.0 1', '8.0 1']],
    ['Again.', ['7.0 2', '8.0 2']],
  ]);
});

test('experiments stand in their order, each with the verdicts of its servers', () => {
  const sets = [set('7.0', [], 2), set('8.0', [], 1), set('9.0', [], 2), { name: 'none', records: [] }];
  const evidence = evidenceOf('G1', sets, everyWord);
  expect(evidence.map(({ experiment, said }) => [experiment.number, ...said.map((one) => one.set.name)])).toEqual([
    [1, '8.0'],
    [2, '7.0', '9.0'],
  ]);
});
