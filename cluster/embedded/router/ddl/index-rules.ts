/** Which indexes fit a shard key: pure rules (src/mongo/db/global_catalog/ddl/shard_key_index_util.cpp, shard_key_pattern.cpp). */
import { elements, Type, text } from '../../wire/bson.ts';
import { compareValues } from '../compare.ts';
import type { Index } from './indexes.ts';

/** Whether any field of a key pattern is hashed. */
export function isHashedPattern(key: Buffer): boolean {
  return elements(key).some((part) => text(part) === 'hashed');
}

/**
 * Whether a unique index stays unique over all shards of a collection with this shard key: the key's field names are a prefix of
 * the index's, whatever the values, and its collation is simple. Indexes that begin with `_id` pass, as `_id` itself does.
 */
export function isUniqueCompatible(shardKey: Buffer, { key, collation }: Pick<Index, 'key' | 'collation'>): boolean {
  const names = namesOf(key);
  if (names[0] === '_id') return true;
  return collation === undefined && namesOf(shardKey).every((name, i) => names[i] === name);
}

/** Whether the shard key, names and values, is a prefix of an index's key. */
export function isKeyPrefix(shardKey: Buffer, indexKey: Buffer): boolean {
  const of = elements(indexKey);
  return elements(shardKey).every((part, i) => {
    const other = of[i];
    return other !== undefined && other.name === part.name && compareValues(part, other) === 0;
  });
}

/** Whether two key patterns are the same. */
export function isSameKey(a: Buffer, b: Buffer): boolean {
  return isKeyPrefix(a, b) && isKeyPrefix(b, a);
}

/**
 * Why an index cannot serve as the shard key's, in the server's words; `undefined` when it can.
 * @param multikey whether it is multikey; asked only when nothing else speaks against it
 * @param singleKey a multikey index will not do
 */
export async function unfitness(
  index: Index,
  shardKey: Buffer,
  { multikey, singleKey }: { multikey: (index: Index) => Promise<boolean>; singleKey: boolean },
): Promise<string | undefined> {
  const sparse = index.sparse || isWildcard(index);
  const prefix = isKeyPrefix(shardKey, index.key);
  const isMulti = !index.partial && !sparse && prefix && singleKey && (await multikey(index));
  const reasons = [
    index.partial && ' Index key is partial.',
    sparse && ' Index key is sparse.',
    isMulti && ' Index key is multikey.',
    index.collation && ' Index has a non-simple collation.',
    !prefix && ' Shard key is not a prefix of index key.',
    isWildcard(index) && ' Index key is a wildcard index.',
  ].filter((reason) => typeof reason === 'string');
  return reasons.length > 0 ? `Index ${index.name} cannot be used for sharding because:${reasons.join('')}` : undefined;
}

/** The name an index gets when nobody names it: `a_1_b_hashed`. */
export function indexName(key: Buffer): string {
  return elements(key)
    .map((part) => `${part.name}_${part.type === Type.string ? text(part) : 1}`)
    .join('_');
}

function isWildcard({ key }: Index): boolean {
  return namesOf(key).some((name) => name === '$**' || name.endsWith('.$**'));
}

function namesOf(key: Buffer): string[] {
  return elements(key).map(({ name }) => name);
}
