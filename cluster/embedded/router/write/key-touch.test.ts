import { describe, expect, test } from 'vitest';
import { encode, rawValue } from '../../wire/bson.ts';
import { routingTable } from '../routing.ts';
import { globalMax, globalMin, parseShardKey } from '../shard-key.ts';
import { formOf, mayChangeKey } from './key-touch.ts';

function tableFor(key: object) {
  const keyPattern = encode(key);
  const fields = parseShardKey(keyPattern);
  const chunks = [{ min: globalMin(fields), max: globalMax(fields), shard: 'sh0' }];
  return routingTable({ ns: 'd.c', uuid: Buffer.alloc(16), keyPattern, unique: false, chunks });
}

const table = tableFor({ 'a.b': 1 });

test('the form of an update', () => {
  expect(formOf(rawValue({ $set: { x: 1 } }))).toBe('modifiers');
  expect(formOf(rawValue({ x: 1 }))).toBe('replacement');
  expect(formOf(rawValue({}))).toBe('replacement');
  expect(formOf(rawValue([{ $set: { x: 1 } }]))).toBe('pipeline');
});

describe('an update under the key { "a.b": 1 }', () => {
  const q = { 'a.b': 5, x: 1 };
  const cases: [update: object, may: boolean][] = [
    [{ $set: { x: 1 } }, false],
    [{ $set: { 'a.bc': 1, ab: 1 } }, false],
    [{ $set: { 'a.b': 6 } }, true],
    [{ $set: { 'a.b': 5 } }, false],
    [{ $set: { 'a.b': 5.0, x: 2 } }, false],
    [{ $set: { a: { b: 5 } } }, true],
    [{ $set: { 'a.b.c': 1 } }, true],
    [{ $inc: { 'a.b': 0 } }, true],
    [{ $unset: { a: '' } }, true],
    [{ $rename: { x: 'a.b' } }, true],
    [{ $rename: { a: 'x' } }, true],
    [{ $rename: { x: 'y' } }, false],
    [{ $setOnInsert: { 'a.b': 6 } }, false],
    [{ a: { b: 5 }, y: 1 }, false],
    [{ a: { b: 6 } }, true],
    [{ y: 1 }, true],
    [{ a: [{ b: 5 }] }, true],
    [[{ $set: { x: 1 } }, { $unset: 'y' }], false],
    [[{ $set: { a: 1 } }], true],
    [[{ $unset: ['x', 'a.b'] }], true],
    [[{ $replaceWith: '$x' }], true],
  ];
  test.each(cases)('%j: %s', (update, may) => {
    expect(mayChangeKey(table, { q: encode(q), u: rawValue(update), upsert: false })).toBe(may);
  });
});

test('an upsert may set the key on insert', () => {
  const touch = { q: encode({ 'a.b': 5 }), u: rawValue({ $setOnInsert: { 'a.b': 6 } }), upsert: true };
  expect(mayChangeKey(table, touch)).toBe(true);
});

test('a replacement without _id keeps the _id that the query fixes', () => {
  const byId = tableFor({ _id: 1 });
  const replacement = rawValue({ x: 1 });
  expect(mayChangeKey(byId, { q: encode({ _id: 7 }), u: replacement, upsert: false })).toBe(false);
  expect(mayChangeKey(byId, { q: encode({ x: 7 }), u: replacement, upsert: false })).toBe(true);
});

test('a hashed key compares by the hash', () => {
  const hashed = tableFor({ k: 'hashed' });
  const set = (k: unknown) =>
    mayChangeKey(hashed, { q: encode({ k: 1 }), u: rawValue({ $set: { k } }), upsert: false });
  expect([set(1.9), set(2)]).toEqual([false, true]);
});

test('under a collation, what the query fixes is not what the document holds', () => {
  const touch = { q: encode({ 'a.b': 'x' }), u: rawValue({ $set: { 'a.b': 'x' } }), upsert: false };
  expect(mayChangeKey(table, touch)).toBe(false);
  expect(mayChangeKey(table, { ...touch, collation: encode({ locale: 'en', strength: 2 }) })).toBe(true);
});
