/** `shardCollection` (src/mongo/db/global_catalog/ddl/create_collection_coordinator.cpp): checks, index, chunks, metadata, in the server's order. */
import { Long, ObjectId, type Timestamp, UUID } from 'bson';
import { notModelled } from '../../not-modelled.ts';
import { encode, field, truthy } from '../../wire/bson.ts';
import { all } from '../all.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { checkZones, type InitialZone, initialChunks } from '../initial-chunks.ts';
import { CONFIG } from '../internal-databases.ts';
import { logChange } from '../metadata/changelog.ts';
import { nextTimestamp } from '../metadata/clock.ts';
import type { Change } from '../metadata/commit.ts';
import { embedded } from '../metadata/compose.ts';
import { type ChunkEntry, type CollectionEntry, chunkDocument, collectionDocument } from '../metadata/documents.ts';
import { shardedCollection, versionText } from '../metadata/sharded-collection.ts';
import { zoneRangesOf, zonesByShard } from '../metadata/zones.ts';
import { prepareRecipient } from '../moves/recipient.ts';
import type { Chunk } from '../routing.ts';
import { parseShardKey } from '../shard-key.ts';
import { adminOnly } from '../topology/admin-only.ts';
import { collectionInfo, createCollection, isEmpty } from './collection-info.ts';
import { ensureShardKeyIndex } from './ensure-shard-key-index.ts';
import { fullNamespace } from './namespace.ts';
import { type FieldType, fieldsOf, requireField } from './request.ts';
import {
  checkAlreadySharded,
  checkCollation,
  checkExisting,
  checkName,
  checkRequest,
  type ShardingRequest,
} from './shard-collection-checks.ts';

const ILLEGAL_OPERATION = 20;
const NAMESPACE_NOT_FOUND = 26;
const FIELDS: Readonly<Record<string, FieldType>> = {
  key: 'object',
  unique: 'bool',
  numInitialChunks: 'number', // accepted and ignored since the 8.0 line
  presplitHashedZones: 'bool',
  collation: 'object',
  timeseries: 'object',
  collectionUUID: 'any',
  implicitlyCreateIndex: 'bool',
  enforceUniquenessCheck: 'bool',
};

export const shardCollectionCommands: Readonly<Record<string, CommandHandler>> = {
  shardCollection: adminOnly(shardCollection),
};

/** A request with the options that only `shardCollection` itself looks at. */
interface Order extends ShardingRequest {
  implicitlyCreateIndex: boolean;
  enforceUniquenessCheck: boolean;
}

async function shardCollection(call: Call, router: Router): Promise<Reply> {
  const order = orderOf(call);
  const { ns, db } = order.namespace;
  await router.metadata.changing(ns, async () => shard(order, await homeOf(db, router), router));
  return modelReply({ collectionsharded: ns });
}

/** The database's primary shard. `config`, which has none, is worked on by the first (src/mongo/db/global_catalog/ddl/cluster_ddl.cpp). */
async function homeOf(db: string, { metadata }: Router): Promise<string> {
  if (db !== CONFIG) return metadata.ensureDatabase(db);
  const [first] = metadata
    .shards()
    .map(({ id }) => id)
    .sort();
  if (first === undefined) throw new CommandError(ILLEGAL_OPERATION, 'there are no shards to target');
  return first;
}

function orderOf(call: Call): Order {
  const namespace = fullNamespace(call);
  checkName(namespace);
  const fields = fieldsOf(call, FIELDS);
  const key = requireField(call, fields, 'key').bytes;
  parseShardKey(key);
  for (const missing of ['timeseries', 'presplitHashedZones']) {
    if (fields.has(missing)) throw notModelled(`shardCollection with ${missing}`);
  }
  const isOn = (name: string, otherwise: boolean): boolean => (fields.has(name) ? truthy(fields.get(name)) : otherwise);
  return {
    namespace,
    key,
    unique: isOn('unique', false),
    collation: fields.get('collation')?.bytes,
    implicitlyCreateIndex: isOn('implicitlyCreateIndex', true),
    enforceUniquenessCheck: isOn('enforceUniquenessCheck', true),
  };
}

