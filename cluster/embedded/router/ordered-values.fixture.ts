/** Values of every BSON type in the server's order, written down by hand: what order, ranges and chunk lookup are tested against. */
import { Binary, BSONRegExp, BSONSymbol, Code, Decimal128, Double, Int32, Long, ObjectId, Timestamp, UUID } from 'bson';
import { type RawValue, rawValue, Type } from '../wire/bson.ts';

const NOTHING = Buffer.alloc(0);
const UNDEFINED: RawValue = { type: Type.undefined, bytes: NOTHING };

/** Ascending; the values of one row are equal to each other. */
export const ORDERED_VALUES: readonly (readonly RawValue[])[] = [
  [{ type: Type.minKey, bytes: NOTHING }],
  [UNDEFINED],
  rows(null),
  rows(Number.NaN, decimal('NaN')),
  rows(Number.NEGATIVE_INFINITY, decimal('-Infinity')),
  rows(decimal('-9.999999999999999999999999999999999E+6144')),
  rows(decimal('-1E+400')),
  rows(-Number.MAX_VALUE),
  rows(Long.MIN_VALUE, new Double(-(2 ** 63)), decimal('-9223372036854775808')),
  rows(Long.fromString('-9007199254740993'), decimal('-9007199254740993')),
  rows(Long.fromString('-9007199254740992'), new Double(-(2 ** 53))),
  rows(new Int32(-2147483648), Long.fromString('-2147483648')),
  rows(-1.5, decimal('-1.5')),
  rows(new Int32(-1), Long.fromNumber(-1), new Double(-1), decimal('-1'), decimal('-1.00')),
  rows(-5e-324),
  rows(new Int32(0), Long.fromNumber(0), new Double(0), new Double(-0), decimal('0'), decimal('-0'), decimal('0E+100')),
  rows(decimal('1E-6176')),
  rows(5e-324),
  rows(decimal('0.1')),
  rows(0.1),
  rows(new Int32(1), Long.fromNumber(1), new Double(1), decimal('1'), decimal('10E-1')),
  rows(1.5, decimal('1.5')),
  rows(1.9),
  rows(decimal('1.9')),
  rows(new Int32(42), new Double(42)),
  rows(new Int32(2147483647), new Double(2147483647)),
  rows(Long.fromString('9007199254740992'), new Double(2 ** 53)),
  rows(Long.fromString('9007199254740993')),
  rows(Long.fromString('9007199254740994'), new Double(2 ** 53 + 2)),
  rows(Long.MAX_VALUE, decimal('9223372036854775807')),
  rows(decimal('9223372036854775807.5')),
  rows(new Double(2 ** 63), decimal('9223372036854775808')),
  rows(Number.MAX_VALUE),
  rows(decimal('1E+400'), decimal('10E+399')),
  rows(Number.POSITIVE_INFINITY, decimal('Infinity')),
  rows(''),
  rows('\0'),
  rows('\0a'),
  rows('A'),
  rows('a', new BSONSymbol('a')),
  rows('a\0'),
  rows('ab'),
  rows('b', new BSONSymbol('b')),
  rows('é'),
  rows('\uffff'),
  rows('\u{10000}'),
  rows({}),
  [{ type: Type.object, bytes: Buffer.from('0800000006610000', 'hex') }], // { a: undefined }
  rows({ z: null }),
  rows({ a: new Int32(1) }, { a: Long.fromNumber(1) }, { a: new Double(1) }, { a: decimal('1.0') }),
  rows({ a: 1, b: 1 }),
  rows({ a: 1, b: 'x' }),
  rows({ a: 2 }),
  rows({ b: 0 }),
  rows({ a: 'x' }),
  rows({ a: {} }),
  rows({ a: [] }),
  rows([]),
  rows([null]),
  rows([1]),
  rows([1, 1]),
  rows([2]),
  rows(['a']),
  rows([[]]),
  rows(binary('')),
  rows(binary('', 5)),
  rows(binary('00')),
  rows(binary('ff')),
  rows(binary('00', 5)),
  rows(binary('0000')),
  rows(new UUID('00000000-0000-4000-8000-000000000000')),
  rows(new ObjectId('000000000000000000000000')),
  rows(new ObjectId('5f0000000000000000000000')),
  rows(new ObjectId('ffffffffffffffffffffffff')),
  rows(false),
  rows(true),
  rows(new Date(-1)),
  rows(new Date(0)),
  rows(new Date(2 ** 40)),
  rows(new Timestamp({ t: 0, i: 1 })),
  rows(new Timestamp({ t: 1, i: 0 })),
  rows(new Timestamp({ t: 1, i: 4294967295 })),
  rows(new Timestamp({ t: 4294967295, i: 0 })),
  rows(new BSONRegExp('a')),
  rows(new BSONRegExp('a', 'i')),
  rows(new BSONRegExp('ab')),
  rows(new BSONRegExp('b')),
  [dbPointer('c', '5f')],
  [dbPointer('d', '00')],
  [dbPointer('bb', '00')],
  rows(new Code('')),
  rows(new Code('a')),
  rows(new Code('b')),
  rows(new Code('a', {})),
  rows(new Code('a', { x: 1 })),
  rows(new Code('b', {})),
  [{ type: Type.maxKey, bytes: NOTHING }],
];

function rows(...values: unknown[]): RawValue[] {
  return values.map(rawValue);
}

function decimal(text: string): Decimal128 {
  return Decimal128.fromString(text);
}

function binary(hex: string, subtype = 0): Binary {
  return new Binary(Buffer.from(hex, 'hex'), subtype);
}

function dbPointer(ns: string, byte: string): RawValue {
  const name = Buffer.from(`${ns}\0`);
  const length = Buffer.alloc(4);
  length.writeInt32LE(name.length);
  return { type: Type.dbPointer, bytes: Buffer.concat([length, name, Buffer.from(byte.repeat(12), 'hex')]) };
}
