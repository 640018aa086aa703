import { expect, test } from 'vitest';
import { arrayOf, documentOf, type RawValue, rawValue, Type } from '../wire/bson.ts';
import { compareKeys, compareValues } from './compare.ts';
import { ORDERED_VALUES } from './ordered-values.fixture.ts';

const ALL = ORDERED_VALUES.flatMap((row, rank) => row.map((value) => ({ rank, value })));

function wrong(wrap: (value: RawValue) => RawValue): string[] {
  return ALL.flatMap((a) =>
    ALL.filter((b) => Math.sign(compareValues(wrap(a.value), wrap(b.value))) !== Math.sign(a.rank - b.rank)).map(
      (b) => `${a.rank} (type ${a.value.type}) against ${b.rank} (type ${b.value.type})`,
    ),
  );
}

test('every pair of values sorts as written down', () => {
  expect(wrong((value) => value)).toEqual([]);
});

test('values inside objects and arrays sort as they do alone', () => {
  expect(wrong((value) => ({ type: Type.object, bytes: documentOf([{ ...value, name: 'v' }]) }))).toEqual([]);
  expect(wrong((value) => arrayOf([value]))).toEqual([]);
});

test('keys sort by their first difference, a prefix first', () => {
  const key = (...values: unknown[]) => values.map(rawValue);
  expect(compareKeys(key(1, 'b'), key(1.0, 'a'))).toBeGreaterThan(0);
  expect(compareKeys(key(1), key(1, null))).toBeLessThan(0);
  expect(compareKeys(key('x', 2), key('x', 2))).toBe(0);
});
