/** Numbers read exactly, as `coefficient × 10^exponent`: what BSON's decimals are, and every finite double is too. */

/** `coefficient × 10^exponent`. */
export interface Finite {
  coefficient: bigint;
  exponent: number;
}

/** A finite number exactly, or NaN or an infinity as a JavaScript number. */
export type Exact = Finite | number;

const EXPONENT_BIAS = 6176;
/** The largest coefficient has 34 digits; encodings beyond it are not canonical and count as 0. */
const MAX_COEFFICIENT = 10n ** 34n - 1n;

/** Reads the 16 bytes of a decimal value: IEEE 754-2008 decimal128 in its binary integer encoding. */
export function exactDecimal(bytes: Buffer): Exact {
  const high = bytes.readUInt32LE(12);
  const negative = high >>> 31 === 1;
  const combination = (high >>> 26) & 0x1f;
  if (combination === 0x1f) return Number.NaN;
  if (combination === 0x1e) return negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  // A combination of 11xxx implies a coefficient of 2^113 or more, which is never canonical.
  if (combination >= 0x18) return { coefficient: 0n, exponent: 0 };
  const magnitude = ((bytes.readBigUInt64LE(8) & 0x1ffffffffffffn) << 64n) | bytes.readBigUInt64LE(0);
  const coefficient = magnitude > MAX_COEFFICIENT ? 0n : magnitude;
  return { coefficient: negative ? -coefficient : coefficient, exponent: ((high >>> 17) & 0x3fff) - EXPONENT_BIAS };
}

/** A finite double, which is a whole number times a power of two, so its decimal expansion ends. */
export function exactDouble(value: number): Finite {
  let exponent = 0;
  let whole = value;
  while (!Number.isInteger(whole)) {
    whole *= 2;
    exponent--;
  }
  return { coefficient: BigInt(whole) * 5n ** BigInt(-exponent), exponent };
}

/** `dividend / divisor` as a whole number, a half rounded to the even one. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const rest = dividend - quotient * divisor;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  if (twice < divisor || (twice === divisor && quotient % 2n === 0n)) return quotient;
  return quotient + (dividend < 0n ? -1n : 1n);
}
