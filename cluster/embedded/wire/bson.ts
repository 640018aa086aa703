/**
 * BSON seen from outside: reads and builds documents as bytes, without decoding what routing does not need
 * (https://bsonspec.org/spec.html).
 */
import { BSON, type Document } from 'bson';
import { ProtocolError } from './message.ts';

/** BSON's type bytes, by the names of the specification. */
export const Type = {
  double: 0x01,
  string: 0x02,
  object: 0x03,
  array: 0x04,
  binData: 0x05,
  undefined: 0x06,
  objectId: 0x07,
  bool: 0x08,
  date: 0x09,
  null: 0x0a,
  regex: 0x0b,
  dbPointer: 0x0c,
  code: 0x0d,
  symbol: 0x0e,
  codeWithScope: 0x0f,
  int: 0x10,
  timestamp: 0x11,
  long: 0x12,
  decimal: 0x13,
  minKey: 0xff,
  maxKey: 0x7f,
} as const;

/** One value as bytes: its BSON type and its encoding without type and name. */
export interface RawValue {
  type: number;
  bytes: Buffer;
}

/** One element of a document. */
export interface RawElement extends RawValue {
  name: string;
}

const VARIABLE = -1;
/** Encoded sizes in bytes by type; {@link VARIABLE} where the value says its own. */
const SIZES: Readonly<Record<number, number>> = {
  [Type.double]: 8,
  [Type.undefined]: 0,
  [Type.objectId]: 12,
  [Type.bool]: 1,
  [Type.date]: 8,
  [Type.null]: 0,
  [Type.int]: 4,
  [Type.timestamp]: 8,
  [Type.long]: 8,
  [Type.decimal]: 16,
  [Type.minKey]: 0,
  [Type.maxKey]: 0,
  [Type.string]: VARIABLE,
  [Type.object]: VARIABLE,
  [Type.array]: VARIABLE,
  [Type.binData]: VARIABLE,
  [Type.regex]: VARIABLE,
  [Type.dbPointer]: VARIABLE,
  [Type.code]: VARIABLE,
  [Type.symbol]: VARIABLE,
  [Type.codeWithScope]: VARIABLE,
};

/** Where the value of type `type` that starts at `at` ends. */
function valueEnd(doc: Buffer, type: number, at: number): number {
  const size = SIZES[type];
  if (size === undefined) throw new ProtocolError(`unknown BSON type ${type}`);
  const end = at + (size === VARIABLE ? variableSize(doc, type, at) : size);
  if (end > doc.length - 1 || end < at) throw new ProtocolError('a BSON value exceeds its document');
  return end;
}

function variableSize(doc: Buffer, type: number, at: number): number {
  if (type === Type.regex) return nulAfter(doc, nulAfter(doc, at) + 1) + 1 - at;
  const size = lengthAt(doc, at);
  switch (type) {
    case Type.object:
    case Type.array:
    case Type.codeWithScope:
      return size;
    case Type.binData:
      return size + 5;
    case Type.dbPointer:
      return size + 16;
    default:
      return size + 4; // strings: length, bytes with NUL
  }
}

/** Where the NUL that ends a C string lies. Most are short names, for which a loop is several times as fast as a search. */
function nulAfter(doc: Buffer, at: number): number {
  let end = at;
  while (end < doc.length && doc[end] !== 0) end++;
  if (end >= doc.length) throw new ProtocolError('a BSON string exceeds its document');
  return end;
}

function lengthAt(doc: Buffer, at: number): number {
  if (at + 4 > doc.length) throw new ProtocolError('a BSON value exceeds its document');
  return doc.readInt32LE(at);
}

/**
 * The elements of a document, in order.
 * @throws ProtocolError when the document is malformed
 */
export function elements(doc: Buffer): RawElement[] {
  const found: RawElement[] = [];
  for (let at = 4; doc[at] !== 0; ) {
    const type = doc[at] as number;
    const nameEnd = nulAfter(doc, at + 1);
    const end = valueEnd(doc, type, nameEnd + 1);
    found.push({ type, name: doc.toString('utf8', at + 1, nameEnd), bytes: doc.subarray(nameEnd + 1, end) });
    at = end;
  }
  return found;
}

/**
 * The first element's name, which names a command; `''` for an empty document.
 * @throws ProtocolError when the document is malformed
 */
export function firstName(doc: Buffer): string {
  return doc[4] === 0 ? '' : doc.toString('utf8', 5, nulAfter(doc, 5));
}

/**
 * The value of one top-level field, found without looking into the others.
 * @throws ProtocolError when the document is malformed
 */
export function field(doc: Buffer, name: string): RawValue | undefined {
  for (let at = 4; doc[at] !== 0; ) {
    const type = doc[at] as number;
    const nameEnd = nulAfter(doc, at + 1);
    const end = valueEnd(doc, type, nameEnd + 1);
    if (isNamed(doc, at + 1, nameEnd, name)) return { type, bytes: doc.subarray(nameEnd + 1, end) };
    at = end;
  }
  return undefined;
}

/** Whether the bytes of an element's name are those of `name`, without making a string of them where it is plain ASCII. */
function isNamed(doc: Buffer, start: number, end: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code > 0x7f) return doc.toString('utf8', start, end) === name;
    if (doc[start + i] !== code) return false;
  }
  return end - start === name.length;
}