async function shard(order: Order, primary: string, router: Router): Promise<void> {
  const { namespace, key, unique } = order;
  const { metadata } = router;
  const peer = metadata.peer(primary);
  checkRequest(order);
  const existing = await collectionInfo(peer, namespace);
  checkExisting(namespace, existing);
  const sharded = metadata.sharded(namespace.ns);
  if (sharded) return checkAlreadySharded(order, sharded, existing);
  checkCollation(order, existing);
  const empty = !existing || (await isEmpty(peer, namespace));
  await createCollection(peer, namespace, encode({}));
  await ensureShardKeyIndex(
    {
      peer,
      namespace,
      key,
      unique,
      enforceUniqueness: order.enforceUniquenessCheck,
      mayCreate: order.implicitlyCreateIndex,
    },
    existing,
  );
  const zones = await zonesFor(namespace.ns, router);
  checkZones(key, zones);
  const shards = metadata.shards().map(({ id }) => id);
  const chunks = initialChunks({ keyPattern: key, shards: shards.sort(), primary, empty, zones });
  await all(othersOf(chunks, primary).map((other) => prepareRecipient(peer, metadata.peer(other), namespace, true)));
  await register(order, chunks, { primary, empty }, router);
}

async function zonesFor(ns: string, { catalog }: Router): Promise<InitialZone[]> {
  const ranges = await zoneRangesOf(catalog, ns);
  const byShard = ranges.length > 0 ? [...(await zonesByShard(catalog))] : [];
  return ranges.map(({ zone, min, max }) => {
    const shards = byShard.filter(([, zones]) => zones.includes(zone)).map(([shard]) => shard);
    return { zone, min, max, shards: shards.sort() };
  });
}

function othersOf(chunks: readonly Chunk[], primary: string): string[] {
  return [...new Set(chunks.map(({ shard }) => shard))].filter((shard) => shard !== primary);
}

/** Writes the chunks before the collection, which makes them count. */
async function register(
  { namespace, key, unique }: Order,
  chunks: readonly Chunk[],
  { primary, empty }: { primary: string; empty: boolean },
  { metadata, address }: Router,
): Promise<void> {
  const { ns } = namespace;
  const info = await collectionInfo(metadata.peer(primary), namespace);
  if (!info)
    throw new CommandError(NAMESPACE_NOT_FOUND, `Collection ${ns} vanished from ${primary} while it was sharded`);
  const timestamp = nextTimestamp();
  const entry: CollectionEntry = {
    ns,
    uuid: new UUID(info.uuid),
    epoch: new ObjectId(),
    timestamp,
    key,
    unique,
    defaultCollation: field(info.options, 'collation')?.bytes,
    permitMigrations: true,
  };
  const entries = chunks.map((chunk, i) => firstVersion(chunk, i, timestamp));
  const start = { shardKey: embedded(key), collection: ns, primary };
  const end = {
    uuid: entry.uuid,
    placementVersion: versionText(entry, entries),
    empty,
    numChunks: Long.fromNumber(entries.length),
  };
  const author = { server: address, shard: primary };
  const changes: Change[] = [
    logChange(author, 'shardCollection.start', ns, start),
    ...entries.map((chunk) => ({ insert: 'chunks', document: chunkDocument(chunk, entry.uuid) })),
    { insert: 'collections', document: collectionDocument(entry) },
    logChange(author, 'shardCollection.end', ns, end),
  ];
  await metadata.commit(changes, () => metadata.put(shardedCollection(entry, entries)));
}

/** The first chunk has version `1|0`, every further one the next minor. */
function firstVersion(chunk: Chunk, i: number, timestamp: Timestamp): ChunkEntry {
  return {
    ...chunk,
    id: new ObjectId(),
    version: { major: 1, minor: i },
    history: [{ validAfter: timestamp, shard: chunk.shard }],
    onCurrentShardSince: timestamp,
    jumbo: undefined,
  };
}
