/**
 * The order of BSON numbers across int, long, double and decimal, exact for every pair: NaN first and equal to itself,
 * -0 equal to 0, infinities at the ends (src/mongo/base/compare_numbers.h).
 */
import { type RawValue, Type } from '../wire/bson.ts';
import { type Exact, exactDecimal, exactDouble, type Finite } from './decimal.ts';

/** Compares two values of number types: below, above or equal to 0. */
export function compareNumbers(a: RawValue, b: RawValue): number {
  if (a.type === Type.decimal || b.type === Type.decimal) return compareExact(exactOf(a), exactOf(b));
  if (a.type === Type.long) return b.type === Type.double ? -compareDoubleToLong(b, a) : compareIntegers(a, b);
  if (b.type === Type.long) return a.type === Type.double ? compareDoubleToLong(a, b) : compareIntegers(a, b);
  return compareDoubles(asDouble(a), asDouble(b));
}

/** An int or a double, neither of which loses anything as a JavaScript number. */
function asDouble(value: RawValue): number {
  return value.type === Type.int ? value.bytes.readInt32LE(0) : value.bytes.readDoubleLE(0);
}

function compareDoubles(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  return Number.isNaN(a) ? (Number.isNaN(b) ? 0 : -1) : 1;
}

function compareIntegers(a: RawValue, b: RawValue): number {
  return highWord(a) - highWord(b) || a.bytes.readUInt32LE(0) - b.bytes.readUInt32LE(0);
}

function highWord({ type, bytes }: RawValue): number {
  return type === Type.long ? bytes.readInt32LE(4) : bytes.readInt32LE(0) >> 31;
}

function compareDoubleToLong(a: RawValue, b: RawValue): number {
  const double = a.bytes.readDoubleLE(0);
  const long = b.bytes.readBigInt64LE(0);
  if (Number.isNaN(double)) return -1;
  // JavaScript compares a number with a bigint exactly, infinities included.
  return double < long ? -1 : double > long ? 1 : 0;
}

function exactOf(value: RawValue): Exact {
  switch (value.type) {
    case Type.decimal:
      return exactDecimal(value.bytes);
    case Type.long:
      return { coefficient: value.bytes.readBigInt64LE(0), exponent: 0 };
    default:
      return exactOrNot(asDouble(value));
  }
}

function exactOrNot(double: number): Exact {
  return Number.isFinite(double) ? exactDouble(double) : double;
}

function compareExact(a: Exact, b: Exact): number {
  // Among NaN and infinities, any finite number stands where 0 does.
  if (typeof a === 'number') return compareDoubles(a, typeof b === 'number' ? b : 0);
  if (typeof b === 'number') return compareDoubles(0, b);
  const bySign = sign(a.coefficient) - sign(b.coefficient);
  if (bySign !== 0 || a.coefficient === 0n) return bySign;
  const byMagnitude = magnitude(a) - magnitude(b);
  if (byMagnitude !== 0) return byMagnitude * sign(a.coefficient);
  const exponent = Math.min(a.exponent, b.exponent);
  return sign(scaled(a, exponent) - scaled(b, exponent));
}

function sign(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

/** The power of ten of the leading digit: keeps numbers far apart from being written out. */
function magnitude({ coefficient, exponent }: Finite): number {
  return coefficient.toString().length - (coefficient < 0n ? 1 : 0) + exponent;
}

function scaled({ coefficient, exponent }: Finite, to: number): bigint {
  return coefficient * 10n ** BigInt(exponent - to);
}
