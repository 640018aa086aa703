/**
 * From a filter to ranges of shard keys, as the server's planner finds index bounds when the shard key is taken for an index
 * (src/mongo/db/global_catalog/shard_key_pattern_query_util.cpp, index_bounds_builder.cpp). Ranges hold at least the keys of
 * all that the filter matches. Left to match everything, where the server narrows: `$type`, `$expr`, `$nor`, `$elemMatch`.
 */
import { elements, type RawValue, rawValue, Type, truthy } from '../wire/bson.ts';
import { NULL } from './compare.ts';
import { compareNumbers } from './compare-numbers.ts';
import { hashOf } from './hash.ts';
import {
  ALL,
  closed,
  complement,
  type Interval,
  type Intervals,
  intersect,
  isPoint,
  point,
  setOf,
  unite,
} from './intervals.ts';
import { type Alternatives, type Condition, type Query, regexParts } from './query.ts';
import { regexPrefix } from './regex-prefix.ts';
import type { KeyField, ShardKeyValues } from './routing.ts';
import { bracketOf } from './type-brackets.ts';

/** A range of shard keys, both ends included: the server excludes none either (SERVER-4791). */
export interface KeyRange {
  min: ShardKeyValues;
  max: ShardKeyValues;
}

/** What is possible in each field of the key. */
type Bounds = readonly Intervals[];

/**
 * The ranges of shard keys that a filter can match.
 * @param collated strings compare by a collation, which is not the order of shard keys
 * @returns `undefined` when nothing is ruled out, no range when the filter contradicts itself
 */
export function keyRanges(query: Query, fields: readonly KeyField[], collated: boolean): KeyRange[] | undefined {
  if (query.some((part) => 'operator' in part && part.operator === '$text')) return undefined;
  const bounds = boundsOf(query, fields, collated);
  return bounds[0] === ALL ? undefined : flatten(bounds);
}

function boundsOf(query: Query, fields: readonly KeyField[], collated: boolean): Bounds {
  const bounds: Intervals[] = fields.map(() => ALL);
  for (const part of query) {
    const narrower = 'branches' in part ? unionOf(part, fields, collated) : conditionBounds(part, fields, collated);
    narrower?.forEach((set, i) => {
      bounds[i] = both(bounds[i] as Intervals, set);
    });
  }
  return bounds;
}

/** {@link intersect}, which keeps {@link ALL} itself where neither set rules anything out. */
function both(a: Intervals, b: Intervals): Intervals {
  if (a === ALL) return b;
  return b === ALL ? a : intersect(a, b);
}

/** Field by field, as the server joins the bounds of an `$or`; a branch that contradicts itself adds nothing. */
function unionOf({ branches }: Alternatives, fields: readonly KeyField[], collated: boolean): Bounds {
  const possible = branches
    .map((branch) => boundsOf(branch, fields, collated))
    .filter((bounds) => bounds.every((set) => set.length > 0));
  return fields.map((_, i) => {
    const sets = possible.map((bounds) => bounds[i] as Intervals);
    return sets.includes(ALL) ? ALL : unite(sets);
  });
}

function conditionBounds(condition: Condition, fields: readonly KeyField[], collated: boolean): Bounds | undefined {
  const at = fields.findIndex(({ path }) => path === condition.path);
  if (at < 0) return undefined;
  const set = (fields[at]?.hashed ? hashedIntervals : intervals)(condition, collated);
  return set && fields.map((_, i) => (i === at ? set : ALL));
}

/** A hashed field keeps no order: equality is all it can tell. */
function hashedIntervals({ operator, operand, negated }: Condition, collated: boolean): Intervals | undefined {
  if (operator === '$exists') return missing(operand, negated) ? point(hashOf(NULL)) : undefined;
  const members = negated ? undefined : membersOf(operator, operand);
  if (!members?.every((member) => isPlain(member, collated))) return undefined;
  return unite(members.map((member) => point(hashOf(member))));
}

function membersOf(operator: string, operand: RawValue): readonly RawValue[] | undefined {
  if (operator === '$eq') return [operand];
  return operator === '$in' && operand.type === Type.array ? elements(operand.bytes) : undefined;
}

function isPlain(member: RawValue, collated: boolean): boolean {
  return member.type !== Type.regex && member.type !== Type.array && !(collated && isCollatable(member));
}

/** The types a collation compares its own way, whatever an object or array holds (src/mongo/db/query/collation/collation_index_key.cpp). */
export function isCollatable({ type }: RawValue): boolean {
  return type === Type.string || type === Type.symbol || type === Type.object || type === Type.array;
}

function intervals(condition: Condition, collated: boolean): Intervals | undefined {
  const set = unnegated(condition, collated);
  if (!condition.negated || condition.operator === '$exists') return set;
  return set && isInvertible(condition) ? complement(set) : undefined;
}

