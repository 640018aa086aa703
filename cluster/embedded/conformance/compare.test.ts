import { expect, it } from 'vitest';
import type { Answer } from './answer.ts';
import { compare, type Known, tally } from './compare.ts';
import type { Exception } from './exceptions/entry.ts';
import type { Recording } from './recordings.ts';
import type { Step } from './scenarios.ts';

const insert: Step = { cmd: { insert: 'c', documents: [{ _id: 1 }] } };
const split: Step = { cmd: { split: 'db.c' }, loose: true };
const insertMany: Step = { api: 'insertMany', coll: 'c', args: [[{ _id: 1 }]] };

const inserted: Answer = { reply: { n: 1, ok: 1 } };
const refused: Answer = { error: { code: 61, message: 'no shard key' } };
const bulk = (index: number, insertedCount: number): Answer => ({
  error: { code: 11000, message: 'taken', writeErrors: [{ index, code: 11000, message: 'taken' }], insertedCount },
});

const nothing: Known = { version: [], notModelled: [], rewordings: [] };
const exception = (answer: Exception['answer']): Exception => ({
  steps: ['scenario#0'],
  versions: ['4.4'],
  answer,
  because: 'it changed',
  evidence: ['a file'],
});

function compared(step: Step, recorded: Answer, answered: Answer, known: Partial<Known> = {}) {
  const recording: Recording = {
    line: '4.4',
    server: { version: '4.4.0', note: '' },
    scenarios: { scenario: [{ step, answer: recorded }] },
  };
  const { steps, unneeded } = compare(
    recording,
    { scenario: [answered] },
    { ...nothing, ...known },
    { scenario: [step] },
  );
  return { verdict: steps[0]?.verdict, unneeded };
}

it.each<[string, Step, Answer, Answer, string]>([
  ['the same', insert, inserted, inserted, 'agrees'],
  ['a note more', insert, inserted, { reply: { n: 1, note: 'once', ok: 1 } }, 'agrees'],
  ['another count', insert, inserted, { reply: { n: 0, ok: 1 } }, 'differs'],
  ['an error in place of a reply', insert, inserted, refused, 'differs'],
  ['another code', insert, refused, { error: { code: 72, message: 'no shard key' } }, 'differs'],
  ['no code', split, refused, { error: { message: 'no shard key' } }, 'differs'],
  ['another text', insert, refused, { error: { code: 61, message: 'no key' } }, 'differs'],
  ['other documents', insert, { reply: [{ _id: 1 }, { _id: 2 }] }, { reply: [{ _id: 2 }, { _id: 1 }] }, 'differs'],
  ['another reply of which success counts', split, inserted, { reply: {} }, 'agrees'],
  ['the index of another failed write', insertMany, bulk(0, 3), bulk(1, 3), 'differs'],
  ['another number of inserted documents', insertMany, bulk(0, 3), bulk(0, 2), 'differs'],
])('%s', (_what, step, recorded, answered, verdict) => {
  expect(compared(step, recorded, answered).verdict).toBe(verdict);
});

it('what is excepted answers as its entry says, and is told apart by list', () => {
  const entry = exception(refused);
  expect(compared(insert, inserted, refused, { version: [entry] })).toEqual({ verdict: 'version', unneeded: [] });
  expect(compared(insert, inserted, refused, { notModelled: [entry] })).toEqual({
    verdict: 'not modelled',
    unneeded: [],
  });
});

it.each<[string, Answer, Answer]>([
  ['that is not met', refused, { reply: { n: 2, ok: 1 } }],
  ['in other words', refused, { error: { code: 61, message: 'no key' } }],
  ['that is not needed', refused, inserted],
])('an entry %s is an error', (_what, says, answered) => {
  const { verdict, unneeded } = compared(insert, inserted, answered, { version: [exception(says)] });
  expect(unneeded).toEqual(['scenario#0 for MongoDB 4.4']);
  expect(verdict).toBe(answered === inserted ? 'agrees' : 'differs');
});

it('an entry for a step that does not exist, or twice for one, is an error', () => {
  const nowhere: Exception = { ...exception(refused), steps: ['scenario#1', 'other#0'] };
  const known = { version: [nowhere, exception(refused), exception(refused)] };
  expect(compared(insert, inserted, refused, known)).toEqual({
    verdict: 'version',
    unneeded: ['scenario#1 for MongoDB 4.4', 'other#0 for MongoDB 4.4', 'scenario#0 for MongoDB 4.4'],
  });
});

it('an entry for another version does not count', () => {
  const other: Exception = { ...exception(refused), versions: ['4.2'] };
  expect(compared(insert, inserted, refused, { version: [other] })).toEqual({ verdict: 'differs', unneeded: [] });
});

it('other words are allowed where they are listed, and must be needed', () => {
  const [now, was]: Answer[] = [{ error: { code: 61, message: 'lacks: no shard key' } }, refused];
  const { answer: _answer, because: _because, ...where } = exception(refused);
  const rewordings = [{ ...where, text: (text: string) => `lacks: ${text}` }];
  expect(compared(insert, was as Answer, now as Answer, { rewordings })).toEqual({ verdict: 'agrees', unneeded: [] });
  expect(compared(insert, refused, refused, { rewordings }).unneeded).toEqual(['scenario#0 for MongoDB 4.4']);
});

it('a scenario that is not the one recorded is refused', () => {
  const recording: Recording = {
    line: '4.4',
    server: { version: '4.4.0', note: '' },
    scenarios: { scenario: [{ step: split, answer: inserted }] },
  };
  expect(() => compare(recording, { scenario: [inserted] }, nothing, { scenario: [insert] })).toThrow(
    'the scenario scenario is not the one that was recorded on MongoDB 4.4',
  );
});

it('the tally counts every step once', () => {
  const recording: Recording = {
    line: '4.4',
    server: { version: '4.4.0', note: '' },
    scenarios: { scenario: [insert, insert, insert].map((step) => ({ step, answer: inserted })) },
  };
  const answers = { scenario: [refused, inserted, refused] };
  const known = { ...nothing, version: [exception(refused)] };
  expect(tally(compare(recording, answers, known, { scenario: [insert, insert, insert] }))).toEqual({
    agrees: 1,
    reworded: 0,
    version: 1,
    'not modelled': 0,
    differs: 1,
  });
});
