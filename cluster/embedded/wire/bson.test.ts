import { Binary, BSON, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { describe, expect, test } from 'vitest';
import {
  append,
  arrayOf,
  decode,
  documentOf,
  elements,
  encode,
  field,
  firstName,
  isNestedDeeper,
  number,
  rawValue,
  splitDocuments,
  Type,
  text,
  truthy,
  without,
} from './bson.ts';
import { ProtocolError } from './message.ts';

const everyType = {
  double: new Double(1.5),
  string: 'é',
  object: { a: { b: 1 } },
  array: [1, 'x'],
  binData: new Binary(Buffer.from('abc'), 4),
  objectId: new ObjectId(),
  bool: true,
  date: new Date(0),
  null: null,
  regex: /a.b/i,
  code: new BSON.Code('f()'),
  symbol: new BSON.BSONSymbol('s'),
  codeWithScope: new BSON.Code('f()', { a: 1 }),
  dbPointer: null,
  int: new Int32(7),
  timestamp: new Timestamp({ t: 1, i: 2 }),
  long: Long.MAX_VALUE,
  decimal: Decimal128.fromString('1.25'),
  minKey: new MinKey(),
  maxKey: new MaxKey(),
};

describe('elements', () => {
  test('cuts a document of every type so that it can be put together again', () => {
    const doc = encode(everyType);
    const cut = elements(doc);
    expect(cut.map(({ name }) => name)).toEqual(Object.keys(everyType));
    expect(documentOf(cut)).toEqual(doc);
  });

  test('knows the deprecated types that no driver writes', () => {
    const pointer = Buffer.concat([Buffer.from([4, 0, 0, 0]), Buffer.from('t.c\0'), Buffer.alloc(12)]);
    const doc = documentOf([
      { name: 'u', type: Type.undefined, bytes: Buffer.alloc(0) },
      { name: 'p', type: Type.dbPointer, bytes: pointer },
      { name: 'end', ...rawValue(1) },
    ]);
    expect(elements(doc).map(({ name, bytes }) => [name, bytes.length])).toEqual([
      ['u', 0],
      ['p', 20],
      ['end', 4],
    ]);
  });
});

test('a field is found behind any other, by its whole name only', () => {
  const doc = encode({ ...everyType, last: 'here' });
  expect(text(field(doc, 'last'))).toBe('here');
  expect(field(doc, 'las')).toBeUndefined();
});

test('the first name is the command; an empty document has none', () => {
  expect(firstName(encode({ find: 'c', $db: 't' }))).toBe('find');
  expect(firstName(encode({}))).toBe('');
});

test.each([
  ['int', new Int32(3), 3, true],
  ['long', Long.fromNumber(-4), -4, true],
  ['double', new Double(0), 0, false],
  ['decimal', Decimal128.fromString('2.5'), 2.5, true],
  ['true', true, undefined, true],
  ['false', false, undefined, false],
  ['string', 'yes', undefined, false],
])('%s as a number and as a truth', (_, value, asNumber, asTruth) => {
  expect(number(rawValue(value))).toBe(asNumber);
  expect(truthy(rawValue(value))).toBe(asTruth);
});

test('fields are taken off and added without touching the others', () => {
  const doc = encode({ a: 1, lsid: { id: 1 }, b: 'x' });
  expect(without(doc, new Set(['lsid']))).toEqual(encode({ a: 1, b: 'x' }));
  expect(without(doc, new Set(['c']))).toBe(doc);
  expect(append(doc, [{ name: 'c', ...rawValue(2) }])).toEqual(encode({ a: 1, lsid: { id: 1 }, b: 'x', c: 2 }));
});

test('an array is built of values', () => {
  const doc = documentOf([{ name: 'list', ...arrayOf([rawValue('x'), rawValue(1)]) }]);
  expect(doc).toEqual(encode({ list: ['x', 1] }));
});

test('decoding keeps the types of numbers', () => {
  const doc = encode({ i: new Int32(1), d: new Double(1), l: Long.ONE });
  expect(encode(decode(doc))).toEqual(doc);
});

describe('splitDocuments', () => {
  const documents = [encode({}), encode({ a: 'longer' }), encode({ b: 1 })];

  test('cuts a sequence', () => {
    expect(splitDocuments(Buffer.concat(documents))).toEqual(documents);
  });

  test('leaves short ones out when asked', () => {
    expect(splitDocuments(Buffer.concat(documents), 13)).toEqual([documents[1]]);
  });

  test.each([
    ['a length beyond the end', Buffer.from([9, 0, 0, 0, 0])],
    ['a length that would not advance', Buffer.alloc(8)],
    ['a cut length', Buffer.from([5, 0])],
  ])('refuses %s', (_, bytes) => {
    expect(() => splitDocuments(bytes)).toThrow(ProtocolError);
  });
});

describe('malformed documents end in an error, not in a loop', () => {
  const good = encode({ s: 'text', n: 1, d: { a: 1 }, b: new Binary(Buffer.from('abc')), r: /x/ });

  test('whatever byte is changed to whatever value', () => {
    for (let at = 4; at < good.length; at++) {
      for (const value of [0x00, 0x01, 0x02, 0x05, 0x0b, 0x0c, 0x0f, 0x7e, 0x80, 0xff]) {
        const broken = Buffer.from(good);
        broken[at] = value;
        expectEnd(() => elements(broken));
        expectEnd(() => field(broken, 'r'));
        expectEnd(() => isNestedDeeper(broken, 1));
      }
    }
  });

  test('a name without an end', () => {
    const broken = Buffer.from([8, 0, 0, 0, Type.int, 0x61, 0x61, 0x61]);
    expect(() => field(broken, 'x')).toThrow(ProtocolError);
    expect(() => firstName(broken)).toThrow(ProtocolError);
  });

  function expectEnd(read: () => unknown): void {
    try {
      read();
    } catch (error) {
      expect(error).toBeInstanceOf(ProtocolError);
    }
  }
});

describe('isNestedDeeper', () => {
  test.each([
    ['documents', (inner: unknown) => ({ a: inner })],
    ['arrays', (inner: unknown) => [inner]],
    ['scopes of code', (inner: unknown) => new BSON.Code('f()', { a: inner })],
  ])('counts %s', (_, wrap) => {
    let value: unknown = 1;
    for (let depth = 1; depth < 50; depth++) value = wrap(value);
    const doc = encode({ value });
    expect(isNestedDeeper(doc, 50)).toBe(false);
    expect(isNestedDeeper(doc, 49)).toBe(true);
  });

  test('counts depth, not number', () => {
    expect(isNestedDeeper(encode({ list: Array.from({ length: 500 }, () => ({ a: [1] })) }), 10)).toBe(false);
  });
});
