/**
 * The hash of hashed indexes and hashed shard keys (src/mongo/db/hasher.cpp): MD5 over the seed 0, the canonical type
 * and the value; the first eight digest bytes are the hash.
 */
import { hash } from 'node:crypto';
import { elements, type RawValue, Type } from '../wire/bson.ts';
import { canonicalType } from './compare.ts';
import { divideHalfEven, type Exact, exactDecimal } from './decimal.ts';

const SEED = int32(0);
/** What closes an embedded document: an element of type 0 without a name. */
const END = int32(0);
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** The hash of a value as BSON's long; a missing field hashes as null. */
export function hashOf(value: RawValue): RawValue {
  const parts = [SEED];
  add(parts, value);
  const digest = hash('md5', Buffer.concat(parts), 'buffer');
  return { type: Type.long, bytes: digest.subarray(0, 8) };
}

function add(parts: Buffer[], value: RawValue): void {
  parts.push(int32(canonicalType(value.type)));
  addBody(parts, value);
}

function addBody(parts: Buffer[], { type, bytes }: RawValue): void {
  switch (type) {
    case Type.object:
    case Type.array:
      addElements(parts, bytes);
      break;
    case Type.codeWithScope: {
      const scopeAt = 8 + bytes.readInt32LE(4);
      parts.push(bytes.subarray(8, scopeAt));
      addElements(parts, bytes.subarray(scopeAt));
      break;
    }
    case Type.int:
    case Type.long:
    case Type.double:
    case Type.decimal:
      parts.push(int64(wholeNumber(type, bytes)));
      break;
    default:
      parts.push(bytes);
  }
}

function addElements(parts: Buffer[], document: Buffer): void {
  for (const element of elements(document)) {
    parts.push(int32(canonicalType(element.type)), Buffer.from(`${element.name}\0`));
    addBody(parts, element);
  }
  parts.push(END);
}

function wholeNumber(type: number, bytes: Buffer): bigint {
  switch (type) {
    case Type.int:
      return BigInt(bytes.readInt32LE(0));
    case Type.long:
      return bytes.readBigInt64LE(0);
    case Type.double:
      return wholeDouble(bytes.readDoubleLE(0));
    default:
      return wholeDecimal(exactDecimal(bytes));
  }
}

function wholeDouble(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  // The overflow that old servers had on x86 (`safeNumberLongForHash`).
  if (value === 2 ** 63) return INT64_MIN;
  return Number.isFinite(value) ? clamp(BigInt(Math.trunc(value))) : value > 0 ? INT64_MAX : INT64_MIN;
}

/** Decimals round half to even, unlike doubles, which are cut. */
function wholeDecimal(value: Exact): bigint {
  if (typeof value === 'number') return wholeDouble(value);
  const { coefficient, exponent } = value;
  // 34 digits at most: nothing is left of them below 10^-35, and all is beyond an int64 above 10^19.
  if (exponent >= 0) return clamp(coefficient * 10n ** BigInt(Math.min(exponent, 19)));
  return clamp(divideHalfEven(coefficient, 10n ** BigInt(Math.min(-exponent, 36))));
}

function clamp(value: bigint): bigint {
  return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : value;
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}
