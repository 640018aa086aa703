/**
 * What this router has begun on the shards and must finish or undo if it dies: written to the config server before it begins, removed
 * when it is done. Real clusters keep the like in `config.migrationCoordinators` and `config.system.sharding_ddl_coordinators`.
 */
import type { ObjectId, UUID } from 'bson';
import { decodePlain, field, without } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { findAll } from '../ask.ts';
import type { Change } from '../metadata/commit.ts';
import { compose, embedded } from '../metadata/compose.ts';

/** The collection of `config` that holds the entries. */
const JOURNAL = 'shardlab.journal';
const RAW_FIELDS: ReadonlySet<string> = new Set(['min', 'max', 'documentId']);

/** A range of a collection's shard key moves from one shard to another. */
export interface MoveEntry {
  id: ObjectId;
  kind: 'move';
  ns: string;
  uuid: UUID;
  min: Buffer;
  max: Buffer;
  from: string;
  to: string;
}

/** A collection, or a whole database, disappears from every shard; its metadata has gone with the entry's coming. */
export interface DropEntry {
  id: ObjectId;
  kind: 'drop';
  db: string;
  /** `undefined` for the whole database. */
  collection: string | undefined;
}

/** A document moves because an update gives it a shard key that another shard owns. */
export interface DocumentEntry {
  id: ObjectId;
  kind: 'document';
  ns: string;
  /** `{ _id: … }` of the document. */
  documentId: Buffer;
  /** A digest of what it becomes, which tells it from another document of the same `_id`. */
  after: string;
  from: string;
  to: string;
}

export type JournalEntry = MoveEntry | DropEntry | DocumentEntry;

/** The change that writes an entry. */
export function recorded(entry: JournalEntry): Change {
  const { id, ...fields } = entry;
  return { insert: JOURNAL, document: compose({ _id: id, ...fields, ...rawFields(entry) }) };
}

function rawFields(entry: JournalEntry): Record<string, unknown> {
  if (entry.kind === 'move') return { min: embedded(entry.min), max: embedded(entry.max) };
  return entry.kind === 'document' ? { documentId: embedded(entry.documentId) } : {};
}

/** The change that removes an entry. */
export function done({ id }: JournalEntry): Change {
  return { delete: JOURNAL, filter: { _id: id } };
}

/** What an earlier router has left unfinished, in the order it was begun. */
export async function unfinished(config: Peer): Promise<JournalEntry[]> {
  return (await findAll(config, 'config', { find: JOURNAL, sort: { _id: 1 } })).map(readEntry);
}

function readEntry(document: Buffer): JournalEntry {
  const { _id: id, kind, ns, uuid, from, to, db, collection, after } = decodePlain(without(document, RAW_FIELDS));
  if (kind === 'drop') return { id, kind, db, collection };
  const raw = (name: string): Buffer => field(document, name)?.bytes ?? Buffer.alloc(0);
  if (kind === 'document') return { id, kind, ns, documentId: raw('documentId'), after, from, to };
  return { id, kind, ns, uuid, from, to, min: raw('min'), max: raw('max') };
}
