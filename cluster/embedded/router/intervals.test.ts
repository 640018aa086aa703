import { expect, test } from 'vitest';
import { rawValue } from '../wire/bson.ts';
import { compareValues } from './compare.ts';
import {
  ALL,
  complement,
  type Interval,
  type Intervals,
  intersect,
  isPoint,
  point,
  setOf,
  unite,
} from './intervals.ts';

/** Ends of intervals, and a value before, between and behind any two of them. */
const ENDS = [0, 1, 2, 3].map(rawValue);
const PROBES = [-1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 'x', null].map(rawValue);

/** Every set of one interval, and every pair of them joined. */
const SINGLE: readonly Intervals[] = ENDS.flatMap((min) =>
  ENDS.flatMap((max) =>
    [true, false].flatMap((minInclusive) =>
      [true, false].map((maxInclusive) => setOf({ min, max, minInclusive, maxInclusive })),
    ),
  ),
);
const PAIRS = SINGLE.flatMap((a, i) => SINGLE.slice(i).map((b) => [a, b] as const));

/** Which probes a set holds. */
function held(set: Intervals): boolean[] {
  return PROBES.map((value) => set.some((interval) => holds(interval, value)));
}

function holds({ min, max, minInclusive, maxInclusive }: Interval, value: (typeof PROBES)[number]): boolean {
  const [below, above] = [compareValues(value, min), compareValues(value, max)];
  return (minInclusive ? below >= 0 : below > 0) && (maxInclusive ? above <= 0 : above < 0);
}

test('an intersection holds what both hold', () => {
  for (const [a, b] of PAIRS) {
    expect(held(intersect(a, b))).toEqual(held(a).map((inA, i) => inA && held(b)[i]));
  }
});

test('a union holds what either holds, in as few intervals as do', () => {
  for (const [a, b] of PAIRS) {
    const union = unite([a, b]);
    expect(held(union)).toEqual(held(a).map((inA, i) => inA || held(b)[i]));
    expect(unite([union])).toEqual(union);
  }
});

test('a complement holds what the set does not, and its complement is the set', () => {
  for (const [a, b] of PAIRS) {
    const union = unite([a, b]);
    expect(held(complement(union))).toEqual(held(union).map((inside) => !inside));
    expect(held(complement(complement(union)))).toEqual(held(union));
  }
  expect(complement(ALL)).toEqual([]);
});

test('intervals that touch become one', () => {
  const [zero, one, two] = ENDS as [Interval['min'], Interval['min'], Interval['min']];
  const left = setOf({ min: zero, max: one, minInclusive: true, maxInclusive: false });
  const right = setOf({ min: one, max: two, minInclusive: true, maxInclusive: true });
  expect(unite([right, left])).toEqual([{ min: zero, max: two, minInclusive: true, maxInclusive: true }]);
});

test('a point is one value, however it is written', () => {
  expect(isPoint(point(rawValue(1)))).toBe(true);
  expect(isPoint(unite([point(rawValue(1)), point(rawValue(1.0))]))).toBe(true);
  expect(isPoint(unite([point(rawValue(1)), point(rawValue(2))]))).toBe(false);
  expect(isPoint([])).toBe(false);
});
