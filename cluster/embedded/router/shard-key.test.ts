import { BSONRegExp, Double, Long, MaxKey, MinKey } from 'bson';
import { describe, expect, test } from 'vitest';
import { decodePlain, encode, rawValue, Type } from '../wire/bson.ts';
import { hashOf } from './hash.ts';
import {
  boundValues,
  checkStorable,
  globalMax,
  globalMin,
  isHashedBound,
  isShardKey,
  keyDocument,
  keyOfDocument,
  parseShardKey,
} from './shard-key.ts';

const parse = (pattern: object) => parseShardKey(encode(pattern));

/** The key of a document, decoded as one. */
function keyOf(pattern: object, document: object): object {
  const fields = parse(pattern);
  return decodePlain(keyDocument(fields, keyOfDocument(fields, encode(document))));
}

describe('a key pattern', () => {
  test('fields, in order', () => {
    expect(parse({ a: 1, 'b.c': new Double(1.5), d: 'hashed', e: Long.ONE })).toEqual([
      { path: 'a', hashed: false },
      { path: 'b.c', hashed: false },
      { path: 'd', hashed: true },
      { path: 'e', hashed: false },
    ]);
  });

  // src/mongo/db/global_catalog/shard_key_pattern_test.cpp
  test.each([{ 'a.$id': 1 }, { 'a.$db': 1 }, { 'a.$ref': 1 }, { 'a.b$': 1 }, { a: 1, 'a.b': 1, 'a.b.c': 1 }])(
    '%o is one',
    (pattern) => {
      expect(parse(pattern)).toHaveLength(Object.keys(pattern).length);
    },
  );

  const notOne = 'is invalid. Non-hashed fields must be set to a value of 1 (ascending). Failed to parse field';
  test.each<[object, string]>([
    [{}, 'Shard key is empty'],
    [{ '': 1 }, 'Field  is empty'],
    [{ 'a.': 1 }, 'Field a. contains empty parts'],
    [{ '.': 1 }, 'Field . contains empty parts'],
    [{ 'a..b': 1 }, 'Field a..b contains empty parts'],
    [{ '.a': 1 }, 'Field .a contains empty parts'],
    [{ $a: 1 }, "Field $a contains parts that start with '$'"],
    [{ $id: 1 }, "Field $id contains parts that start with '$'"],
    [{ 'a.$b': 1 }, "Field a.$b contains parts that start with '$'"],
    [{ 'a.$**': 1 }, "Field a.$** contains parts that start with '$'"],
    [{ a: -1 }, `Shard key { a: -1 } ${notOne} a`],
    [{ a: 1, b: new Double(2) }, `Shard key { a: 1, b: 2.0 } ${notOne} b`],
    [{ a: true }, `Shard key { a: true } ${notOne} a`],
    [{ a: 'text' }, `Shard key { a: "text" } ${notOne} a`],
    [{ a: { b: 1 } }, `Shard key { a: { b: 1 } } ${notOne} a`],
    [
      { a: 'hashed', b: 'hashed' },
      `Shard key { a: "hashed", b: "hashed" } can contain at most one 'hashed' field. Failed to parse field b`,
    ],
  ])('%o is none', (pattern, message) => {
    expect(() => parse(pattern)).toThrow(expect.objectContaining({ code: 2, message }));
  });
});

