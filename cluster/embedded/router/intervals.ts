/**
 * Sets of BSON values as ordered lists of intervals, and what the comparison operators of a query leave of one
 * (src/mongo/db/query/compiler/optimizer/index_bounds_builder/index_bounds_builder.cpp).
 */
import type { RawValue } from '../wire/bson.ts';
import { compareValues, MAX_KEY, MIN_KEY } from './compare.ts';

/** The values between two values. */
export interface Interval {
  min: RawValue;
  max: RawValue;
  minInclusive: boolean;
  maxInclusive: boolean;
}

/** Values as disjoint intervals in order; none at all when no value is in the set. */
export type Intervals = readonly Interval[];

/** Every value there is. */
export const ALL: Intervals = [closed(MIN_KEY, MAX_KEY)];

/** One value alone. */
export function point(value: RawValue): Intervals {
  return [closed(value, value)];
}

/** Whether the set holds exactly one value. */
export function isPoint(set: Intervals): boolean {
  const [only] = set;
  return set.length === 1 && only !== undefined && (only.min === only.max || compareValues(only.min, only.max) === 0);
}

/** An interval with both its ends. */
export function closed(min: RawValue, max: RawValue): Interval {
  return { min, max, minInclusive: true, maxInclusive: true };
}

/** The interval as a set, which is empty when nothing lies between its ends. */
export function setOf(interval: Interval): Intervals {
  return isEmpty(interval) ? [] : [interval];
}

function isEmpty({ min, max, minInclusive, maxInclusive }: Interval): boolean {
  const order = compareValues(min, max);
  return order > 0 || (order === 0 && !(minInclusive && maxInclusive));
}

/** What lies in both sets. */
export function intersect(a: Intervals, b: Intervals): Intervals {
  const found: Interval[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const left = a[i] as Interval;
    const right = b[j] as Interval;
    const lower = compareMin(left, right) > 0 ? left : right;
    const upper = compareMax(left, right) < 0 ? left : right;
    found.push(
      ...setOf({ min: lower.min, minInclusive: lower.minInclusive, max: upper.max, maxInclusive: upper.maxInclusive }),
    );
    if (upper === left) i++;
    else j++;
  }
  return found;
}

/** What lies in any of the sets. */
export function unite(sets: readonly Intervals[]): Intervals {
  const sorted = sets.flat().sort(compareMin);
  const merged: Interval[] = [];
  for (const next of sorted) {
    const last = merged.at(-1);
    if (!last || !touches(last, next)) merged.push(next);
    else if (compareMax(last, next) < 0) merged[merged.length - 1] = spanning(last, next);
  }
  return merged;
}

/** Whether no value lies between the end of `left` and the start of `right`. */
function touches(left: Interval, right: Interval): boolean {
  const order = compareValues(right.min, left.max);
  return order < 0 || (order === 0 && (right.minInclusive || left.maxInclusive));
}

function spanning(left: Interval, right: Interval): Interval {
  return {
    min: left.min,
    minInclusive: left.minInclusive,
    max: right.max,
    maxInclusive: right.maxInclusive,
  };
}

/** Every value that is not in the set. */
export function complement(set: Intervals): Intervals {
  const gaps: Interval[] = [];
  let min = MIN_KEY;
  let minInclusive = true;
  for (const interval of set) {
    gaps.push({ min, minInclusive, max: interval.min, maxInclusive: !interval.minInclusive });
    min = interval.max;
    minInclusive = !interval.maxInclusive;
  }
  gaps.push({ min, minInclusive, max: MAX_KEY, maxInclusive: true });
  return gaps.filter((gap) => !isEmpty(gap));
}

function compareMin(a: Interval, b: Interval): number {
  return compareValues(a.min, b.min) || Number(b.minInclusive) - Number(a.minInclusive);
}

function compareMax(a: Interval, b: Interval): number {
  return compareValues(a.max, b.max) || Number(a.maxInclusive) - Number(b.maxInclusive);
}
