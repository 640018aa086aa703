/** What is what in the JSON of a record. */
import type { Json, JsonObject } from '../experiments/harness/record.ts';

/** What normalize.ts calls the database of an experiment. */
export const SCRATCH = '<database>';

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
