/**
 * Where the values of one type lie in the order of all values: `{ $gt: 5 }` finds numbers only
 * (`appendMinForType` and `appendMaxForType`, src/mongo/bson/bsonobjbuilder.cpp).
 */
import { type RawValue, rawValue, Type } from '../wire/bson.ts';
import { MAX_KEY, MIN_KEY, NULL } from './compare.ts';
import type { Interval } from './intervals.ts';

const NOTHING = Buffer.alloc(0);
const EMPTY_TEXT = Buffer.from([1, 0, 0, 0, 0]);
const EMPTY_DOCUMENT = Buffer.from([5, 0, 0, 0, 0]);

const LEAST = {
  number: rawValue(Number.NaN),
  string: { type: Type.string, bytes: EMPTY_TEXT },
  object: { type: Type.object, bytes: EMPTY_DOCUMENT },
  array: { type: Type.array, bytes: EMPTY_DOCUMENT },
  binData: { type: Type.binData, bytes: Buffer.alloc(5) },
  objectId: { type: Type.objectId, bytes: Buffer.alloc(12) },
  dbPointer: { type: Type.dbPointer, bytes: Buffer.concat([EMPTY_TEXT, Buffer.alloc(12)]) },
  regex: { type: Type.regex, bytes: Buffer.alloc(2) },
  code: { type: Type.code, bytes: EMPTY_TEXT },
  codeWithScope: {
    type: Type.codeWithScope,
    bytes: Buffer.concat([Buffer.from([14, 0, 0, 0]), EMPTY_TEXT, EMPTY_DOCUMENT]),
  },
} as const satisfies Record<string, RawValue>;

const NUMBERS = bracket(LEAST.number, rawValue(Number.POSITIVE_INFINITY), true);
const STRINGS = bracket(LEAST.string, LEAST.object, false);
const UNDEFINED: RawValue = { type: Type.undefined, bytes: NOTHING };

/** Where a type is of variable length, its bracket ends before the least value of the next. */
const BRACKETS: Readonly<Record<number, Interval>> = {
  [Type.double]: NUMBERS,
  [Type.int]: NUMBERS,
  [Type.long]: NUMBERS,
  [Type.decimal]: NUMBERS,
  [Type.string]: STRINGS,
  [Type.symbol]: STRINGS,
  [Type.object]: bracket(LEAST.object, LEAST.array, false),
  [Type.array]: bracket(LEAST.array, LEAST.binData, false),
  [Type.binData]: bracket(LEAST.binData, LEAST.objectId, false),
  [Type.objectId]: bracket(LEAST.objectId, { type: Type.objectId, bytes: Buffer.alloc(12, 0xff) }, true),
  [Type.bool]: bracket(rawValue(false), rawValue(true), true),
  [Type.date]: bracket(ofLong(Type.date, -(2n ** 63n)), ofLong(Type.date, 2n ** 63n - 1n), true),
  [Type.timestamp]: bracket(ofLong(Type.timestamp, 0n), ofLong(Type.timestamp, -1n), true),
  [Type.regex]: bracket(LEAST.regex, LEAST.dbPointer, false),
  [Type.dbPointer]: bracket(LEAST.dbPointer, LEAST.code, false),
  [Type.code]: bracket(LEAST.code, LEAST.codeWithScope, false),
  [Type.codeWithScope]: bracket(LEAST.codeWithScope, MAX_KEY, false),
  [Type.undefined]: bracket(UNDEFINED, UNDEFINED, true),
  [Type.null]: bracket(NULL, NULL, true),
};

/** MinKey and MaxKey are compared with values of every type. */
const UNBRACKETED = bracket(MIN_KEY, MAX_KEY, true);

/** Every value that an inequality with a value of this type can find. */
export function bracketOf(type: number): Interval {
  return BRACKETS[type] ?? UNBRACKETED;
}

function bracket(min: RawValue, max: RawValue, maxInclusive: boolean): Interval {
  return { min, minInclusive: true, max, maxInclusive };
}

function ofLong(type: number, value: bigint): RawValue {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return { type, bytes };
}
