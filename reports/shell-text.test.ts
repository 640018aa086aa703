import { expect, test } from 'vitest';
import type { Json } from '../experiments/harness/record.ts';
import { shellText } from './shell-text.ts';

test.each<[Json, string]>([
  [{}, '{}'],
  [[], '[]'],
  [{ ok: 1, 'a.b': null, $set: { x: [1, 'two', true] } }, '{ ok: 1, "a.b": null, $set: { x: [ 1, "two", true ] } }'],
  [{ text: 'a "quoted" one' }, '{ text: "a \\"quoted\\" one" }'],
  [{ 'a\u202eb': 'c\u2066\u0085\u{e0001}d' }, '{ "a\\u202eb": "c\\u2066\\u0085\\udb40\\udc01d" }'],
  [{ _id: '<ObjectId 1>', ns: '<database>.u' }, '{ _id: <ObjectId 1>, ns: "<database>.u" }'],
  [{ '<host 1>': { ok: 1 } }, '{ "<host 1>": { ok: 1 } }'],
  [{ name: '<b>', database: '<database>' }, '{ name: "<b>", database: "<database>" }'],
  [JSON.parse('{ "__proto__": 1 }'), '{ ["__proto__"]: 1 }'],
  [{ constructor: 1 }, '{ constructor: 1 }'],
  [{ at: { $date: '2024-05-01T00:00:00Z' } }, '{ at: ISODate("2024-05-01T00:00:00Z") }'],
  [{ at: { $date: { $numberLong: '-1000' } } }, '{ at: new Date(-1000) }'],
  [{ $oid: '0123456789abcdef01234567' }, 'ObjectId("0123456789abcdef01234567")'],
  [{ $timestamp: { t: 1, i: 2 } }, 'Timestamp({ t: 1, i: 2 })'],
  [{ $binary: { base64: 'AQI=', subType: '80' } }, 'Binary.createFromBase64("AQI=", 128)'],
  [{ $regularExpression: { pattern: '^a', options: 'i' } }, '/^a/i'],
  [{ $regularExpression: { pattern: 'a/b', options: '' } }, 'BSONRegExp("a/b", "")'],
  [{ $regularExpression: { pattern: 'a\u202eb', options: '' } }, 'BSONRegExp("a\\u202eb", "")'],
  [{ min: { $minKey: 1 }, max: { $maxKey: 1 } }, '{ min: MinKey(), max: MaxKey() }'],
  [{ $numberLong: '5902408780260971510' }, 'Long("5902408780260971510")'],
  [{ $numberDouble: '7.0' }, 'Double(7.0)'],
  [{ $numberDouble: 'NaN' }, 'NaN'],
  [{ $date: 'x', other: 1 }, '{ $date: "x", other: 1 }'],
])('%j on one line', (value, text) => {
  expect(shellText(value)).toBe(text);
});

test('what does not fit on one line is broken up, short elements of a list sharing lines', () => {
  const documents = Array.from({ length: 12 }, (_, _id) => ({ _id, name: `user ${_id}` }));
  const long = 'a text that is too long to stand on a line with anything else, whatever the indentation may be here';
  expect(shellText({ insert: 'users', documents, ordered: false, comment: { long, short: 1 } })).toBe(
    `{
  insert: "users",
  documents: [
    { _id: 0, name: "user 0" }, { _id: 1, name: "user 1" }, { _id: 2, name: "user 2" },
    { _id: 3, name: "user 3" }, { _id: 4, name: "user 4" }, { _id: 5, name: "user 5" },
    { _id: 6, name: "user 6" }, { _id: 7, name: "user 7" }, { _id: 8, name: "user 8" },
    { _id: 9, name: "user 9" }, { _id: 10, name: "user 10" }, { _id: 11, name: "user 11" }
  ],
  ordered: false,
  comment: {
    long: "${long}",
    short: 1
  }
}`,
  );
});
