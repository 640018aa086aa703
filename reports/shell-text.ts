/** JSON of a record as a person would type it into a shell. */
import type { Json, JsonObject } from '../experiments/harness/record.ts';

const WIDTH = 100;
const NAME = /^[A-Za-z_$][\w$]*$/;
const PLACEHOLDER = /^<[^<>]+>$/;

/** Extended JSON values that a shell has a word for. */
const WORDS: Readonly<Record<string, (value: Json) => string>> = {
  $date: (value) => `ISODate(${JSON.stringify(value)})`,
  $minKey: () => 'MinKey()',
  $maxKey: () => 'MaxKey()',
  $numberLong: (value) => `Long(${JSON.stringify(value)})`,
  $numberDecimal: (value) => `Decimal128(${JSON.stringify(value)})`,
  $numberDouble: (value) => (Number.isFinite(Number(value)) ? `Double(${value})` : String(value)),
};

/**
 * One line where it fits into {@link WIDTH} characters, one line for each field or element otherwise.
 * @param indent in front of every line after the first
 */
export function shellText(value: Json, indent = ''): string {
  const line = shellLine(value);
  if (indent.length + line.length <= WIDTH || typeof value !== 'object' || value === null) return line;
  return Array.isArray(value) ? listText(value, indent) : objectText(value as JsonObject, indent);
}

function objectText(object: JsonObject, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(object).map(([key, item]) => `${inner}${name(key)}: ${shellText(item, inner)}`);
  return `{\n${fields.join(',\n')}\n${indent}}`;
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
  if (typeof value === 'string') return PLACEHOLDER.test(value) ? value : JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(shellLine).join(', ')} ]`;
  return flatObject(Object.entries(value));
}

function flatObject(entries: readonly (readonly [string, Json])[]): string {
  const [first] = entries;
  const word = entries.length === 1 && first ? WORDS[first[0]] : undefined;
  if (word && first) return word(first[1]);
  return first ? `{ ${entries.map(([key, item]) => `${name(key)}: ${shellLine(item)}`).join(', ')} }` : '{}';
}

function name(key: string): string {
  return NAME.test(key) || PLACEHOLDER.test(key) ? key : JSON.stringify(key);
}
