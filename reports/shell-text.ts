/** JSON of a record as a person would type it into a shell. */
import type { Json, JsonObject } from '../experiments/harness/record.ts';

/** Characters of a line. */
export const WIDTH = 100;
const NAME = /^[A-Za-z_$][\w$]*$/;
/** What normalize.ts writes for values that are no strings. */
const PLACEHOLDER = /^<(?:(?:ObjectId|UUID|cursor) \d+|Timestamp|date|duration)>$/;

/** What nobody sees, or what turns around the text beside it (https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing). */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Extended JSON values that mongosh has a word for. */
const WORDS: Readonly<Record<string, (value: Json) => string>> = {
  $oid: (value) => `ObjectId(${JSON.stringify(value)})`,
  $date: dateWord,
  $timestamp: (value) => `Timestamp(${shellLine(value)})`,
  $binary: (value) => binaryWord(value as Readonly<Record<'base64' | 'subType', string>>),
  $regularExpression: (value) => expressionWord(value as Readonly<Record<'pattern' | 'options', string>>),
  $minKey: () => 'MinKey()',
  $maxKey: () => 'MaxKey()',
  $numberLong: (value) => `Long(${JSON.stringify(value)})`,
  $numberDecimal: (value) => `Decimal128(${JSON.stringify(value)})`,
  $numberDouble: (value) => (Number.isFinite(Number(value)) ? `Double(${value})` : String(value)),
};

/**
 * One line where it fits into {@link WIDTH} characters, one line for each field or element otherwise.
 * @param indent in front of every line after the first
 * @param taken characters that stand on the first line besides, after the indent
 */
export function shellText(value: Json, indent = '', taken = 0): string {
  const line = shellLine(value);
  return indent.length + taken + line.length <= WIDTH ? line : brokenUp(value, indent);
}

/** The same with a line for each field or for some elements, whatever its length. */
export function brokenUp(value: Json, indent = ''): string {
  if (Array.isArray(value) && value.length > 0) return listText(value, indent);
  return isPlain(value) ? objectText(value, indent) : shellLine(value);
}

/** A document with fields, and no BSON value written as one. */
function isPlain(value: Json): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return entries.length > 0 && wordOf(entries) === undefined;
}

function objectText(object: JsonObject, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(object).map(([key, item]) => fieldText(name(key), item, inner));
  return `{\n${fields.join(',\n')}\n${indent}}`;
}

/** A comma may follow. */
function fieldText(key: string, value: Json, indent: string): string {
  return `${indent}${key}: ${shellText(value, indent, key.length + 3)}`;
}

/** Short items share lines. */
function listText(list: readonly Json[], indent: string): string {
  const inner = `${indent}  `;
  const lines: string[] = [];
  for (const item of list.map((one) => shellText(one, inner))) {
    const extended = `${lines.at(-1)}, ${item}`;
    const fits = lines.length > 0 && !extended.includes('\n') && inner.length + extended.length < WIDTH;
    lines.splice(fits ? -1 : lines.length, 1, fits ? extended : item);
  }
  return `[\n${lines.map((line) => `${inner}${line}`).join(',\n')}\n${indent}]`;
}

/** The same on one line, however long. */
export function shellLine(value: Json): string {
  if (typeof value === 'string') return PLACEHOLDER.test(value) ? value : quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(shellLine).join(', ')} ]`;
  return flatObject(Object.entries(value));
}

function flatObject(entries: readonly (readonly [string, Json])[]): string {
  const fields = entries.map(([key, item]) => `${name(key)}: ${shellLine(item)}`);
  return wordOf(entries) ?? (fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}');
}

/** The word for a BSON value; undefined for a document. */
function wordOf([first, second]: readonly (readonly [string, Json])[]): string | undefined {
  return first && !second && Object.hasOwn(WORDS, first[0]) ? WORDS[first[0]]?.(first[1]) : undefined;
}

/** What relaxed Extended JSON has no date for is milliseconds (before 1970, after 9999). */
function dateWord(value: Json): string {
  const isNumber = typeof value === 'object' && value !== null && '$numberLong' in value;
  return isNumber ? `new Date(${String(value.$numberLong)})` : `ISODate(${JSON.stringify(value)})`;
}

function binaryWord({ base64, subType }: Readonly<Record<'base64' | 'subType', string>>): string {
  return `Binary.createFromBase64(${JSON.stringify(base64)}, ${Number.parseInt(subType, 16)})`;
}

/** A literal means the same only where JavaScript knows each of the flags. */
function expressionWord({ pattern, options }: Readonly<Record<'pattern' | 'options', string>>): string {
  const isPlainText = pattern !== '' && !pattern.includes('/') && pattern.search(UNSEEN) < 0;
  const isLiteral = isPlainText && /^[ims]*$/.test(options);
  return isLiteral ? `/${pattern}/${options}` : `BSONRegExp(${quoted(pattern)}, ${quoted(options)})`;
}

function name(key: string): string {
  if (key === '__proto__') return '["__proto__"]'; // which a literal would take for the prototype
  return NAME.test(key) ? key : quoted(key);
}

function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(UNSEEN, escaped);
}

/** Of two units above U+FFFF. */
function escaped(character: string): string {
  return character.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
