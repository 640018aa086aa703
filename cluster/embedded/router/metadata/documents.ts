/**
 * The documents of `config.*` in the shapes of 9.0 (src/mongo/db/global_catalog/type_*.{idl,cpp}): read from bytes, and made.
 * Bounds and key patterns stay bytes, so that a number keeps the type it was sent with.
 */
import { type ObjectId, Timestamp, type UUID } from 'bson';
import { decodePlain, field, text, without } from '../../wire/bson.ts';
import type { Chunk } from '../routing.ts';
import { compose, embedded } from './compose.ts';

const RAW_IN_CHUNK: ReadonlySet<string> = new Set(['min', 'max']);
const RAW_IN_COLLECTION: ReadonlySet<string> = new Set(['key', 'defaultCollation']);

/** `major|minor` of a chunk's version: the major counts up with every move, the minor with every other change. */
export interface ChunkVersion {
  major: number;
  minor: number;
}

/** One document of `config.chunks`. */
export interface ChunkEntry extends Chunk {
  id: ObjectId;
  version: ChunkVersion;
  /** `[{ validAfter, shard }]`, the newest owner first. */
  history: readonly { validAfter: Timestamp; shard: string }[];
  /** Since when `shard` has owned it. */
  onCurrentShardSince: Timestamp;
  /** Too large to move; absent from a chunk that nobody has said it of. */
  jumbo: boolean | undefined;
}

/** One document of `config.collections`. */
export interface CollectionEntry {
  ns: string;
  uuid: UUID;
  epoch: ObjectId;
  timestamp: Timestamp;
  /** The key pattern. */
  key: Buffer;
  unique: boolean;
  /** `undefined` for the simple collation. */
  defaultCollation: Buffer | undefined;
  /** Whether its chunks may move. */
  permitMigrations: boolean;
}

/** One document of `config.databases`. */
export interface DatabaseEntry {
  id: string;
  primary: string;
  version: { uuid: UUID; timestamp: Timestamp; lastMod: number };
}

/** One document of `config.tags`: a zone's range of one collection. */
export interface ZoneRange {
  ns: string;
  min: Buffer;
  max: Buffer;
  zone: string;
}

export function chunkDocument(chunk: ChunkEntry, uuid: UUID): Buffer {
  const { major, minor } = chunk.version;
  return compose({
    _id: chunk.id,
    uuid,
    min: embedded(chunk.min),
    max: embedded(chunk.max),
    shard: chunk.shard,
    lastmod: new Timestamp({ t: major, i: minor }),
    jumbo: chunk.jumbo,
    onCurrentShardSince: chunk.onCurrentShardSince,
    history: chunk.history,
  });
}

export function readChunk(document: Buffer): ChunkEntry {
  const { _id, shard, lastmod, history, onCurrentShardSince, jumbo } = decodePlain(without(document, RAW_IN_CHUNK));
  return {
    id: _id,
    min: documentAt(document, 'min'),
    max: documentAt(document, 'max'),
    shard,
    version: { major: lastmod.t, minor: lastmod.i },
    history: history ?? [],
    onCurrentShardSince: onCurrentShardSince ?? new Timestamp({ t: 0, i: 0 }),
    jumbo,
  };
}

export function collectionDocument(entry: CollectionEntry): Buffer {
  return compose({
    _id: entry.ns,
    lastmodEpoch: entry.epoch,
    lastmod: new Date(),
    timestamp: entry.timestamp,
    uuid: entry.uuid,
    key: embedded(entry.key),
    defaultCollation: entry.defaultCollation && embedded(entry.defaultCollation),
    unique: entry.unique,
    permitMigrations: entry.permitMigrations ? undefined : false,
  });
}

export function readCollection(document: Buffer): CollectionEntry {
  const { _id, uuid, lastmodEpoch, timestamp, unique, permitMigrations } = decodePlain(
    without(document, RAW_IN_COLLECTION),
  );
  return {
    ns: _id,
    uuid,
    epoch: lastmodEpoch,
    timestamp,
    key: documentAt(document, 'key'),
    unique: unique === true,
    defaultCollation: field(document, 'defaultCollation')?.bytes,
    permitMigrations: permitMigrations !== false,
  };
}

export function readDatabase(document: Buffer): DatabaseEntry {
  const { _id, primary, version } = decodePlain(document);
  return { id: _id, primary, version };
}

export function readZoneRange(document: Buffer): ZoneRange {
  return {
    ns: text(field(document, 'ns')) ?? '',
    min: documentAt(document, 'min'),
    max: documentAt(document, 'max'),
    zone: text(field(document, 'tag')) ?? '',
  };
}

function documentAt(document: Buffer, name: string): Buffer {
  const value = field(document, name);
  if (!value)
    throw new Error(`a document of the config server has no ${name}: ${JSON.stringify(decodePlain(document))}`);
  return value.bytes;
}
