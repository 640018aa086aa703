/**
 * Grouping in two steps: each shard groups its own documents into partial states, an engine merges the states (`$doingMerge`,
 * src/mongo/db/pipeline/document_source_group.cpp). Accumulators not listed here are left to the merging engine as a whole.
 */
import { documentOf, elements, field, type RawElement, type RawValue, rawValue, Type, text } from '../../wire/bson.ts';
import type { Stage } from './pipeline.ts';

/** A grouping stage in its two steps. */
export interface Partial {
  onShards: RawValue;
  onMerger: readonly RawValue[];
}

/** Accumulators that merge states given as their one argument. */
const UNARY: ReadonlySet<string> = new Set([
  '$addToSet',
  '$avg',
  '$concatArrays',
  '$first',
  '$last',
  '$max',
  '$mergeObjects',
  '$min',
  '$push',
  '$setUnion',
  '$stdDevPop',
  '$stdDevSamp',
  '$sum',
]);
/** Accumulators that merge states given as one field of their argument. `$firstN` and `$lastN` are missing: this engine's 9.0 nests them. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['$bottom', 'output'],
  ['$bottomN', 'output'],
  ['$maxN', 'input'],
  ['$median', 'input'],
  ['$minN', 'input'],
  ['$percentile', 'input'],
  ['$top', 'output'],
  ['$topN', 'output'],
]);

/** The two steps of a stage; `undefined` when it does not group, or with an accumulator that cannot be parted. */
export function partialOf({ name, operand, value }: Stage): Partial | undefined {
  switch (name) {
    case '$group':
      return operand.type === Type.object
        ? parted(value, elements(operand.bytes).filter(isAccumulated), [])
        : undefined;
    case '$bucket':
      return operand.type === Type.object
        ? parted(value, bucketOutput(operand.bytes), [{ $sort: { _id: 1 } }])
        : undefined;
    case '$sortByCount':
      return parted(value, COUNT, [{ $sort: { count: -1 } }]);
    case '$count':
      return countAs(text(operand));
    default:
      return undefined;
  }
}

const COUNT: readonly RawElement[] = [{ name: 'count', ...rawValue({ $sum: 1 }) }];

function isAccumulated({ name }: RawElement): boolean {
  return name !== '_id';
}

function bucketOutput(operand: Buffer): readonly RawElement[] {
  const output = field(operand, 'output');
  return output?.type === Type.object ? elements(output.bytes) : COUNT;
}

function countAs(name: string | undefined): Partial | undefined {
  if (!name || name.startsWith('$') || name.includes('.')) return undefined; // to be refused
  const accumulated = [{ name, ...rawValue({ $sum: 1 }) }];
  return parted(rawValue({ $group: { _id: null, [name]: { $sum: 1 } } }), accumulated, [{ $project: { _id: 0 } }]);
}

function parted(onShards: RawValue, accumulated: readonly RawElement[], then: readonly object[]): Partial | undefined {
  const merging = accumulated.map(mergingField);
  if (merging.includes(undefined)) return undefined;
  const group = documentOf([
    { name: '_id', ...rawValue('$$ROOT._id') },
    ...(merging as RawElement[]),
    { name: '$doingMerge', ...rawValue(true) },
  ]);
  const stage = { type: Type.object, bytes: documentOf([{ name: '$group', type: Type.object, bytes: group }]) };
  return { onShards, onMerger: [stage, ...then.map(rawValue)] };
}

/** `{ f: { $avg: <expression> } }` merges as `{ f: { $avg: '$$ROOT.f' } }`. */
function mergingField({ name, type, bytes }: RawElement): RawElement | undefined {
  const [accumulator] = type === Type.object ? elements(bytes) : [];
  if (!accumulator) return undefined;
  const state = rawValue(`$$ROOT.${name}`);
  const operand = mergingOperand(accumulator, state);
  const operator = accumulator.name === '$count' ? '$sum' : accumulator.name;
  return operand && { name, type: Type.object, bytes: documentOf([{ ...operand, name: operator }]) };
}

function mergingOperand({ name, type, bytes }: RawElement, state: RawValue): RawValue | undefined {
  if (name === '$count' || UNARY.has(name)) return state;
  const argument = NAMED.get(name);
  if (argument === undefined || type !== Type.object) return undefined;
  const others = elements(bytes).filter((part) => part.name !== argument);
  return { type, bytes: documentOf([...others, { ...state, name: argument }]) };
}
