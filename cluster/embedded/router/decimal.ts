/** IEEE 754-2008 decimal128 in the binary integer encoding that BSON uses, read exactly. */

/** `coefficient × 10^exponent`, or NaN or an infinity as a JavaScript number. */
export type Decimal = { coefficient: bigint; exponent: number } | number;

const EXPONENT_BIAS = 6176;
/** The largest coefficient has 34 digits; encodings beyond it are not canonical and count as 0. */
const MAX_COEFFICIENT = 10n ** 34n - 1n;

/** Reads the 16 bytes of a decimal value. */
export function decimalOf(bytes: Buffer): Decimal {
  const high = bytes.readUInt32LE(12);
  const negative = high >>> 31 === 1;
  const combination = (high >>> 26) & 0x1f;
  if (combination === 0x1f) return Number.NaN;
  if (combination === 0x1e) return negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  // A combination of 11xxx shifts the exponent and implies a coefficient of 2^113 or more, which is never canonical.
  if (combination >= 0x18) return { coefficient: 0n, exponent: ((high >>> 15) & 0x3fff) - EXPONENT_BIAS };
  const magnitude = ((bytes.readBigUInt64LE(8) & 0x1ffffffffffffn) << 64n) | bytes.readBigUInt64LE(0);
  const coefficient = magnitude > MAX_COEFFICIENT ? 0n : magnitude;
  return { coefficient: negative ? -coefficient : coefficient, exponent: ((high >>> 17) & 0x3fff) - EXPONENT_BIAS };
}
