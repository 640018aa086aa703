import { expect, test } from 'vitest';
import { encode } from '../../wire/bson.ts';
import { readIndex } from './indexes.ts';
import { findUsefulIndex } from './shard-key-index.ts';

interface Case {
  indexes: Record<string, unknown>[];
  key?: Record<string, unknown>;
  requireUnique?: boolean;
  multikey?: boolean;
}

function find({ indexes, key = { a: 1 }, requireUnique = false, multikey = false }: Case) {
  const all = [{ key: { _id: 1 }, name: '_id_' }, ...indexes.map((index, i) => ({ name: `i${i}`, ...index }))];
  return findUsefulIndex({
    ns: 'db.c',
    indexes: all.map((index) => readIndex(encode(index))),
    key: encode(key),
    requireUnique,
    multikey: async () => multikey,
  });
}

test('an index that the key prefixes is useful', async () => {
  expect(await find({ indexes: [{ key: { a: 1, b: 1 } }] })).toEqual({ useful: true, reasons: '' });
});

test('without one there is none, and a sparse or collated index is named, related or not', async () => {
  expect(await find({ indexes: [] })).toEqual({ useful: false, reasons: '' });
  const indexes = [{ key: { b: 1 }, sparse: true, collation: { locale: 'en' } }];
  expect(await find({ indexes })).toEqual({
    useful: false,
    reasons: ' Index i0 cannot be used for sharding because [ Index key is sparse. Index has a non-simple collation. ]',
  });
});

test('a unique index that the key does not prefix forbids the key', async () => {
  await expect(find({ indexes: [{ key: { email: 1 }, unique: true }] })).rejects.toMatchObject({
    code: 72,
    message:
      "can't shard collection 'db.c' with unique index on { email: 1 }, proposed shard key { a: 1 } and collation {}. Uniqueness can't be maintained unless shard key is a prefix and has simple collation",
  });
});

test('so does one that is preparing to be unique', async () => {
  await expect(find({ indexes: [{ key: { email: 1 }, prepareUnique: true }] })).rejects.toMatchObject({ code: 72 });
});

test('the _id index forbids nothing', async () => {
  expect(await find({ indexes: [], key: { _id: 'hashed' } })).toMatchObject({ useful: false });
});

// K9: a unique compound index with the key as prefix does not make the key unique.
test('a unique key wants a unique index on exactly the key', async () => {
  expect(await find({ indexes: [{ key: { a: 1, b: 1 }, unique: true }], requireUnique: true })).toMatchObject({
    useful: false,
  });
  expect(await find({ indexes: [{ key: { a: 1 }, unique: true }], requireUnique: true })).toMatchObject({
    useful: true,
  });
  await expect(find({ indexes: [{ key: { a: 1 } }], requireUnique: true })).rejects.toMatchObject({
    code: 72,
    message: "can't shard collection db.c, { a: 1 } index not unique, and unique index explicitly specified",
  });
});

test('a multikey index on exactly the key is in the way, a longer one is only of no use', async () => {
  await expect(find({ indexes: [{ key: { a: 1 } }], multikey: true })).rejects.toMatchObject({
    code: 72,
    message:
      "can't shard collection because an index already exists on the shard key and it's a non shard key valid index. :: caused by :: couldn't find valid index for shard key\n" +
      'Index _id_ cannot be used for sharding because: Shard key is not a prefix of index key.\n' +
      'Index i0 cannot be used for sharding because: Index key is multikey.',
  });
  expect(await find({ indexes: [{ key: { a: 1, b: 1 } }], multikey: true })).toMatchObject({ useful: false });
});

test('a hidden index does not serve', async () => {
  expect(await find({ indexes: [{ key: { a: 1, b: 1 }, hidden: true }] })).toMatchObject({ useful: false });
});

test('a hashed index with another seed is refused', async () => {
  await expect(find({ indexes: [{ key: { a: 'hashed' }, seed: 7 }], key: { a: 'hashed' } })).rejects.toMatchObject({
    code: 72,
    message:
      'can\'t shard collection db.c with hashed shard key { a: "hashed" } because the hashed index uses a non-default seed of 7',
  });
});
