import { expect, test } from 'vitest';
import { type Expectation, judge } from './expect.ts';
import { meets } from './outcome.ts';
import type { Observed, Outcome } from './record.ts';

const race = (winners: 'exactly one' | 'none', codes: number[]): Observed => ({
  ok: true,
  race: { clients: 2, winners, codes, answeredBy: [] },
});

test.each<[Outcome, Observed, boolean]>([
  [{ ok: true }, { ok: true }, true],
  [{ ok: true }, { ok: false, code: 67 }, false],
  [{ code: 67 }, { ok: false, code: 67 }, true],
  [{ code: 67 }, { ok: false, code: 11000 }, false],
  [{ code: 67 }, { ok: false, error: 'MongoNetworkError' }, false],
  [{ code: 67 }, { ok: true }, false],
  [{ documents: 2 }, { ok: true, documents: 2 }, true],
  [{ documents: 0 }, { ok: false, code: 1 }, false],
  [{ counts: [2, 1] }, { ok: true, counts: [2, 1] }, true],
  [{ counts: [2, 1] }, { ok: true, counts: [1, 2] }, false],
  [{ counts: [2, 1] }, { ok: true, counts: [2, 1, 0] }, false],
  [{ winners: 'exactly one' }, race('exactly one', [11000]), true],
  [{ winners: 'exactly one', code: 11000 }, race('exactly one', [11000]), true],
  [{ winners: 'exactly one', code: 11000 }, race('exactly one', [112, 11000]), false],
  [{ winners: 'exactly one' }, race('none', [11000]), false],
  [{ winners: 'exactly one' }, { ok: true }, false],
  [{ scan: 'email_1' }, { ok: true, scan: 'email_1' }, true],
  [{ scan: 'email_1' }, { ok: true, scan: 'COLLSCAN, email_1' }, false],
])('%j met by %j: %s', (outcome, observed, met) => {
  expect(meets(outcome, observed)).toBe(met);
});

test('an outcome that depends on the version: the prediction follows it, the claim does not', () => {
  const dropped = {
    versions: { '<6.0.0': { ok: true }, '>=6.0.0': { code: 370 } },
    states: { code: 370 },
    claims: ['K2'],
  } as const;
  const refused = { ok: false, code: 370 };
  expect(judge(dropped, { ok: true }, '4.4.0')).toMatchObject({ expected: { ok: true }, result: 'ok', shown: false });
  expect(judge(dropped, refused, '4.4.0')).toMatchObject({ result: 'differs', shown: true });
  expect(judge(dropped, refused, '6.0.0-rc1')).toMatchObject({ expected: { code: 370 }, result: 'ok', shown: true });
});

test('a claim that names versions itself is shown by what is predicted for the version', () => {
  const since = { versions: { '>=7.1.0': { ok: true }, '<7.1.0': { code: 61 } }, claims: ['X15'] } as const;
  expect(judge(since, { ok: true }, '8.0.0')).toMatchObject({ result: 'ok', shown: true });
  expect(judge(since, { ok: true }, '7.0.0')).toMatchObject({ result: 'differs', shown: false });
});

test('a version that no range holds has no prediction', () => {
  const later = { versions: { '>=8.0.0': { ok: true } }, states: { ok: true } } as const;
  expect(judge(later, { ok: true }, '7.0.0')).toMatchObject({ expected: null, result: 'no prediction', shown: true });
});

test('what the embedded distribution does not model neither meets nor misses a prediction', () => {
  const observed = { ok: false, code: 9_990_001, codeName: 'ShardlabNotModelled' };
  expect(judge({ ok: true }, observed, '9.0.0').result).toBe('not modelled');
});

test('a recording is named by the versions that show the outcome, and by those that show another', () => {
  const observed = { ok: false, code: 85 };
  const recording = 'collation-unique#4';
  expect(judge({ code: 85, recording: 'unique-on-non-shard-key#7' }, observed, '9.0.0').recording).toEqual({
    scenario: 'unique-on-non-shard-key',
    step: 7,
    versions: ['4.2', '4.4', '4.9'],
  });
  expect(judge({ code: 86, recording }, observed, '9.0.0').recording).toMatchObject({
    versions: ['4.9'],
    otherwise: ['4.2', '4.4'],
  });
});

test.each([
  [{ winners: 'exactly one', code: 11000 }, 3, ['4.2', '4.4', '4.9']],
  [{ winners: 'more than one' }, 3, []],
] as const)('a recorded race shows %j in step %i: %j', (outcome, step, versions) => {
  const expectation = { ...outcome, recording: `concurrent-insert-race#${step}` };
  expect(judge(expectation, race('exactly one', [11000]), '9.0.0').recording?.versions).toEqual(versions);
});

test.each([
  [{ okay: true }],
  [{ ok: false }],
  [{ ok: true, documents: 1 }],
  [{ code: '11000' }],
  [{ counts: 1 }],
  [{ winners: 'one' }],
  [11000],
  [{ claims: ['G1'] }],
  [{ versions: { '>=5': { oke: true } }, states: { ok: true } }],
])('%j is no prediction, and is not met by whatever happens', (mistyped) => {
  const expectation = mistyped as unknown as Expectation;
  expect(() => judge(expectation, { ok: true }, '9.0.0')).toThrow(' is no prediction; one is { ok: true }, { code: ');
});

test.each([
  [{ ok: true, recording: 'unique-on-non-shard-key#99' }, 'no recording has unique-on-non-shard-key#99'],
  [{ ok: true, claims: ['G99'] }, "claim 'G99' is not known"],
  [{ versions: { 'from 7': { ok: true } } }, "'from 7' is no range of versions"],
])('%j names what does not exist', (expectation, fault) => {
  expect(() => judge(expectation as Expectation, { ok: true }, '9.0.0')).toThrow(fault);
});

test.each<[Outcome, string]>([
  [{ documents: 1 }, 'a step that returns an array or a number'],
  [{ counts: [1, 1] }, 'lab.counts'],
  [{ scan: 'email_1' }, 'lab.explain'],
  [{ winners: 'none' }, 'lab.race'],
])('%j cannot be seen in every step', (outcome, by) => {
  expect(() => judge(outcome, { ok: true }, '9.0.0')).toThrow(` is a prediction for ${by}`);
  expect(judge(outcome, { ok: false, code: 67 }, '9.0.0').result).toBe('differs');
});