describe('the key of a document (ExtractDocShardKey… of shard_key_pattern_test.cpp)', () => {
  test.each<[object, object, object]>([
    [{ a: 1 }, { a: 10, b: '20' }, { a: 10 }],
    [{ a: 1 }, { a: { b: 10 }, c: 30 }, { a: { b: 10 } }],
    [{ a: 1 }, { a: { $gt: 10 } }, { a: { $gt: 10 } }],
    [
      { a: 1, b: 1 },
      { c: 30, b: '20', a: 10 },
      { a: 10, b: '20' },
    ],
    [
      { 'a.b': 1, c: 1 },
      { a: { d: [1, 2], b: 10 }, c: 30 },
      { 'a.b': 10, c: 30 },
    ],
    [{ 'a.b.c': 1 }, { a: { b: { c: 10 } } }, { 'a.b.c': 10 }],
    [{ 'a.0.1': 1 }, { a: { 0: { 1: { x: 1 } } } }, { 'a.0.1': { x: 1 } }],
  ])('%o takes from %o', (pattern, document, key) => {
    expect(keyOf(pattern, document)).toEqual(key);
  });

  test('a regular expression is a value', () => {
    expect(keyOf({ a: 1 }, { a: new BSONRegExp('x') })).toEqual({ a: /x/ });
  });

  // Missing counts as null.
  test.each<[object, object, object]>([
    [{ a: 1, b: 1 }, { b: 10 }, { a: null, b: 10 }],
    [{ a: 1, b: 1 }, {}, { a: null, b: null }],
    [
      { 'a.b': 1, c: 1 },
      { a: 10, c: 30 },
      { 'a.b': null, c: 30 },
    ],
    [
      { 'a.b': 1, c: 1 },
      { a: { d: 40 }, c: 30 },
      { 'a.b': null, c: 30 },
    ],
    [{ 'a.0.1': 1 }, { 'a.0.1': 'value' }, { 'a.0.1': null }],
    [{ 'a.0.1': 1 }, { 'a.0': { 1: ['value'] } }, { 'a.0.1': null }],
  ])('extract_shard_key_values.js: %o counts %o as %o', (pattern, document, key) => {
    expect(keyOf(pattern, document)).toEqual(key);
  });

  test.each<[object, object]>([
    [{ a: 1 }, { a: [1, 2] }],
    [{ a: 1 }, { a: [] }],
    [
      { _id: 1, i: 1 },
      { _id: [1, 2], i: 3 },
    ],
    [{ 'a.b': 1 }, { a: [{ b: 10 }] }],
    [{ 'a.b': 1 }, { a: { b: [10] } }],
    [{ 'a.b.c': 1 }, { a: { b: [{ c: 10 }] } }],
    [{ 'a.0.1': 1 }, { a: { 0: [0, 1] } }],
    [{ 'a.b': 'hashed' }, { a: { b: ['12345'] } }],
  ])('array_shard_key.js: %o refuses the array in %o', (pattern, document) => {
    const message = 'Shard key cannot contain array values or array descendants.';
    expect(() => keyOf(pattern, document)).toThrow(expect.objectContaining({ code: 61, message }));
  });

  test('a hashed field holds the hash', () => {
    const fields = parse({ 'a.b': 'hashed', c: 1 });
    const [hash, plain] = keyOfDocument(fields, encode({ a: { b: '12345' }, c: 'x' }));
    expect(hash).toEqual(hashOf(rawValue('12345')));
    expect(plain).toEqual(rawValue('x'));
    expect(keyOfDocument(fields, encode({}))[0]).toEqual(hashOf(rawValue(null)));
  });
});

describe('bounds', () => {
  const fields = parse({ 'a.b': 1, c: 1 });

  test('a key holds every field by its dotted name, in any order (IsShardKey, NormalizeShardKey)', () => {
    expect(boundValues(fields, encode({ c: 30, 'a.b': 10 }))).toEqual([rawValue(10), rawValue(30)]);
    expect(isShardKey(fields, encode({ 'a.b': { $gt: 10 }, c: 30 }))).toBe(true);
  });

  test.each([{ b: 10 }, { a: 10, c: 30 }, { a: { b: 10 }, c: 30 }, { 'a.b': 1, c: 1, d: 1 }, { 'a.b': [1], c: 1 }])(
    '%o is no key',
    (bound) => {
      expect(boundValues(fields, encode(bound))).toBeUndefined();
    },
  );

  test('all keys lie between MinKey and MaxKey', () => {
    expect(decodePlain(globalMin(fields))).toEqual({ 'a.b': new MinKey(), c: new MinKey() });
    expect(decodePlain(globalMax(fields))).toEqual({ 'a.b': new MaxKey(), c: new MaxKey() });
  });

  test.each<[object, string]>([
    [{ a: new BSONRegExp('x', 'i') }, 'a: /x/i'],
    [{ a: 1, b: { $gt: 1 } }, 'b: { $gt: 1 }'],
    [{ a: [1] }, 'a: [ 1 ]'],
    [{ a: { b: { $x: 1 } } }, 'a: { b: { $x: 1 } }'],
    [{ a: { $ref: 'c', $id: 1, $x: 1 } }, 'a: { $ref: "c", $id: 1, $x: 1 }'],
  ])('%o may not be stored', (bound, element) => {
    const message = `Shard key element ${element} is not valid for storage`;
    expect(() => checkStorable(encode(bound))).toThrow(expect.objectContaining({ code: 2, message }));
  });

  test('a DBRef and whatever has no fields may be stored', () => {
    const bound = { a: { $ref: 'c', $id: 1, $db: 'd', x: 1 }, b: null, c: new MinKey(), d: { e: [] } };
    expect(() => checkStorable(encode(bound))).not.toThrow();
  });

  test('a hashed field is bounded by a long, MinKey or MaxKey', () => {
    const accepted = [Long.ONE, new MinKey(), new MaxKey(), 1, new Double(1), 'x', null]
      .map(rawValue)
      .filter(isHashedBound);
    expect(accepted.map(({ type }) => type)).toEqual([Type.long, Type.minKey, Type.maxKey]);
  });
});
