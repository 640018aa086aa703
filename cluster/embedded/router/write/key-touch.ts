/** Whether an update may change a document's shard key: read from the update alone, so that most need no closer look. */
import { append, elements, field, type RawElement, type RawValue, Type, text } from '../../wire/bson.ts';
import { compareKeys, compareValues } from '../compare.ts';
import { hashOf } from '../hash.ts';
import { parseQuery } from '../query.ts';
import { keyOfQuery } from '../query-key.ts';
import type { KeyField, RoutingTable, ShardKeyValues } from '../routing.ts';

/** The forms an update can have (`write_ops::UpdateModification`). */
export type UpdateForm = 'modifiers' | 'pipeline' | 'replacement';

/** @param u the update of a statement */
export function formOf(u: RawValue): UpdateForm {
  if (u.type === Type.array) return 'pipeline';
  return u.bytes[4] !== 0 && u.bytes[5] === 0x24 /* $ */ ? 'modifiers' : 'replacement';
}

const ID: readonly KeyField[] = [{ path: '_id', hashed: false }];

/** An update as far as it matters here. */
export interface KeyTouch {
  q: Buffer;
  u: RawValue;
  collation?: Buffer | undefined;
  upsert: boolean;
}

/** Whether an update may change the shard key of what it matches. `false` is certain; `true` may prove harmless. */
export function mayChangeKey(table: RoutingTable, { q, u, collation, upsert }: KeyTouch): boolean {
  const fixed = table.keyOfQuery(q, collation);
  switch (formOf(u)) {
    case 'replacement':
      return !fixed || !keepsKey(table, q, u.bytes, fixed);
    case 'modifiers':
      return elements(u.bytes).some((operator) => touches(operator, table.fields, fixed, upsert));
    case 'pipeline':
      return elements(u.bytes).some((stage) => stageTouches(stage, table.fields));
  }
}

/** A replacement whose key is the one that the query fixes. */
function keepsKey(table: RoutingTable, q: Buffer, replacement: Buffer, fixed: ShardKeyValues): boolean {
  try {
    return compareKeys(table.keyOf(withId(replacement, q)), fixed) === 0;
  } catch {
    return false; // an array in the key: to be refused where the document is known
  }
}

/** A replacement without `_id` leaves the document its own. */
function withId(replacement: Buffer, q: Buffer): Buffer {
  if (field(replacement, '_id')) return replacement;
  const id = keyOfQuery(parseQuery(q), ID)?.[0];
  return id ? append(replacement, [{ ...id, name: '_id' }]) : replacement;
}

function touches(
  operator: RawElement,
  fields: readonly KeyField[],
  fixed: ShardKeyValues | undefined,
  upsert: boolean,
): boolean {
  if (operator.type !== Type.object || (operator.name === '$setOnInsert' && !upsert)) return false;
  return elements(operator.bytes).some((change) => {
    if (operator.name === '$rename' && overlaps(text(change) ?? '', fields)) return true;
    return overlaps(change.name, fields) && !(operator.name === '$set' && setsTheSame(change, fields, fixed));
  });
}

/** `{ $set: { k: 1 } }` of what the query fixes as `{ k: 1 }` changes nothing that routing sees. */
function setsTheSame(change: RawElement, fields: readonly KeyField[], fixed: ShardKeyValues | undefined): boolean {
  const at = fields.findIndex(({ path }) => path === change.name);
  const before = fixed?.[at];
  if (!before || change.type === Type.array) return false;
  return compareValues(before, fields[at]?.hashed ? hashOf(change) : change) === 0;
}

/** Stages of an update pipeline that say which fields they change; after any other one, every field may have changed. */
function stageTouches(stage: RawElement, fields: readonly KeyField[]): boolean {
  const [operator] = stage.type === Type.object ? elements(stage.bytes) : [];
  switch (operator?.name) {
    case '$set':
    case '$addFields':
      return operator.type !== Type.object || elements(operator.bytes).some(({ name }) => overlaps(name, fields));
    case '$unset':
      return unsetPaths(operator).some((path) => overlaps(path, fields));
    default:
      return true;
  }
}

function unsetPaths(operand: RawElement): string[] {
  const single = text(operand);
  if (single !== undefined) return [single];
  return operand.type === Type.array ? elements(operand.bytes).map((path) => text(path) ?? '') : [];
}

/** Whether changing what is at a path changes a key field, is within one, or around one. */
function overlaps(path: string, fields: readonly KeyField[]): boolean {
  return fields.some(({ path: key }) => path === key || path.startsWith(`${key}.`) || key.startsWith(`${path}.`));
}
