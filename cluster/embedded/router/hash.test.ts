import { Decimal128, Double, Int32, Long, MaxKey, MinKey } from 'bson';
import { describe, expect, test } from 'vitest';
import { rawValue, Type } from '../wire/bson.ts';
import { hashOf } from './hash.ts';

const hash = (value: unknown): bigint => hashOf(rawValue(value)).bytes.readBigInt64LE(0);
const decimal = (text: string) => Decimal128.fromString(text);

describe('the hashes of src/mongo/db/hasher_test.cpp and jstests/core/hash.js', () => {
  test.each<[bigint, unknown[]]>([
    [4854801880128277513n, [new Int32(0), new Double(0.456), new Double(-0), Number.NaN, decimal('NaN')]],
    [5902408780260971510n, [new Int32(1), Long.fromNumber(1), new Double(1.987), decimal('1')]],
    [1140205862565771219n, [new Int32(-1)]],
    [-944302157085130861n, [new Int32(42), new Double(42.123)]],
    [6165898260261354870n, [new Int32(-2147483648)]],
    [1143184177162245883n, [new Int32(2147483647)]],
    [921523596458303250n, [Long.MAX_VALUE, Number.MAX_VALUE, Number.POSITIVE_INFINITY, decimal('1E+6000')]],
    [4532067210535695462n, [Long.MIN_VALUE, -Number.MAX_VALUE, decimal('-Infinity'), new Double(2 ** 63)]],
    [2338878944348059895n, [null]],
    [7961148599568647290n, [new MinKey()]],
    [5504842513779440750n, [new MaxKey()]],
  ])('%s', (expected, values) => {
    expect(values.map(hash)).toEqual(values.map(() => expected));
  });

  test('undefined', () => {
    expect(hashOf({ type: Type.undefined, bytes: Buffer.alloc(0) }).bytes.readBigInt64LE(0)).toBe(40158834000849533n);
  });
});

test('a decimal is rounded half to even where a double is cut', () => {
  const ofInt = (value: number) => hash(new Int32(value));
  expect(hash(decimal('1.5'))).toBe(ofInt(2));
  expect(hash(decimal('1.9'))).toBe(ofInt(2));
  expect(hash(decimal('2.5'))).toBe(ofInt(2));
  expect(hash(decimal('-1.9'))).toBe(ofInt(-2));
  expect(hash(decimal('0.5'))).toBe(ofInt(0));
  expect(hash(decimal('1E-6000'))).toBe(ofInt(0));
  expect(hash(decimal('2E+1'))).toBe(ofInt(20));
  expect(hash(new Double(-1.9))).toBe(ofInt(-1));
  // Above an int64 a decimal stops at its end; only the double 2^63 overflows.
  expect(hash(decimal('9223372036854775808'))).toBe(hash(Long.MAX_VALUE));
});

test('the hash is a long', () => {
  expect(hashOf(rawValue('x'))).toMatchObject({ type: Type.long, bytes: expect.objectContaining({ length: 8 }) });
});
