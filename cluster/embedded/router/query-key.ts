/** The shard key that a filter fixes (`extractShardKeyFromQuery`, src/mongo/db/global_catalog/shard_key_pattern_query_util.cpp). */
import { type RawValue, Type } from '../wire/bson.ts';
import { compareValues } from './compare.ts';
import { hashOf } from './hash.ts';
import { isEquality, type Query } from './query.ts';
import type { KeyField, ShardKeyValues } from './routing.ts';
import { isStorable, valueAt } from './shard-key.ts';

/**
 * The shard key that every match of a filter has, given by equalities on each of its fields or on an object that holds them.
 * A hashed field's value is its hash.
 * @returns `undefined` when a field is not fixed, is fixed twice, or only in part
 */
export function keyOfQuery(query: Query, fields: readonly KeyField[]): ShardKeyValues | undefined {
  const equalities = equalitiesOf(query, fields);
  if (!equalities) return undefined;
  const key: RawValue[] = [];
  for (const { path, hashed } of fields) {
    const value = fixedValue(equalities, path);
    if (!value || !isStorable(value)) return undefined;
    key.push(hashed ? hashOf(value) : value);
  }
  return key;
}

type Equalities = ReadonlyMap<string, RawValue>;

/** Equalities on key fields and above them; `undefined` when one contradicts another or reaches below a key field. */
function equalitiesOf(query: Query, fields: readonly KeyField[]): Equalities | undefined {
  const found = new Map<string, RawValue>();
  for (const part of query) {
    if (!isEquality(part) || !fields.some(({ path }) => areRelated(path, part.path))) continue;
    if (fields.some(({ path }) => isBelow(part.path, path))) return undefined;
    const before = found.get(part.path);
    // A condition given twice is one: the server's simplifier drops the second.
    if (before && compareValues(before, part.operand) !== 0) return undefined;
    found.set(part.path, part.operand);
  }
  const paths = [...found.keys()];
  return paths.some((path) => paths.some((other) => isBelow(path, other))) ? undefined : found;
}

function areRelated(a: string, b: string): boolean {
  return a === b || isBelow(a, b) || isBelow(b, a);
}

function isBelow(path: string, above: string): boolean {
  return path.startsWith(above) && path[above.length] === '.';
}

function fixedValue(equalities: Equalities, path: string): RawValue | undefined {
  const whole = equalities.get(path);
  if (whole) return whole;
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const parent = equalities.get(path.slice(0, dot));
    if (parent) return parent.type === Type.object ? valueAt(parent.bytes, path.slice(dot + 1)) : undefined;
  }
  return undefined;
}
