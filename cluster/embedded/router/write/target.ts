/**
 * Where one statement of a write goes
 * (`CollectionRoutingInfoTargeter`, src/mongo/db/global_catalog/router_role_api/collection_routing_info_targeter.cpp).
 */
import { field, type RawValue } from '../../wire/bson.ts';
import { CommandError } from '../command.ts';
import type { RoutingTable } from '../routing.ts';
import type { WriteKind } from './command.ts';
import { mayChangeKey } from './key-touch.ts';
import { checkUpdate, isExactId, parseDelete, parseUpdate, type Statement } from './statement.ts';

const INVALID_ID_FIELD = 53;
const SHARD_KEY_NOT_FOUND = 61;

/** How a statement is carried out. */
export type Target =
  /** One shard does it, and whatever stands beside it for the same shard. */
  | { way: 'shard'; shard: string }
  /** Each of several shards does it to what it holds: many documents, or the one with an `_id`. */
  | { way: 'each'; shards: readonly string[]; byId: boolean }
  /** One document of whichever shard has a match, or a new one where it belongs: the server's two-phase write. */
  | { way: 'any'; shards: readonly string[]; statement: Statement }
  /** It may change the shard key of what it matches: alone on the collection. */
  | { way: 'alone'; statement: Statement };

/** @throws CommandError when the router refuses the statement */
export function targetOf(kind: WriteKind, bytes: Buffer, table: RoutingTable): Target {
  if (kind === 'insert') return targetOfInsert(bytes, table);
  const statement = kind === 'update' ? parseUpdate(bytes) : parseDelete(bytes);
  if (!statement) return { way: 'shard', shard: table.owners[0] as string }; // which refuses it
  return kind === 'update' ? targetOfUpdate(statement, table) : targetOfMatch(statement, table);
}

function targetOfInsert(document: Buffer, table: RoutingTable): Target {
  if (table.fields.some(({ path }) => path === '_id') && !field(document, '_id')) {
    throw new CommandError(INVALID_ID_FIELD, 'Document is missing _id field, which is part of the shard key pattern');
  }
  return { way: 'shard', shard: table.chunkOf(table.keyOf(document)).shard };
}

/** @throws CommandError 12, 72 or 61 when the router refuses the update */
export function targetOfUpdate(statement: Statement, table: RoutingTable): Target {
  checkUpdate(statement);
  const { q, u, collation, multi, upsert } = statement;
  const fixed = upsert ? table.keyOfQuery(q, collation) : undefined;
  if (upsert && multi && !fixed) {
    throw new CommandError(
      SHARD_KEY_NOT_FOUND,
      'Failed to target upsert by query :: could not extract exact shard key',
    );
  }
  const change = { q, u: u as RawValue, collation };
  if (mayChangeKey(table, { ...change, upsert: false })) return { way: 'alone', statement };
  const mayInsertElsewhere = upsert && (!fixed || mayChangeKey(table, { ...change, upsert }));
  return mayInsertElsewhere
    ? { way: 'any', shards: table.targets(q, collation).shards, statement }
    : targetOfMatch(statement, table);
}

/** Of a delete, or of an update that changes no shard key and inserts nothing elsewhere. */
export function targetOfMatch(statement: Statement, table: RoutingTable): Target {
  const { shards } = table.targets(statement.q, statement.collation);
  if (shards.length === 1) return { way: 'shard', shard: shards[0] as string };
  if (statement.multi) return { way: 'each', shards, byId: false };
  return isExactId(statement) ? { way: 'each', shards, byId: true } : { way: 'any', shards, statement };
}
