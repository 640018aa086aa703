import { expect, test } from 'vitest';
import { brief, label, rangeText } from './short-text.ts';

test.each([
  ['a', 'a'],
  ['', '""'],
  ['<ObjectId 12>', '#12'],
  ['<i>', '<i>'],
  [{ a: [1] }, '{ a: [ 1 ] }'],
  [null, 'null'],
  ['a\u0000b\u001b', 'a\ufffdb\ufffd'],
  ['😀'.repeat(25), `${'😀'.repeat(23)}…`],
])('the label of the document with the _id %j is %s', (_id, text) => {
  expect(label({ _id })).toBe(text);
});

test('a document without an _id has a label too', () => {
  expect(label({})).toBe('null');
});

test('a long document ends with dots', () => {
  expect(brief({ text: 'x'.repeat(200) })).toMatch(/^{ text: "x{150}…$/);
});

test.each([
  [{ uid: 1 }, { min: { uid: { $minKey: 1 } }, max: { uid: 5 } }, 'MinKey() ≤ uid < 5'],
  [
    { uid: 'hashed' },
    { min: { uid: { $numberLong: '0' } }, max: { uid: { $maxKey: 1 } } },
    'Long("0") ≤ hash of uid < MaxKey()',
  ],
  [{ a: 1, b: 'hashed' }, { min: { a: 'x', b: 1 }, max: { a: 'y', b: 2 } }, '("x", 1) ≤ (a, hash of b) < ("y", 2)'],
])('chunks by %j', (key, bounds, text) => {
  expect(rangeText({ ...bounds, shard: 'sh0' }, key)).toBe(text);
});
