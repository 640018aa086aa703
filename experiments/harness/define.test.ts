import { expect, test } from 'vitest';
import { InputError } from '../../cluster/errors.ts';
import { validateExperiment } from './define.ts';

const good = { number: 7, name: 'my-experiment', title: 'Mine', question: 'Does it?', run: async () => {} };

test('an experiment needs no more than number, name, title, question and run', () => {
  expect(validateExperiment(good, 'my.ts')).toBe(good);
});

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'it must export an experiment by default'],
  ['a list', [], 'it must export an experiment by default'],
  ['no number', { ...good, number: undefined }, 'number must be a whole number from 1 to 999, but it is missing'],
  ['a number as text', { ...good, number: '7' }, "number must be a whole number from 1 to 999, not '7'"],
  ['number 0', { ...good, number: 0 }, 'not 0'],
  ['number 1000', { ...good, number: 1000 }, 'not 1000'],
  ['half a number', { ...good, number: 1.5 }, 'not 1.5'],
  ['a name that is no file name', { ...good, name: '../x' }, 'name must be lower-case words joined by hyphens'],
  ['a name that reads as a number', { ...good, name: '12' }, 'name must be lower-case words joined by hyphens'],
  ['no title', { ...good, title: '' }, "title must be a text, not ''"],
  ['no question', { ...good, question: undefined }, 'question must be a text, but it is missing'],
  ['a typing error', { ...good, tittle: 'x' }, 'unknown field tittle; an experiment has number, name'],
  ['an unknown claim', { ...good, claims: ['G1', 'Z9'] }, "claim 'Z9' is not known"],
  ['a claim that objects have', { ...good, claims: ['toString'] }, "claim 'toString' is not known"],
  ['claims that are no list', { ...good, claims: 'G1' }, "claims must be a list like ['G1'], not 'G1'"],
  ['sources that are no texts', { ...good, sources: [1] }, 'sources must be a list of texts, not [ 1 ]'],
  [
    'a bad range',
    { ...good, needs: { mongodb: 'new' } },
    "needs.mongodb must be a range of versions like '>=6.0', not 'new'",
  ],
  [
    'an unknown feature',
    { ...good, needs: { features: ['joins'] } },
    'needs.features must be a list out of transactions',
  ],
  ['an unknown need', { ...good, needs: { mongo: '>=6' } }, 'unknown field needs.mongo'],
  ['a deadline of 0', { ...good, deadlineSeconds: 0 }, 'deadlineSeconds must be a number above 0, not 0'],
  ['no run', { ...good, run: undefined }, 'run must be a function, but it is missing'],
])('%s is refused in one line', (_, value, message) => {
  const refused = () => validateExperiment(value, 'my.ts');
  expect(refused).toThrow(InputError);
  expect(refused).toThrow(message);
  expect(refused).toThrow(/^my\.ts: [^\n]+$/);
});
