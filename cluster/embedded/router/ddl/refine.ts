/** `refineCollectionShardKey`: the key gets longer, the documents stay (src/mongo/db/global_catalog/ddl/refine_collection_shard_key_coordinator.cpp). */
import { ObjectId } from 'bson';
import { truthy } from '../../wire/bson.ts';
import { documentText } from '../bson-text.ts';
import { extendBound, isGlobalMax } from '../chunks/bounds.ts';
import { requireSharded } from '../chunks/require-sharded.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { logChange } from '../metadata/changelog.ts';
import { nextTimestamp } from '../metadata/clock.ts';
import type { Change } from '../metadata/commit.ts';
import { compose, embedded } from '../metadata/compose.ts';
import { type CollectionEntry, chunkDocument, type ZoneRange } from '../metadata/documents.ts';
import { type ShardedCollection, shardedCollection } from '../metadata/sharded-collection.ts';
import { zoneRangesOf } from '../metadata/zones.ts';
import type { KeyRange } from '../moves/shard-range.ts';
import { globalMax, parseShardKey } from '../shard-key.ts';
import { adminOnly } from '../topology/admin-only.ts';
import { collectionInfo } from './collection-info.ts';
import { isKeyPrefix, isSameKey } from './index-rules.ts';
import { indexesOf, isMultikey } from './indexes.ts';
import { fullNamespace, type Namespace, splitNamespace } from './namespace.ts';
import { fieldsOf, requireField } from './request.ts';
import { findUsefulIndex } from './shard-key-index.ts';

const NAMESPACE_NOT_FOUND = 26;
const INVALID_OPTIONS = 72;

export const refineCommands: Readonly<Record<string, CommandHandler>> = {
  refineCollectionShardKey: adminOnly(refineCollectionShardKey),
};

async function refineCollectionShardKey(call: Call, router: Router): Promise<Reply> {
  const namespace = fullNamespace(call);
  const fields = fieldsOf(call, { key: 'object', collectionUUID: 'any', enforceUniquenessCheck: 'bool' });
  const key = requireField(call, fields, 'key').bytes;
  parseShardKey(key);
  const enforce = fields.has('enforceUniquenessCheck') ? truthy(fields.get('enforceUniquenessCheck')) : true;
  await router.metadata.changing(namespace.ns, () => refine(namespace, key, enforce, router));
  return modelReply();
}

async function refine(namespace: Namespace, key: Buffer, enforce: boolean, router: Router): Promise<void> {
  const collection = await existing(namespace, router);
  const old = collection.entry.key;
  if (isSameKey(old, key)) return;
  if (!isKeyPrefix(old, key)) {
    throw new CommandError(
      INVALID_OPTIONS,
      `refineCollectionShardKey shard key ${documentText(key)} does not extend the current shard key ${documentText(old)}`,
    );
  }
  const requireUnique = collection.entry.unique && enforce;
  await Promise.all(
    collection.routing.owners.map((shard) => checkIndexes(shard, { namespace, key, requireUnique }, router)),
  );
  await commitRefinement(collection, key, router);
}

async function existing(namespace: Namespace, { metadata }: Router): Promise<ShardedCollection> {
  const { ns, db } = namespace;
  const primary = metadata.primaryOf(db);
  const exists = metadata.sharded(ns) ?? (primary && (await collectionInfo(metadata.peer(primary), namespace)));
  if (!exists) {
    throw new CommandError(NAMESPACE_NOT_FOUND, `RefineCollectionShardKey: collection ${ns} does not exists`);
  }
  return requireSharded(metadata, ns, `Can't execute refineCollectionShardKey on unsharded collection ${ns}`);
}

/** The rules of sharding for the longer key, on every shard that owns chunks. No index is ever made. */
async function checkIndexes(
  shard: string,
  { namespace, key, requireUnique }: { namespace: Namespace; key: Buffer; requireUnique: boolean },
  { metadata }: Router,
): Promise<void> {
  const peer = metadata.peer(shard);
  const { useful, reasons } = await findUsefulIndex({
    ns: namespace.ns,
    indexes: await indexesOf(peer, namespace),
    key,
    requireUnique,
    multikey: ({ name }) => isMultikey(peer, namespace, name),
  });
  if (useful) return;
  throw new CommandError(
    INVALID_OPTIONS,
    `Please create an index that starts with the proposed shard key before refining the collection's shard key. ${reasons}`,
  );
}

/** Every bound of chunks and zones gets MinKey in the new fields, the end of all keys MaxKey; epoch and timestamp are new. */
async function commitRefinement(
  { entry, chunks }: ShardedCollection,
  key: Buffer,
  { metadata, address }: Router,
): Promise<void> {
  const { ns, uuid } = entry;
  const end = globalMax(parseShardKey(key));
  const longer = <T extends KeyRange>(range: T): T => ({
    ...range,
    min: extendBound(key, range.min),
    max: isGlobalMax(range.max) ? end : extendBound(key, range.max),
  });
  const after = chunks.map(longer);
  const refined: CollectionEntry = { ...entry, key, epoch: new ObjectId(), timestamp: nextTimestamp() };
  const { epoch, timestamp } = refined;
  const details = { oldKey: embedded(entry.key), newKey: embedded(key), oldEpoch: entry.epoch, newEpoch: epoch };
  const author = { server: address, shard: metadata.primaryOf(splitNamespace(ns).db) ?? '' };
  const changes: Change[] = [
    logChange(author, 'refineCollectionShardKey.start', ns, details),
    ...after.map((chunk): Change => ({ replace: 'chunks', document: chunkDocument(chunk, uuid) })),
    ...(await zoneRangesOf(metadata, ns)).map((zone) => zoneChange(zone, longer(zone))),
    {
      update: 'collections',
      filter: { _id: ns },
      set: { key: embedded(key), lastmodEpoch: epoch, timestamp, lastmod: new Date() },
    },
    logChange(author, 'refineCollectionShardKey.end', ns, {}),
  ];
  await metadata.commit(changes, () => metadata.put(shardedCollection(refined, after)));
}

function zoneChange({ ns, min }: ZoneRange, longer: ZoneRange): Change {
  return {
    update: 'tags',
    filter: compose({ ns, min: embedded(min) }),
    set: { min: embedded(longer.min), max: embedded(longer.max) },
  };
}