function unnegated({ operator, operand, negated }: Condition, collated: boolean): Intervals | undefined {
  switch (operator) {
    case '$eq':
      return equalTo(operand, collated);
    case '$in':
      return oneOf(operand, collated);
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return collated && isCollatable(operand) ? undefined : inequality(operator, operand);
    case '$regex':
      return matching(operand);
    case '$mod':
      return setOf(bracketOf(Type.double));
    case '$exists':
      return missing(operand, negated) ? point(NULL) : undefined;
    default:
      return undefined;
  }
}

function equalTo(operand: RawValue, collated: boolean): Intervals | undefined {
  // An array stands for any of its elements, and none can be in a shard key.
  return operand.type === Type.array || (collated && isCollatable(operand)) ? undefined : point(operand);
}

function oneOf(operand: RawValue, collated: boolean): Intervals | undefined {
  if (operand.type !== Type.array) return undefined;
  const sets = elements(operand.bytes).map((member) =>
    member.type === Type.regex ? matching(member) : equalTo(member, collated),
  );
  return sets.includes(undefined) ? undefined : unite(sets as Intervals[]);
}

function inequality(operator: string, operand: RawValue): Intervals | undefined {
  if (operand.type === Type.array) return undefined;
  const orEqual = operator.endsWith('e');
  if (isNaNValue(operand)) return orEqual ? point(operand) : [];
  const bracket = bracketOf(operand.type);
  const interval: Interval = operator.startsWith('$gt')
    ? { ...bracket, min: operand, minInclusive: orEqual }
    : { ...aboveNaN(bracket), max: operand, maxInclusive: orEqual };
  return setOf(interval);
}

const NUMBER_BRACKET = bracketOf(Type.double);
const MINUS_INFINITY = rawValue(Number.NEGATIVE_INFINITY);

/** No number is below or above NaN, though NaN sorts before all. */
function aboveNaN(bracket: Interval): Interval {
  return bracket === NUMBER_BRACKET ? { ...bracket, min: MINUS_INFINITY } : bracket;
}

function isNaNValue(value: RawValue): boolean {
  return bracketOf(value.type) === NUMBER_BRACKET && compareNumbers(value, NUMBER_BRACKET.min) === 0;
}

/** Strings that begin as the pattern does, and the pattern itself stored as a value. */
function matching(regex: RawValue): Intervals {
  const prefix = Buffer.from(regexPrefix(...regexParts(regex)));
  return unite([prefix.length > 0 ? beginningWith(prefix) : setOf(bracketOf(Type.string)), point(regex)]);
}

function beginningWith(prefix: Buffer): Intervals {
  const next = Buffer.from(prefix);
  next[next.length - 1] = (next.at(-1) as number) + 1; // UTF-8 has no byte 0xff
  return [{ ...closed(string(prefix), string(next)), maxInclusive: false }];
}

function string(content: Buffer): RawValue {
  const bytes = Buffer.alloc(content.length + 5);
  bytes.writeInt32LE(content.length + 1);
  content.copy(bytes, 4);
  return { type: Type.string, bytes };
}

/** Whether `$exists` asks for documents without the field, whose key holds null. */
function missing(operand: RawValue, negated: boolean): boolean {
  return truthy(operand) === negated;
}

/** Types whose comparisons are exact, so that what they leave out is what their negation finds (`isExactBoundsGenerating`). */
const EXACT_TYPES: ReadonlySet<number> = new Set([
  Type.long,
  Type.double,
  Type.int,
  Type.decimal,
  Type.string,
  Type.bool,
  Type.date,
  Type.timestamp,
  Type.objectId,
  Type.binData,
  Type.object,
  Type.code,
  Type.codeWithScope,
  Type.minKey,
  Type.maxKey,
  Type.null,
]);

function isInvertible({ operator, operand }: Condition): boolean {
  const members = operator === '$in' && operand.type === Type.array ? elements(operand.bytes) : [operand];
  return operator !== '$regex' && operator !== '$mod' && members.every(({ type }) => EXACT_TYPES.has(type));
}

/**
 * Ranges of whole keys: fields up to the first that is no single value are taken together with each interval of that one;
 * the fields behind it only bound the ends (`flattenBounds`). So there are as many ranges as intervals, and no filter that fits
 * into a message reaches the server's limit of 4,000,000 (17439).
 */
function flatten(bounds: Bounds): KeyRange[] {
  if (bounds.some((set) => set.length === 0)) return [];
  const several = bounds.findIndex((set) => !isPoint(set));
  const split = several < 0 ? bounds.length - 1 : several;
  const before = bounds.slice(0, split).map((set) => (set[0] as Interval).min);
  const after = bounds.slice(split + 1);
  const lowest = after.map((set) => (set[0] as Interval).min);
  const highest = after.map((set) => (set.at(-1) as Interval).max);
  return (bounds[split] as Intervals).map(({ min, max }) => ({
    min: [...before, min, ...lowest],
    max: [...before, max, ...highest],
  }));
}