/** The fewest bytes that one level of nesting takes: type, empty name, length, end. */
const LEVEL_BYTES = 7;

/**
 * Whether documents and arrays lie inside each other more than `limit` levels deep.
 * @throws ProtocolError when the document is malformed
 */
export function isNestedDeeper(doc: Buffer, limit: number): boolean {
  if (doc.length <= limit * LEVEL_BYTES) return false; // so that ordinary documents are not looked at
  let depth = 1;
  for (let at = 4; depth > 0; ) {
    const type = doc[at] as number;
    if (type === 0) {
      depth--;
      at++;
      continue;
    }
    const value = nulAfter(doc, at + 1) + 1;
    const inside = documentInside(doc, type, value);
    if (inside === undefined) at = valueEnd(doc, type, value);
    else if (++depth > limit) return true;
    else at = inside;
  }
  return false;
}

/** Where the elements of a value that holds a document begin; `undefined` for one that holds none. */
function documentInside(doc: Buffer, type: number, at: number): number | undefined {
  if (type === Type.object || type === Type.array) return at + 4;
  if (type !== Type.codeWithScope) return undefined;
  return at + 8 + Math.max(0, lengthAt(doc, at + 4)) + 4; // whole length, code's length, code, scope's length
}

/** The text of a string or symbol value; `undefined` for any other type and for a missing one. */
export function text(value: RawValue | undefined): string | undefined {
  if (value?.type !== Type.string && value?.type !== Type.symbol) return undefined;
  return value.bytes.toString('utf8', 4, value.bytes.length - 1);
}

/** A numeric value as a JavaScript number (a long beyond 2^53 loses digits); `undefined` for any other type. */
export function number(value: RawValue | undefined): number | undefined {
  switch (value?.type) {
    case Type.int:
      return value.bytes.readInt32LE(0);
    case Type.long:
      return Number(value.bytes.readBigInt64LE(0));
    case Type.double:
      return value.bytes.readDoubleLE(0);
    case Type.decimal:
      return Number(new BSON.Decimal128(value.bytes).toString());
    default:
      return undefined;
  }
}

/** Whether a server reads the value as true: `true` or a number that is not 0. */
export function truthy(value: RawValue | undefined): boolean {
  return value?.type === Type.bool ? value.bytes[0] === 1 : (number(value) ?? 0) !== 0;
}

/**
 * The documents of a document sequence, as views.
 * @param minBytes shorter ones are left out
 * @throws ProtocolError when one exceeds the sequence
 */
export function splitDocuments(bytes: Buffer, minBytes = 0): Buffer[] {
  const documents: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = at + 5 <= bytes.length ? bytes.readInt32LE(at) : 0;
    if (size < 5 || at + size > bytes.length) throw new ProtocolError('a document exceeds its sequence');
    if (size >= minBytes) documents.push(bytes.subarray(at, at + size));
    at += size;
  }
  return documents;
}

/** A document made of these elements, in order. */
export function documentOf(parts: readonly RawElement[]): Buffer {
  const chunks: Buffer[] = [Buffer.allocUnsafe(4)];
  for (const { type, name, bytes } of parts) {
    const head = Buffer.allocUnsafe(Buffer.byteLength(name) + 2);
    head.writeUInt8(type, 0);
    head.write(`${name}\0`, 1, 'utf8');
    chunks.push(head, bytes);
  }
  chunks.push(Buffer.of(0));
  const doc = Buffer.concat(chunks);
  doc.writeInt32LE(doc.length, 0);
  return doc;
}

/** An array value that holds these values, in order. */
export function arrayOf(values: readonly RawValue[]): RawValue {
  return { type: Type.array, bytes: documentOf(values.map((value, i) => ({ ...value, name: String(i) }))) };
}

/** `doc` without the named top-level fields. */
export function without(doc: Buffer, names: ReadonlySet<string>): Buffer {
  const all = elements(doc);
  const kept = all.filter(({ name }) => !names.has(name));
  return kept.length === all.length ? doc : documentOf(kept);
}

/** `doc` with these elements behind its own. */
export function append(doc: Buffer, added: readonly RawElement[]): Buffer {
  const tail = documentOf(added);
  const joined = Buffer.concat([doc.subarray(0, doc.length - 1), tail.subarray(4)]);
  joined.writeInt32LE(joined.length, 0);
  return joined;
}

/** A JavaScript value as an element's bytes. */
export function rawValue(value: unknown): RawValue {
  const { type, bytes } = elements(encode({ v: value }))[0] as RawElement;
  return { type, bytes };
}

/** Encodes a document; `undefined` fields are left out. */
export function encode(document: Document): Buffer {
  return Buffer.from(BSON.serialize(document, { ignoreUndefined: true }));
}

/**
 * Decodes a document keeping every number's type (`Int32`, `Long`, `Double` objects): what it says is what was sent.
 * The BSON type undefined is read as `undefined`, which {@link encode} leaves out: pass bytes on instead where that matters.
 */
export function decode(bytes: Buffer): Document {
  return BSON.deserialize(bytes, { promoteValues: false, bsonRegExp: true });
}

/** Decodes a document with plain JavaScript numbers, for metadata of our own making. */
export function decodePlain(bytes: Buffer): Document {
  return BSON.deserialize(bytes);
}
