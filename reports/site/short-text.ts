/** Documents and ranges where there is little room. */
import type { Chunk, Json, JsonObject } from '../../experiments/harness/record.ts';
import { shellLine } from '../shell-text.ts';

/** On one line, its end left out where it is long. */
export function brief(document: JsonObject): string {
  const line = shellLine(document);
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

/** A value as a label: a string without its quotes, a placeholder without its brackets. */
export function label(value: Json | undefined): string {
  const text = typeof value === 'string' ? value.replace(/^<(.*)>$/, '$1') : shellLine(value ?? null);
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}

/** `1000 ≤ uid < MaxKey()`; of a compound shard key with all fields in brackets. */
export function rangeText({ min, max }: Chunk, key: JsonObject): string {
  const fields = Object.entries(key).map(([field, kind]) => (kind === 'hashed' ? `hash of ${field}` : field));
  const [from = '', to = ''] = [min, max].map((bound) => tuple(Object.values(bound).map(shellLine)));
  return `${from} ≤ ${tuple(fields)} < ${to}`;
}

function tuple(values: readonly string[]): string {
  return values.length === 1 ? values.join('') : `(${values.join(', ')})`;
}
