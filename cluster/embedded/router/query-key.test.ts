import { BSONRegExp } from 'bson';
import { describe, expect, test } from 'vitest';
import { decodePlain, encode, rawValue } from '../wire/bson.ts';
import { hashOf } from './hash.ts';
import { parseQuery } from './query.ts';
import { keyOfQuery } from './query-key.ts';
import { keyDocument, parseShardKey } from './shard-key.ts';

/** The key a filter fixes, decoded as a document. */
function fixed(pattern: object, filter: object): object | undefined {
  const fields = parseShardKey(encode(pattern));
  const key = keyOfQuery(parseQuery(encode(filter)), fields);
  return key && decodePlain(keyDocument(fields, key));
}

describe('ExtractQueryShardKey… of src/mongo/db/global_catalog/shard_key_pattern_test.cpp', () => {
  const one = { a: 1 };
  const two = { a: 1, b: 1 };
  const nested = { 'a.b': 1, c: 1 };
  const deep = { 'a.b.c': 1 };
  const numeric = { 'a.0.0': 1 };

  test.each<[object, object, object]>([
    [one, { a: 10 }, { a: 10 }],
    [one, { a: 10, b: { $gt: 20 } }, { a: 10 }],
    [one, { a: { b: 10 }, c: 30 }, { a: { b: 10 } }],
    [one, { a: { $eq: 10 } }, { a: 10 }],
    [one, { a: null }, { a: null }],
    [one, { a: { $in: [10] } }, { a: 10 }],
    [one, { $or: [{ a: { $eq: 10 } }] }, { a: 10 }],
    [one, { $and: [{ a: { $eq: 10 } }, { b: '20' }] }, { a: 10 }],
    [one, { a: { $all: [10] } }, { a: 10 }],
    [one, { $or: [{ a: { $eq: 10 } }, { a: 10 }] }, { a: 10 }],
    [two, { c: 30, b: '20', a: 10 }, { a: 10, b: '20' }],
    [two, { a: { $eq: 10 }, b: { $all: ['20'] } }, { a: 10, b: '20' }],
    [two, { $and: [{ a: { $eq: 10 }, b: { $eq: '20' } }] }, { a: 10, b: '20' }],
    [two, { $and: [{ a: { $eq: 10 } }, { b: { $eq: '20' } }] }, { a: 10, b: '20' }],
    [nested, { a: { b: 10 }, c: 30 }, { 'a.b': 10, c: 30 }],
    [nested, { 'a.b': { $eq: 10 }, c: 30, d: 40 }, { 'a.b': 10, c: 30 }],
    [nested, { $or: [{ 'a.b': 10, c: 30, d: 40 }] }, { 'a.b': 10, c: 30 }],
    [nested, { 'a.b': { $all: [10] }, c: 30, d: 40 }, { 'a.b': 10, c: 30 }],
    [nested, { a: { b: 10, d: 40 }, c: 30 }, { 'a.b': 10, c: 30 }],
    [deep, { a: { b: { c: 10 } } }, { 'a.b.c': 10 }],
    [deep, { 'a.b': { c: 10 } }, { 'a.b.c': 10 }],
    [numeric, { a: { 0: { 0: 10 } } }, { 'a.0.0': 10 }],
    [numeric, { 'a.0': { 0: 'value' } }, { 'a.0.0': 'value' }],
  ])('%o is fixed by %o', (pattern, filter, key) => {
    expect(fixed(pattern, filter)).toEqual(key);
  });

  test.each<[object, object]>([
    [one, {}],
    [one, { a: { $gt: 10 } }],
    [one, { a: { $ne: 10 } }],
    [one, { a: { $not: { $eq: 10 } } }],
    [one, { a: { $in: [10, 11] } }],
    [one, { a: { $exists: false } }],
    [one, { a: { $eq: [10, 20] }, c: 30 }],
    [one, { $and: [{ a: 10 }, { a: 11 }] }],
    [one, { a: { $all: [10, 11] } }],
    [one, { $or: [{ a: { $eq: 10 } }, { b: '20' }] }],
    [one, { $nor: [{ a: 10 }] }],
    [one, { $expr: { $eq: ['$a', 10] } }],
    [one, { 'a.b': 10 }],
    [one, { a: { b: 10 }, 'a.b': 10 }],
    [two, { b: 20 }],
    [two, { a: 10, b: [1, 2] }],
    [two, { a: 10, b: { $gt: 20 } }],
    [two, { $or: [{ a: { $eq: 10 } }, { b: '20' }] }],
    [nested, { a: { b: { $eq: 10 } }, c: 30 }],
    [nested, { a: 10, c: 30 }],
    [nested, { a: { d: 40 }, c: 30 }],
    [nested, { a: { b: 10 }, 'a.b': 10, c: 30 }],
    [nested, { a: [{ b: 10 }, { b: 20 }], c: 30 }],
    [deep, { 'a.b.c': [10] }],
    [deep, { 'a.b': [{ c: 10 }] }],
    [deep, { a: { b: [{ c: 10 }] } }],
    [numeric, { 'a.0': { 2: ['value'] } }],
  ])('%o is not fixed by %o', (pattern, filter) => {
    expect(fixed(pattern, filter)).toBeUndefined();
  });
});

test('jstests/sharding/regex_targeting.js: a regular expression fixes nothing, nested or not', () => {
  const regex = new BSONRegExp('abcde.*');
  expect(fixed({ a: 1 }, { a: regex })).toBeUndefined();
  expect(fixed({ a: 1 }, { a: { $eq: regex } })).toBeUndefined();
  expect(fixed({ 'a.b': 1 }, { a: { b: regex } })).toBeUndefined();
});

test('a DBRef is a value, not a list of operators', () => {
  const ref = { $ref: 'c', $id: 1 };
  expect(fixed({ a: 1 }, { a: ref })).toMatchObject({ a: { collection: 'c', oid: 1 } });
});

test('a hashed field is fixed to the hash', () => {
  const fields = parseShardKey(encode({ 'a.b': 'hashed', 'c.d': 1 }));
  const filter = encode({ a: { b: '12345', p: 1 }, c: { d: '12345', q: 2 } });
  expect(keyOfQuery(parseQuery(filter), fields)).toEqual([hashOf(rawValue('12345')), rawValue('12345')]);
});
