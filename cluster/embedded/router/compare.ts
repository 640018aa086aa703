/**
 * The total order of BSON values, on their bytes: the order of shard keys and of every index without a collation
 * (src/mongo/bson/bsonelement.cpp `compareElements`, src/mongo/bson/bsontypes.h `canonicalizeBSONType`).
 */
import { elements, type RawElement, type RawValue, Type } from '../wire/bson.ts';
import { compareNumbers } from './compare-numbers.ts';

/** What every stored key is compared with: null, which a missing field counts as. */
export const NULL: RawValue = { type: Type.null, bytes: Buffer.alloc(0) };
/** Sorts before every other value. */
export const MIN_KEY: RawValue = { type: Type.minKey, bytes: Buffer.alloc(0) };
/** Sorts after every other value. */
export const MAX_KEY: RawValue = { type: Type.maxKey, bytes: Buffer.alloc(0) };

/** Types that sort as one share a number; values of different numbers sort by it. */
const CANONICAL: Readonly<Record<number, number>> = {
  [Type.minKey]: -1,
  [Type.undefined]: 0,
  [Type.null]: 5,
  [Type.double]: 10,
  [Type.int]: 10,
  [Type.long]: 10,
  [Type.decimal]: 10,
  [Type.string]: 15,
  [Type.symbol]: 15,
  [Type.object]: 20,
  [Type.array]: 25,
  [Type.binData]: 30,
  [Type.objectId]: 35,
  [Type.bool]: 40,
  [Type.date]: 45,
  [Type.timestamp]: 47,
  [Type.regex]: 50,
  [Type.dbPointer]: 55,
  [Type.code]: 60,
  [Type.codeWithScope]: 65,
  [Type.maxKey]: 127,
};

/** The type's place in the order of types, by which the server also hashes. */
export function canonicalType(type: number): number {
  return CANONICAL[type] as number;
}

/**
 * Compares two values.
 * @returns below, above or equal to 0; 0 also for values that only differ in the number's type, as 1 and 1.0
 */
export function compareValues(a: RawValue, b: RawValue): number {
  if (a.type !== b.type) {
    const byType = canonicalType(a.type) - canonicalType(b.type);
    if (byType !== 0) return byType;
  }
  switch (a.type) {
    case Type.objectId:
    case Type.bool:
      return a.bytes.compare(b.bytes);
    case Type.string:
    case Type.symbol:
    case Type.code:
      return compareText(a.bytes, b.bytes);
    case Type.int:
    case Type.double:
    case Type.long:
    case Type.decimal:
      return compareNumbers(a, b);
    case Type.date:
      return compareInt64(a.bytes, b.bytes);
    case Type.timestamp:
      return compareUint64(a.bytes, b.bytes);
    case Type.object:
    case Type.array:
      return compareDocuments(a.bytes, b.bytes);
    case Type.binData:
      return compareSized(a.bytes.subarray(4), b.bytes.subarray(4));
    case Type.dbPointer:
      return compareSized(a.bytes, b.bytes);
    case Type.regex:
      return a.bytes.compare(b.bytes); // pattern, NUL, options, NUL
    case Type.codeWithScope:
      return compareCodeWithScope(a.bytes, b.bytes);
    default:
      return 0; // types without a value
  }
}

/** Compares values one by one; the first difference decides, then the length. */
export function compareKeys(a: readonly RawValue[], b: readonly RawValue[]): number {
  const common = Math.min(a.length, b.length);
  for (let i = 0; i < common; i++) {
    const order = compareValues(a[i] as RawValue, b[i] as RawValue);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Compares documents (and arrays) element by element: type, then name, then value; a prefix sorts first. */
export function compareDocuments(a: Buffer, b: Buffer): number {
  if (a.equals(b)) return 0;
  const left = elements(a);
  const right = elements(b);
  const common = Math.min(left.length, right.length);
  for (let i = 0; i < common; i++) {
    const order = compareElements(left[i] as RawElement, right[i] as RawElement);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareElements(a: RawElement, b: RawElement): number {
  const byType = canonicalType(a.type) - canonicalType(b.type);
  if (byType !== 0) return byType;
  if (a.name !== b.name) return Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
  return compareValues(a, b);
}

/** Two length-prefixed texts by their bytes, NULs inside included. */
function compareText(a: Buffer, b: Buffer): number {
  return a.compare(b, 4, b.length, 4, a.length);
}

function compareSized(a: Buffer, b: Buffer): number {
  return a.length - b.length || a.compare(b);
}

function compareInt64(a: Buffer, b: Buffer): number {
  return a.readInt32LE(4) - b.readInt32LE(4) || a.readUInt32LE(0) - b.readUInt32LE(0);
}

function compareUint64(a: Buffer, b: Buffer): number {
  return a.readUInt32LE(4) - b.readUInt32LE(4) || a.readUInt32LE(0) - b.readUInt32LE(0);
}

function compareCodeWithScope(a: Buffer, b: Buffer): number {
  const codeA = codeEnd(a);
  const codeB = codeEnd(b);
  return a.compare(b, 8, codeB, 8, codeA) || compareDocuments(a.subarray(codeA), b.subarray(codeB));
}

/** Where the code of a code-with-scope ends and its scope begins: int32 total, int32 length, code. */
function codeEnd(value: Buffer): number {
  return 8 + value.readInt32LE(4);
}
