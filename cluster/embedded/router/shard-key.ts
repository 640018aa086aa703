/**
 * The shard key pattern and the keys it takes from documents
 * (src/mongo/db/global_catalog/shard_key_pattern.cpp; the rules and words are those of 9.0).
 */
import { documentOf, elements, field, number, type RawElement, type RawValue, Type, text } from '../wire/bson.ts';
import { documentText, elementText } from './bson-text.ts';
import { CommandError } from './command.ts';
import { MAX_KEY, MIN_KEY, NULL } from './compare.ts';
import { hashOf } from './hash.ts';
import type { KeyField, ShardKeyValues } from './routing.ts';

const BAD_VALUE = 2;
const SHARD_KEY_NOT_FOUND = 61;
const DBREF_PARTS: ReadonlySet<string> = new Set(['$db', '$id', '$ref']);

/**
 * The fields of a key pattern, in order.
 * @param pattern BSON document, as `{ a: 1, b: "hashed" }`
 * @throws CommandError 2 when it is no valid shard key
 */
export function parseShardKey(pattern: Buffer): KeyField[] {
  const parts = elements(pattern);
  if (parts.length === 0) throw new CommandError(BAD_VALUE, 'Shard key is empty');
  const fields: KeyField[] = [];
  for (const part of parts) {
    checkPath(part.name);
    const hashed = text(part) === 'hashed' && part.type === Type.string;
    if (hashed && fields.some((before) => before.hashed))
      throw invalid(pattern, "can contain at most one 'hashed' field", part);
    if (!hashed && !isAscending(part)) {
      throw invalid(pattern, 'is invalid. Non-hashed fields must be set to a value of 1 (ascending)', part);
    }
    fields.push({ path: part.name, hashed });
  }
  return fields;
}

function checkPath(path: string): void {
  const fail = (why: string): never => {
    throw new CommandError(BAD_VALUE, `Field ${path} ${why}`);
  };
  if (path === '') fail('is empty');
  for (const [i, part] of path.split('.').entries()) {
    if (part === '') fail('contains empty parts');
    if (part.startsWith('$') && (i === 0 || !DBREF_PARTS.has(part))) fail("contains parts that start with '$'");
  }
}

function isAscending(part: RawElement): boolean {
  const value = number(part);
  return value !== undefined && Math.trunc(value) === 1;
}

function invalid(pattern: Buffer, why: string, part: RawElement): CommandError {
  return new CommandError(BAD_VALUE, `Shard key ${documentText(pattern)} ${why}. Failed to parse field ${part.name}`);
}

/**
 * The shard key of a document: a missing field counts as null, a hashed field's value becomes its hash.
 * @throws CommandError 61 when there is an array at a key field or on the way to it
 */
export function keyOfDocument(fields: readonly KeyField[], document: Buffer): ShardKeyValues {
  return fields.map(({ path, hashed }) => {
    const value = valueAt(document, path) ?? NULL;
    if (value.type === Type.array) {
      throw new CommandError(SHARD_KEY_NOT_FOUND, 'Shard key cannot contain array values or array descendants.');
    }
    return hashed ? hashOf(value) : value;
  });
}

/** The document of a key, `{ a: 1, b: "x" }`. */
export function keyDocument(fields: readonly KeyField[], key: ShardKeyValues): Buffer {
  return documentOf(fields.map(({ path }, i) => ({ ...(key[i] as RawValue), name: path })));
}

/** The least of all keys, from which the first chunk begins: MinKey in every field. */
export function globalMin(fields: readonly KeyField[]): Buffer {
  return keyDocument(
    fields,
    fields.map(() => MIN_KEY),
  );
}

/** The end of the last chunk: MaxKey in every field. */
export function globalMax(fields: readonly KeyField[]): Buffer {
  return keyDocument(
    fields,
    fields.map(() => MAX_KEY),
  );
}

/**
 * Whether a document holds exactly the key's fields (by their dotted names, in any order) and no array, as bounds and split
 * points must (`isShardKey`).
 */
export function isShardKey(fields: readonly KeyField[], bound: Buffer): boolean {
  const parts = elements(bound);
  return parts.length === fields.length && fields.every(({ path }) => hasKeyValue(parts, path));
}

function hasKeyValue(parts: readonly RawElement[], path: string): boolean {
  const part = parts.find(({ name }) => name === path);
  return part !== undefined && part.type !== Type.array;
}

/**
 * The values of a bound in the key's order (`normalizeShardKey`).
 * @returns `undefined` when the document is no key, see {@link isShardKey}
 */
export function boundValues(fields: readonly KeyField[], bound: Buffer): ShardKeyValues | undefined {
  return isShardKey(fields, bound) ? fields.map(({ path }) => field(bound, path) as RawValue) : undefined;
}

/** Whether a bound of a hashed field has a type that its hashes are compared with: long, MinKey or MaxKey. */
export function isHashedBound({ type }: RawValue): boolean {
  return type === Type.long || type === Type.minKey || type === Type.maxKey;
}

/**
 * Refuses a bound that may not be stored in the metadata.
 * @throws CommandError 2 when a value is an array, a regular expression, or an object with `$` fields
 */
export function checkStorable(bound: Buffer): void {
  const wrong = elements(bound).find((element) => !isStorable(element));
  if (wrong) throw new CommandError(BAD_VALUE, `Shard key element ${elementText(wrong)} is not valid for storage`);
}

/** Whether a value may be part of a bound (`isValidShardKeyElementForStorage`). */
export function isStorable({ type, bytes }: RawValue): boolean {
  if (type === Type.object) return areStorable(elements(bytes));
  return type !== Type.array && type !== Type.regex;
}

/** No field may begin with `$`, but for those of a DBRef that come first (`storageValidEmbedded`, src/mongo/bson/bsonobj.cpp). */
function areStorable(parts: readonly RawElement[]): boolean {
  return parts.slice(dbRefLength(parts)).every((part) => !part.name.startsWith('$')) && parts.every(isNestedStorable);
}

function dbRefLength([ref, id, db]: readonly RawElement[]): number {
  if (ref?.name !== '$ref' || ref.type !== Type.string || id?.name !== '$id') return 0;
  return db?.name === '$db' && db.type === Type.string ? 3 : 2;
}

function isNestedStorable({ type, bytes }: RawElement): boolean {
  if (type === Type.object || type === Type.array) return areStorable(elements(bytes));
  if (type === Type.codeWithScope) return areStorable(elements(bytes.subarray(8 + bytes.readInt32LE(4))));
  return true;
}

/**
 * The value at a dotted path, through embedded documents only; an array on the way is what is returned
 * (`getFieldDottedOrArray`, src/mongo/db/matcher/path_internal.cpp).
 */
export function valueAt(document: Buffer, path: string): RawValue | undefined {
  const dot = path.indexOf('.');
  if (dot < 0) return field(document, path);
  const value = field(document, path.slice(0, dot));
  if (value?.type === Type.object) return valueAt(value.bytes, path.slice(dot + 1));
  return value?.type === Type.array ? value : undefined;
}
