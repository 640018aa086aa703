import { expect, test } from 'vitest';
import { isChosen } from './matrix-choice.ts';

const same = { verdicts: ['holds', 'modelled'], differs: false };
const differing = { verdicts: ['holds', 'fails'], differs: true };

test.each([
  ['any verdict', { verdict: '', differing: false }, [true, true]],
  ['one that occurs in both', { verdict: 'holds', differing: false }, [true, true]],
  ['one that occurs in one', { verdict: 'fails', differing: false }, [false, true]],
  ['one that occurs in none', { verdict: 'skipped', differing: false }, [false, false]],
  ['only what differs', { verdict: '', differing: true }, [false, true]],
  ['a verdict, and only what differs', { verdict: 'modelled', differing: true }, [false, false]],
])('rows are chosen by %s', (_, choice, chosen) => {
  expect([isChosen(same, choice), isChosen(differing, choice)]).toEqual(chosen);
});
