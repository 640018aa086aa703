/** The statements of updates and deletes as routing reads them. */
import {
  documentOf,
  elements,
  field,
  number,
  type RawElement,
  type RawValue,
  rawValue,
  Type,
  truthy,
} from '../../wire/bson.ts';
import { documentText } from '../bson-text.ts';
import { CommandError } from '../command.ts';
import { parseQuery } from '../query.ts';
import { keyOfQuery } from '../query-key.ts';
import { isCollatable } from '../query-ranges.ts';
import type { KeyField } from '../routing.ts';
import { formOf } from './key-touch.ts';

const UNSUPPORTED_FORMAT = 12;
const INVALID_OPTIONS = 72;
const ID: readonly KeyField[] = [{ path: '_id', hashed: false }];

/** What an update or a delete says. */
export interface Statement {
  bytes: Buffer;
  q: Buffer;
  /** Absent from a delete. */
  u?: RawValue;
  multi: boolean;
  upsert: boolean;
  collation: Buffer | undefined;
}

/** Reads an update; `undefined` when it is not of an update's form, which a shard then refuses in the server's words. */
export function parseUpdate(bytes: Buffer): Statement | undefined {
  const q = field(bytes, 'q');
  const u = field(bytes, 'u');
  if (q?.type !== Type.object || (u?.type !== Type.object && u?.type !== Type.array)) return undefined;
  const collation = field(bytes, 'collation')?.bytes;
  return {
    bytes,
    q: q.bytes,
    u,
    multi: truthy(field(bytes, 'multi')),
    upsert: truthy(field(bytes, 'upsert')),
    collation,
  };
}

/** Reads a delete; `undefined` when it is not of a delete's form. */
export function parseDelete(bytes: Buffer): Statement | undefined {
  const q = field(bytes, 'q');
  if (q?.type !== Type.object) return undefined;
  const multi = number(field(bytes, 'limit')) !== 1;
  return { bytes, q: q.bytes, multi, upsert: false, collation: field(bytes, 'collation')?.bytes };
}

/**
 * What a router checks of an update before it looks where it goes (`validateUpdateDoc`).
 * @throws CommandError 12 for operators mixed with fields, 72 for a replacement of many
 */
export function checkUpdate({ u, multi }: Statement): void {
  if (u?.type !== Type.object) return;
  const replacement = formOf(u) === 'replacement';
  if (isMixed(u.bytes, replacement)) {
    throw new CommandError(
      UNSUPPORTED_FORMAT,
      `update document ${documentText(u.bytes)} has mixed $operator and non-$operator style fields`,
    );
  }
  if (replacement && multi) throw new CommandError(INVALID_OPTIONS, 'Replacement-style updates cannot be {multi:true}');
}

function isMixed(u: Buffer, replacement: boolean): boolean {
  return elements(u).some(({ name }) => name.startsWith('$') === replacement);
}

/** Whether at most one document of each shard can match, by an equality on `_id` that the collection's own collation decides. */
export function isExactId({ q, collation }: Statement): boolean {
  const id = keyOfQuery(parseQuery(q), ID)?.[0];
  return id !== undefined && !(collation && isCollatable(id));
}

/** The statement with other values for some of its fields. */
export function withFields(bytes: Buffer, changed: readonly RawElement[]): Buffer {
  const names = new Set(changed.map(({ name }) => name));
  return documentOf([...elements(bytes).filter(({ name }) => !names.has(name)), ...changed]);
}

/** The statement as one that inserts nothing. */
export function withoutUpsert({ bytes, upsert }: Statement): Buffer {
  return upsert ? withFields(bytes, [{ name: 'upsert', ...rawValue(false) }]) : bytes;
}
