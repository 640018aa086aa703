import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'bson';
import { expect, test } from 'vitest';
import { encode, rawValue, Type } from '../wire/bson.ts';
import { documentText, rangeText, valueText } from './bson-text.ts';

test.each<[string, unknown]>([
  ['{ a: 1 }', { a: 1 }],
  ['{}', {}],
  ['{ a: 1.0, b: "x", c: MinKey, d: MaxKey }', { a: new Double(1), b: 'x', c: new MinKey(), d: new MaxKey() }],
  ['{ a: 9223372036854775807, b: null, c: true, d: false }', { a: Long.MAX_VALUE, b: null, c: true, d: false }],
  ['{ a: { b: [ 1, "x", [] ] } }', { a: { b: [1, 'x', []] } }],
  [`{ a: ObjectId('5f0000000000000000000001') }`, { a: new ObjectId('5f0000000000000000000001') }],
  ['{ a: UUID("00112233-4455-4677-8899-aabbccddeeff") }', { a: new UUID('00112233-4455-4677-8899-aabbccddeeff') }],
  ['{ a: BinData(0, 00FF) }', { a: new Binary(Buffer.from('00ff', 'hex')) }],
  ['{ a: BinData(2, 00FF) }', { a: new Binary(Buffer.from('00ff', 'hex'), 2) }],
  ['{ a: BinData(4, 00FF) }', { a: new Binary(Buffer.from('00ff', 'hex'), 4) }],
  ['{ a: new Date(-5) }', { a: new Date(-5) }],
  ['{ a: Timestamp(7, 3) }', { a: new Timestamp({ t: 7, i: 3 }) }],
  ['{ a: /x/i }', { a: new BSONRegExp('x', 'i') }],
  ['{ a: x => x }', { a: new Code('x => x') }],
  ['{ a: CodeWScope( f, { x: 1 }) }', { a: new Code('f', { x: 1 }) }],
  ['{ a: "s" }', { a: new BSONSymbol('s') }],
  ['{ a: 1.50, b: 1E+10, c: NaN }', { a: dec('1.50'), b: dec('1E+10'), c: dec('NaN') }],
])('%s', (expected, document) => {
  expect(documentText(encode(document as object))).toBe(expected);
});

test('undefined and DBPointer', () => {
  expect(valueText({ type: Type.undefined, bytes: Buffer.alloc(0) })).toBe('undefined');
  const pointer = Buffer.concat([Buffer.from([2, 0, 0, 0, 0x63, 0]), Buffer.alloc(12, 0xab)]);
  expect(valueText({ type: Type.dbPointer, bytes: pointer })).toBe(`DBRef('c',${'ab'.repeat(12)})`);
});

test.each<[string, number]>([
  ['0.0', 0],
  ['-0.0', -0],
  ['-1.5', -1.5],
  ['0.1', 0.1],
  ['100.0', 100],
  ['0.0001', 0.0001],
  ['1e-05', 0.00001],
  ['1.5e-07', 1.5e-7],
  ['1e+16', 1e16],
  ['9007199254740992.0', 2 ** 53],
  ['1.797693134862316e+308', Number.MAX_VALUE],
  ['4.940656458412465e-324', 5e-324],
  ['0.3333333333333333', 1 / 3],
  // 17 digits that end in 5 go to the even neighbour, as in C.
  ['2251799813685248.0', 2 ** 51 + 0.5],
  ['2251799813685250.0', 2 ** 51 + 1.5],
  ['123456789012345.2', 123456789012345.25],
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
])('a double prints as %s', (expected, value) => {
  expect(valueText(rawValue(new Double(value)))).toBe(expected);
});

test('long values are cut', () => {
  expect(valueText(rawValue('x'.repeat(159)))).toBe(`"${'x'.repeat(159)}"`);
  expect(valueText(rawValue('x'.repeat(160)))).toBe(`"${'x'.repeat(150)}..."`);
  expect(valueText(rawValue(new Code('x'.repeat(80))))).toBe(`${'x'.repeat(70)}...`);
  expect(valueText(rawValue(new Binary(Buffer.alloc(81))))).toBe(`BinData(0, ${'00'.repeat(70)}...)`);
});

test('a range of keys', () => {
  expect(rangeText(encode({ a: new MinKey() }), encode({ a: 0 }))).toBe('[{ a: MinKey }, { a: 0 })');
});

function dec(text: string): Decimal128 {
  return Decimal128.fromString(text);
}
