/** Documents made of JavaScript values and of bytes that must stay as they came (shard keys, chunk bounds, filters). */
import { arrayOf, documentOf, type RawElement, type RawValue, rawValue, Type } from '../../wire/bson.ts';

/** BSON that is put into a document as it is. */
export class Raw {
  readonly value: RawValue;

  constructor(value: RawValue) {
    this.value = value;
  }
}

/** A whole document, embedded as it is. */
export function embedded(document: Buffer): Raw {
  return new Raw({ type: Type.object, bytes: document });
}

/** Encodes `fields` in order: a {@link Raw} as its bytes, however deep, `undefined` not at all, anything else as the driver encodes it. */
export function compose(fields: Readonly<Record<string, unknown>>): Buffer {
  const parts: RawElement[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) parts.push({ name, ...encoded(value) });
  }
  return documentOf(parts);
}

function encoded(value: unknown): RawValue {
  if (value instanceof Raw) return value.value;
  if (Array.isArray(value)) return arrayOf(value.map(encoded));
  if (isPlain(value)) return { type: Type.object, bytes: compose(value) };
  return rawValue(value);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
