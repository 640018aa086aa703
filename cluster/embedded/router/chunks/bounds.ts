/** Bounds of shard key ranges, as commands give them and messages print them. */
import { documentOf, elements, Type } from '../../wire/bson.ts';
import { documentText } from '../bson-text.ts';
import { compareDocuments, MIN_KEY } from '../compare.ts';
import type { KeyField } from '../routing.ts';
import { boundValues, keyDocument } from '../shard-key.ts';

/** A bound with its fields in the key's order; `undefined` when it does not have exactly the key's fields, or an array in one. */
export function normalBound(fields: readonly KeyField[], bound: Buffer): Buffer | undefined {
  const values = boundValues(fields, bound);
  return values && keyDocument(fields, values);
}

/** A bound of a key's first fields made one of all of them, with MinKey in the others (`KeyPattern::extendRangeBound`). */
export function extendBound(keyPattern: Buffer, bound: Buffer): Buffer {
  const given = elements(bound);
  const rest = elements(keyPattern).slice(given.length);
  return documentOf([...given, ...rest.map(({ name }) => ({ name, ...MIN_KEY }))]);
}

/** Whether a bound is the end of the last chunk. */
export function isGlobalMax(bound: Buffer): boolean {
  return elements(bound).every(({ type }) => type === Type.maxKey);
}

export function sameBound(a: Buffer, b: Buffer): boolean {
  return compareDocuments(a, b) === 0;
}

/** What is said of bounds that are none of this key. */
export function invalidBounds(min: Buffer, max: Buffer, keyPattern: Buffer): string {
  const bounds = `[${documentText(min)},${documentText(max)})`;
  return `shard key bounds ${bounds} are not valid for shard key pattern ${documentText(keyPattern)}`;
}
