/** A command's fields as reads need them. */
import { documentOf, field, Type } from '../../wire/bson.ts';

const EMPTY_DOCUMENT = documentOf([]);

/** A document-valued field, `{}` where the command has none. */
export function documentField(body: Buffer, name: string): Buffer {
  const value = field(body, name);
  return value?.type === Type.object ? value.bytes : EMPTY_DOCUMENT;
}
