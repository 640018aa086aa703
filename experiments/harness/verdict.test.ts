import { expect, test } from 'vitest';
import type { AnsweredBy, Check, Ending, StepRecord } from './record.ts';
import { type History, verdictsOf } from './verdict.ts';

/** A hand-written step: what it is evidence for, whether it shows that, and who answered. */
function step(number: number, claims: string[], shown: boolean, ...answeredBy: AnsweredBy[]): StepRecord {
  const check: Check = { expected: { ok: true }, result: shown ? 'ok' : 'differs', claims, shown };
  const exchanges = answeredBy.map((who) => ({ to: 'router', database: 'd', command: {}, reply: {}, answeredBy: who }));
  return { number, section: 'story', caption: '', exchanges, observed: { ok: shown }, check };
}

const completed: Ending = { how: 'completed' };

function verdict(claim: string, history: Partial<History>) {
  const [only] = verdictsOf({ claims: [claim], modelled: true, ended: completed, steps: [], ...history });
  return only;
}

test('on real servers a claim that every step shows holds, whichever layer decides it', () => {
  const steps = [step(1, [], true, 'server'), step(2, ['G1', 'U9'], true, 'server'), step(5, ['G1'], true, 'server')];
  expect(verdict('G1', { modelled: false, steps })).toEqual({
    claim: 'G1',
    verdict: 'holds',
    reason: 'steps 2 and 5, answered by a server',
    steps: [2, 5],
    recordings: [],
  });
});

test('one planted step that shows something else makes the claim fail, and no other', () => {
  const steps = [step(1, ['G1'], true, 'server'), step(2, ['G1'], false, 'server'), step(3, ['K7'], true, 'server')];
  const verdicts = verdictsOf({ claims: ['G1', 'K7'], modelled: false, ended: completed, steps });
  expect(verdicts.map((one) => [one.claim, one.verdict, one.reason])).toEqual([
    ['G1', 'fails', 'step 2 shows something else'],
    ['K7', 'holds', 'step 3, answered by a server'],
  ]);
});

test('a prediction met on a version where the claim is false: the claim fails', () => {
  const check: Check = { expected: { ok: true }, result: 'ok', claims: ['K2'], shown: false };
  const steps = [{ ...step(1, ['K2'], true, 'server'), check }];
  expect(verdict('K2', { modelled: false, steps })?.verdict).toBe('fails');
});

test('on a model a claim of one engine holds when real engines answered every step of it', () => {
  const steps = [
    step(1, [], true, 'model'),
    step(2, ['U9'], true, 'engine'),
    step(3, ['U9'], true, 'engine', 'engine'),
  ];
  expect(verdict('U9', { steps })).toMatchObject({
    verdict: 'holds',
    reason: 'steps 2 and 3, answered by a real engine',
  });
});

test.each(['model', 'nobody'] as const)('a claim of one engine does not hold where one reply came from: %s', (who) => {
  const steps = [step(1, ['U9'], true, 'engine'), step(2, ['U9'], true, 'engine', who)];
  expect(verdict('U9', { steps })).toMatchObject({
    verdict: 'modelled',
    reason: 'our model of the sharding layer answered in step 2',
  });
});

test.each([
  ['G1', 'our model of the sharding layer decides it here'],
  ['G5', 'our model of the sharding layer takes part in deciding it here'],
])('what the sharding layer decides (%s) never holds on a model, though engines answered', (claim, reason) => {
  const steps = [step(1, [claim], true, 'engine')];
  expect(verdict(claim, { steps })).toMatchObject({ verdict: 'modelled', reason });
});

test.each([
  ['G1', 'engine', 'modelled', 'our model of the sharding layer decides it here; step 1 shows something else'],
  ['U9', 'model', 'modelled', 'our model of the sharding layer answered in step 1; step 1 shows something else'],
  ['U9', 'engine', 'fails', 'step 1 shows something else'],
] as const)(
  'on a model, where a step answered otherwise: %s, answered by the %s, is %s',
  (claim, who, kind, reason) => {
    expect(verdict(claim, { steps: [step(1, [claim], false, who)] })).toMatchObject({ verdict: kind, reason });
  },
);

test('a modelled claim names the recordings that show it, or something else', () => {
  const recording = { scenario: 's', step: 3, versions: ['4.4'] };
  const recorded = step(1, ['G1'], true, 'model');
  const other = { ...recording, versions: [], otherwise: ['4.4'] };
  const steps = [
    { ...recorded, check: { ...(recorded.check as Check), recording } },
    { ...recorded, number: 2, check: { ...(recorded.check as Check), recording: other } },
    { ...recorded, number: 3 },
  ];
  expect(verdict('G1', { steps })?.recordings).toEqual([
    { ...recording, of: 1 },
    { ...other, of: 2 },
  ]);
});

test('a race is judged by who answered its clients', () => {
  const race = { clients: 9, winners: 'exactly one', codes: [11000] } as const;
  const raced = (...answeredBy: AnsweredBy[]) => ({
    ...step(1, ['U2'], true),
    observed: { ok: true, race: { ...race, answeredBy } },
  });
  expect(verdict('U2', { steps: [raced('engine')] })?.verdict).toBe('holds');
  expect(verdict('U2', { steps: [raced('engine', 'model')] })?.verdict).toBe('modelled');
});

test.each<[Ending, string]>([
  [{ how: 'skipped', reason: 'it needs MongoDB >=9.1' }, 'it needs MongoDB >=9.1'],
  [{ how: 'threw', error: 'TypeError' }, 'the experiment did not come to its end'],
  [{ how: 'deadline', seconds: 60 }, 'the experiment did not come to its end'],
  [{ how: 'cluster failed', error: 'sh1' }, 'the experiment did not come to its end'],
])('a history that ended with %j decides nothing but what it showed false', (ended, reason) => {
  const steps = [step(1, ['G1'], true, 'server'), step(2, ['K7'], false, 'server')];
  expect(verdict('G1', { modelled: false, ended, steps })).toMatchObject({ verdict: 'skipped', reason });
  expect(verdict('K7', { modelled: false, ended, steps })?.verdict).toBe('fails');
});

test('a claim that no step tested is skipped', () => {
  expect(verdict('G1', { steps: [step(1, ['K7'], true, 'model')] })).toMatchObject({
    verdict: 'skipped',
    reason: 'no step tested it',
  });
});
