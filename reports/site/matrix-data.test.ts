import { expect, test } from 'vitest';
import type { JsonObject, ResultRecord, StepRecord } from '../../experiments/harness/record.ts';
import { modelledRecord, realRecord } from '../record.fixture.ts';
import type { ResultSet } from '../sets.ts';
import { type Detail, matrixData } from './matrix-data.ts';

function step(number: number, reply: JsonObject): StepRecord {
  return {
    number,
    section: 'story',
    caption: 'Unique.',
    exchanges: [{ to: 'router', database: 'd', command: { ping: 1 }, reply, answeredBy: 'server' }],
    observed: { ok: false, code: 67 },
    check: { expected: null, result: 'no prediction', claims: ['G1'], shown: true },
  };
}

function set(name: string, ...steps: StepRecord[]): ResultSet {
  const verdict = { claim: 'G1', verdict: 'holds', reason: '', steps: steps.map(({ number }) => number) } as const;
  const record: ResultRecord = { ...realRecord, steps, verdicts: [{ ...verdict, recordings: [] }] };
  return { name, records: [record] };
}

const refused = (errmsg: string) => ({ ok: 0, code: 67, errmsg });
const SETS = [
  set('7.0', step(1, refused('no'))),
  set('8.0', step(2, refused('no'))),
  set('9.0', step(1, refused('no!'))),
];

/** What each cell leads to: numbers and places of steps. */
const steps = (detail: Detail) => Object.values(matrixData(['G1'], SETS, detail).cells).map(([, places]) => places);

test('a step that came out the same on several servers is there once, under the number that it has on each', () => {
  expect(steps('everything')).toEqual([[[1, 0]], [[2, 0]], [[1, 1]]]);
  const { steps: told, texts } = matrixData(['G1'], SETS, 'everything');
  const replies = told.flatMap(({ exchanges }) => exchanges.map(([, , , , reply]) => texts[reply ?? -1]));
  expect(replies).toEqual(['{ ok: 0, code: 67, errmsg: "no" }', '{ ok: 0, code: 67, errmsg: "no!" }']);
});

test('told by its outcome, it says whose words stand for it; without replies, it has none', () => {
  expect(steps('each outcome once')).toEqual([[[1, 0]], [[2, 0]], [[1, 0]]]);
  expect(matrixData(['G1'], SETS, 'each outcome once').steps).toMatchObject([
    { of: '7.0', exchanges: [expect.anything()] },
  ]);
  expect(matrixData(['G1'], SETS, 'no replies').steps).toMatchObject([{ exchanges: [] }]);
});

test('steps that differ in who answered, or in what they say of the claim, are told apart', () => {
  const one = step(1, refused('no'));
  const byModel = {
    ...one,
    exchanges: one.exchanges.map((exchange) => ({ ...exchange, answeredBy: 'model' as const })),
  };
  const against: StepRecord = { ...one, check: { expected: null, result: 'differs', claims: ['G1'], shown: false } };
  const notModelled: StepRecord = {
    ...against,
    check: { expected: null, result: 'not modelled', claims: ['G1'], shown: false },
  };
  const sets = [one, byModel, against, notModelled].map((told, i) => set(`${i}`, told));
  const { cells, steps: told } = matrixData(['G1'], sets, 'each outcome once');
  expect(Object.values(cells).map(([, places]) => places)).toEqual([[[1, 0]], [[1, 1]], [[1, 2]], [[1, 3]]]);
  expect(told.map(({ bears }) => bears)).toEqual(['for', 'for', 'against', 'not']);
});

test('a text is there once; who answered, and that nobody did, is in words', () => {
  const { texts, steps: told } = matrixData(['G1', 'K10'], [{ name: 'e', records: [modelledRecord] }], 'everything');
  expect(new Set(texts).size).toBe(texts.length);
  const words = told.map(({ bears, exchanges }) => [
    bears,
    ...exchanges.flat().map((place) => (typeof place === 'number' ? texts[place] : place)),
  ]);
  expect(words).toEqual([
    [
      'for',
      'To the router',
      expect.any(String),
      'model',
      'Our model of the sharding layer answered',
      '{ ok: 0, code: 67 }',
    ],
    ['against', 'To shard sh1', expect.any(String), 'nobody', 'No reply came: connection closed'],
  ]);
});
