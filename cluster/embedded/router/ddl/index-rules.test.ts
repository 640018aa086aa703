import { expect, test } from 'vitest';
import { encode } from '../../wire/bson.ts';
import { indexName, isKeyPrefix, isUniqueCompatible, unfitness } from './index-rules.ts';
import { readIndex } from './indexes.ts';

const key = (pattern: Record<string, unknown>): Buffer => encode(pattern);
const collated = key({ locale: 'en' });

// Names alone decide, not values or kinds.
test.each([
  ['the key itself', { a: 1 }, { a: 1 }, undefined, true],
  ['a longer index', { a: 1 }, { a: 1, b: 1 }, undefined, true],
  ['another direction', { a: 1 }, { a: -1 }, undefined, true],
  ['a hashed key', { a: 'hashed' }, { a: 1, b: 1 }, undefined, true],
  ['another field', { a: 1 }, { b: 1 }, undefined, false],
  ['the key as suffix', { a: 1 }, { b: 1, a: 1 }, undefined, false],
  ['part of the key', { a: 1, b: 1 }, { a: 1 }, undefined, false],
  ['an index that begins with _id', { a: 1 }, { _id: 1, b: 1 }, undefined, true],
  ['a collation', { a: 1 }, { a: 1, b: 1 }, collated, false],
])('a unique index stays unique: %s', (_, shardKey, index, collation, expected) => {
  expect(isUniqueCompatible(key(shardKey), { key: key(index), collation })).toBe(expected);
});

test.each([
  [{ a: 1 }, { a: 1, b: -1 }, true],
  [{ a: 1 }, { a: -1 }, false],
  [{ a: 'hashed' }, { a: 1 }, false],
  [{ a: 1, b: 1 }, { a: 1 }, false],
])('%j is a prefix of %j: %s', (shardKey, index, expected) => {
  expect(isKeyPrefix(key(shardKey), key(index))).toBe(expected);
});

test('the double 1.0 and the int 1 are one key value', () => {
  const asDouble = Buffer.from(key({ a: 1.5 }));
  asDouble.writeDoubleLE(1, asDouble.length - 9);
  expect(isKeyPrefix(asDouble, key({ a: 1 }))).toBe(true);
});

test.each([
  [{ key: { a: 1 } }, undefined],
  [{ key: { a: 1, b: 1 } }, undefined],
  [{ key: { a: 1 }, sparse: true }, 'Index i cannot be used for sharding because: Index key is sparse.'],
  [
    { key: { b: 1 }, partialFilterExpression: { a: 1 } },
    'Index i cannot be used for sharding because: Index key is partial. Shard key is not a prefix of index key.',
  ],
  [
    { key: { a: 1 }, collation: { locale: 'en' } },
    'Index i cannot be used for sharding because: Index has a non-simple collation.',
  ],
  [
    { key: { '$**': 1 } },
    'Index i cannot be used for sharding because: Index key is sparse. Shard key is not a prefix of index key. Index key is a wildcard index.',
  ],
])('what speaks against %j', async (spec, expected) => {
  const index = readIndex(encode({ ...spec, name: 'i' }));
  const asked = { multikey: async () => false, singleKey: true };
  expect(await unfitness(index, key({ a: 1 }), asked)).toBe(expected);
});

test('a multikey index serves where it need not hold single keys', async () => {
  const index = readIndex(encode({ key: { a: 1 }, name: 'i' }));
  const multikey = async (): Promise<boolean> => true;
  expect(await unfitness(index, key({ a: 1 }), { multikey, singleKey: false })).toBeUndefined();
  expect(await unfitness(index, key({ a: 1 }), { multikey, singleKey: true })).toContain(' Index key is multikey.');
});

test('an index is named by its fields', () => {
  expect(indexName(key({ a: 1, 'b.c': 'hashed' }))).toBe('a_1_b.c_hashed');
});
