/**
 * The order of BSON numbers across int, long, double and decimal, exact for every pair: NaN first and equal to itself,
 * -0 equal to 0, infinities at the ends (src/mongo/base/compare_numbers.h).
 */
import { type RawValue, Type } from '../wire/bson.ts';
import { type Decimal, decimalOf } from './decimal.ts';

/** Compares two values of number types: below, above or equal to 0. */
export function compareNumbers(a: RawValue, b: RawValue): number {
  if (a.type === Type.decimal || b.type === Type.decimal) return compareExact(exactOf(a), exactOf(b));
  if (a.type === Type.long) return b.type === Type.double ? -compareDoubleToLong(b, a) : compareIntegers(a, b);
  if (b.type === Type.long) return a.type === Type.double ? compareDoubleToLong(a, b) : compareIntegers(a, b);
  return compareDoubles(small(a), small(b));
}

function small(value: RawValue): number {
  return value.type === Type.int ? value.bytes.readInt32LE(0) : value.bytes.readDoubleLE(0);
}

function compareDoubles(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  return Number.isNaN(a) ? (Number.isNaN(b) ? 0 : -1) : 1;
}

function compareIntegers(a: RawValue, b: RawValue): number {
  return highWord(a) - highWord(b) || lowWord(a) - lowWord(b);
}

function highWord({ type, bytes }: RawValue): number {
  return type === Type.long ? bytes.readInt32LE(4) : bytes.readInt32LE(0) >> 31;
}

function lowWord({ bytes }: RawValue): number {
  return bytes.readUInt32LE(0);
}

function compareDoubleToLong(a: RawValue, b: RawValue): number {
  const double = a.bytes.readDoubleLE(0);
  const long = b.bytes.readBigInt64LE(0);
  if (Number.isNaN(double)) return -1;
  // JavaScript compares a number with a bigint exactly, infinities included.
  return double < long ? -1 : double > long ? 1 : 0;
}

/** A number as `coefficient × 10^exponent`, or one of the values that are none. */
type Exact = Decimal;

function exactOf(value: RawValue): Exact {
  switch (value.type) {
    case Type.decimal:
      return decimalOf(value.bytes);
    case Type.double:
      return exactDouble(value.bytes.readDoubleLE(0));
    case Type.long:
      return { coefficient: value.bytes.readBigInt64LE(0), exponent: 0 };
    default:
      return { coefficient: BigInt(value.bytes.readInt32LE(0)), exponent: 0 };
  }
}

/** Every finite double is a whole number times a power of two, so it has a finite decimal expansion. */
function exactDouble(value: number): Exact {
  if (!Number.isFinite(value)) return value;
  let exponent = 0;
  let whole = value;
  while (!Number.isInteger(whole)) {
    whole *= 2;
    exponent--;
  }
  return { coefficient: BigInt(whole) * 5n ** BigInt(-exponent), exponent };
}

function compareExact(a: Exact, b: Exact): number {
  if (typeof a === 'number' || typeof b === 'number') return compareDoubles(rough(a), rough(b));
  const bySign = sign(a.coefficient) - sign(b.coefficient);
  if (bySign !== 0 || a.coefficient === 0n) return bySign;
  const byMagnitude = magnitude(a) - magnitude(b);
  if (byMagnitude !== 0) return byMagnitude * sign(a.coefficient);
  const exponent = Math.min(a.exponent, b.exponent);
  const difference = scaled(a, exponent) - scaled(b, exponent);
  return sign(difference);
}

/** A finite number stands anywhere between the infinities when the other is NaN or infinite. */
function rough(value: Exact): number {
  return typeof value === 'number' ? value : 0;
}

function sign(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

/** The power of ten of the leading digit: keeps numbers far apart from being written out. */
function magnitude({ coefficient, exponent }: Exclude<Exact, number>): number {
  const digits = coefficient.toString().length - (coefficient < 0n ? 1 : 0);
  return digits + exponent;
}

function scaled({ coefficient, exponent }: Exclude<Exact, number>, to: number): bigint {
  return coefficient * 10n ** BigInt(exponent - to);
}
