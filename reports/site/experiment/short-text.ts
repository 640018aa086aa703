/** Documents and ranges where there is little room. */
import type { Chunk, JsonObject } from '../../../experiments/harness/record.ts';
import { documentLabel } from '../../diagram-labels.ts';
import { shellLine } from '../../shell-text.ts';
import { cut } from '../../words.ts';

/** On one line, its end left out where it is long. */
export function brief(document: JsonObject): string {
  return cut(shellLine(document), 160);
}

/** What a document is known by where it is a dot. */
export function label(document: JsonObject): string {
  return cut(documentLabel(document).replaceAll(/\p{Cc}/gu, '\ufffd'), 24) || '""';
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
