/** BSON as the server's messages print it (`BSONObj::toString`, `BSONElement::toString` in src/mongo/bson/, 9.0). */
import { BSON } from 'bson';
import { elements, type RawElement, type RawValue, Type } from '../wire/bson.ts';
import { divideHalfEven, exactDouble } from './decimal.ts';

/** A document: `{ a: 1.0, b: "x", c: MinKey }`. */
export function documentText(document: Buffer): string {
  const parts = elements(document).map(elementText);
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : '{}';
}

/** One element with its name: `a: 1.0`. */
export function elementText(element: RawElement): string {
  return `${element.name}: ${valueText(element)}`;
}

/** A range of keys, as of a chunk: `[{ a: MinKey }, { a: 0 })`. */
export function rangeText(min: Buffer, max: Buffer): string {
  return `[${documentText(min)}, ${documentText(max)})`;
}

/** A value alone. Long strings, code and binary data are cut short as the server does. */
export function valueText({ type, bytes }: RawValue): string {
  switch (type) {
    case Type.double:
      return doubleText(bytes);
    case Type.string:
    case Type.symbol:
      return stringText(bytes.subarray(4, -1));
    case Type.object:
      return documentText(bytes);
    case Type.array:
      return arrayText(bytes);
    case Type.binData:
      return binaryText(bytes);
    case Type.undefined:
      return 'undefined';
    case Type.objectId:
      return `ObjectId('${bytes.toString('hex')}')`;
    case Type.bool:
      return bytes[0] === 0 ? 'false' : 'true';
    case Type.date:
      return `new Date(${bytes.readBigInt64LE(0)})`;
    case Type.null:
      return 'null';
    case Type.regex:
      return `/${bytes.toString('utf8', 0, bytes.length - 1).replace('\0', '/')}`;
    case Type.dbPointer:
      return `DBRef('${bytes.toString('utf8', 4, bytes.length - 13)}',${bytes.toString('hex', bytes.length - 12)})`;
    case Type.code:
      return codeText(bytes.subarray(4, -1));
    case Type.codeWithScope:
      return codeWithScopeText(bytes);
    case Type.int:
      return String(bytes.readInt32LE(0));
    case Type.timestamp:
      return `Timestamp(${bytes.readUInt32LE(4)}, ${bytes.readUInt32LE(0)})`;
    case Type.long:
      return String(bytes.readBigInt64LE(0));
    case Type.decimal:
      return new BSON.Decimal128(bytes).toString();
    default:
      return type === Type.minKey ? 'MinKey' : 'MaxKey';
  }
}

function arrayText(array: Buffer): string {
  const parts = elements(array).map(valueText);
  return parts.length > 0 ? `[ ${parts.join(', ')} ]` : '[]';
}

function stringText(bytes: Buffer): string {
  return bytes.length >= 160 ? `"${bytes.toString('utf8', 0, 150)}..."` : `"${bytes}"`;
}

function codeText(bytes: Buffer): string {
  return bytes.length >= 80 ? `${bytes.toString('utf8', 0, 70)}...` : bytes.toString();
}

function codeWithScopeText(bytes: Buffer): string {
  const scopeAt = 8 + bytes.readInt32LE(4);
  return `CodeWScope( ${bytes.toString('utf8', 8, scopeAt - 1)}, ${documentText(bytes.subarray(scopeAt))})`;
}

const UUID_SUBTYPE = 4;
/** Its data repeat their own length. */
const OLD_BINARY_SUBTYPE = 2;

function binaryText(bytes: Buffer): string {
  const subtype = bytes.readUInt8(4);
  const data = bytes.subarray(subtype === OLD_BINARY_SUBTYPE ? 9 : 5);
  if (subtype === UUID_SUBTYPE && data.length === 16) return `UUID("${uuidText(data)}")`;
  const shown = data.length > 80 ? data.subarray(0, 70) : data;
  return `BinData(${subtype}, ${shown.toString('hex').toUpperCase()}${data.length > 80 ? '...' : ''})`;
}

function uuidText(data: Buffer): string {
  return data.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** `appendDoubleNice` (src/mongo/bson/util/builder.h): C's `%.16g`, and `.0` behind bare digits. Old servers print `inf.0` and `1e+20.0` too. */
function doubleText(bytes: Buffer): string {
  const value = bytes.readDoubleLE(0);
  const sign = bytes.readUInt8(7) >> 7 ? '-' : '';
  const text = sign + unsignedText(Math.abs(value));
  return /\d$/.test(text) && !/[.e]/.test(text) ? `${text}.0` : text;
}

function unsignedText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (value === Number.POSITIVE_INFINITY) return 'inf';
  return value === 0 ? '0' : shortest(sixteenDigits(value));
}

/** The 16 leading digits, rounded as C rounds, and the power of ten of the first. JavaScript's own rounding differs on a tie. */
function sixteenDigits(value: number): { digits: string; power: number } {
  const { coefficient, exponent } = exactDouble(value);
  const surplus = Math.max(coefficient.toString().length - 16, 0);
  const digits = divideHalfEven(coefficient, 10n ** BigInt(surplus)).toString();
  return { digits, power: digits.length - 1 + exponent + surplus };
}

function shortest({ digits, power }: { digits: string; power: number }): string {
  const kept = digits.replace(/0+$/, '');
  if (power < -4 || power >= 16) {
    const exponent = `${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
    return `${withPoint(kept, 1)}e${exponent}`;
  }
  return power < 0 ? `0.${'0'.repeat(-power - 1)}${kept}` : withPoint(kept.padEnd(power + 1, '0'), power + 1);
}

function withPoint(digits: string, at: number): string {
  return digits.length > at ? `${digits.slice(0, at)}.${digits.slice(at)}` : digits;
}
