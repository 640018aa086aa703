/**
 * `configureCollectionBalancing`: what a balancer is to know of one collection. Nothing moves by itself here
 * (`ShardingCatalogManager::configureCollectionBalancing`, src/mongo/db/global_catalog/ddl/sharding_catalog_manager_collection_operations.cpp).
 */
import { Long } from 'bson';
import { notModelled } from '../../not-modelled.ts';
import { number, type RawValue, truthy } from '../../wire/bson.ts';
import { changed } from '../chunks/chunk-changes.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { fullNamespace } from '../ddl/namespace.ts';
import { fieldsOf } from '../ddl/request.ts';
import { logChange } from '../metadata/changelog.ts';
import type { Change } from '../metadata/commit.ts';
import { collectionVersion, type ShardedCollection, withChunks } from '../metadata/sharded-collection.ts';
import { adminOnly } from './admin-only.ts';

const INVALID_OPTIONS = 72;
const NAMESPACE_NOT_SHARDED = 118;
const MEGABYTE = 1024 * 1024;
const MAX_CHUNK_MEGABYTES = 1024;

export const collectionBalancingCommands: Readonly<Record<string, CommandHandler>> = {
  configureCollectionBalancing: adminOnly(configureCollectionBalancing),
};

const FIELDS = {
  enableBalancing: 'bool',
  chunkSize: 'number',
  enableAutoMerger: 'bool',
  defragmentCollection: 'bool',
} as const;

async function configureCollectionBalancing(call: Call, router: Router): Promise<Reply> {
  const { ns } = fullNamespace(call);
  const fields = fieldsOf(call, FIELDS);
  if (fields.has('defragmentCollection')) throw notModelled(`defragmentCollection of ${call.name}`);
  if (fields.size === 0) return modelReply();
  const settings = settingsOf(fields);
  await router.metadata.changing(ns, () => configure(ns, settings, router));
  return modelReply();
}

/** What the collection's entry gets and loses, and what the changelog says. */
interface Settings {
  set: Record<string, unknown>;
  unset?: readonly string[];
  details: Record<string, unknown>;
}

function settingsOf(fields: ReadonlyMap<string, RawValue>): Settings {
  const [balancing, merger] = [fields.get('enableBalancing'), fields.get('enableAutoMerger')];
  const size = number(fields.get('chunkSize'));
  const chunkSizeMB = size === undefined ? undefined : Math.trunc(size);
  if (chunkSizeMB !== undefined && (chunkSizeMB < 0 || chunkSizeMB > MAX_CHUNK_MEGABYTES)) {
    throw new CommandError(INVALID_OPTIONS, `Chunk size '${chunkSizeMB}' out of range [1MB, 1GB]`);
  }
  return {
    set: {
      maxChunkSizeBytes: chunkSizeMB ? Long.fromNumber(chunkSizeMB * MEGABYTE) : undefined,
      enableAutoMerge: merger && truthy(merger),
      noBalance: balancing && !truthy(balancing),
    },
    ...(chunkSizeMB === 0 ? { unset: ['maxChunkSizeBytes'] } : {}),
    details: { chunkSizeMB },
  };
}

async function configure(ns: string, { set, unset, details }: Settings, { metadata, address }: Router): Promise<void> {
  const collection = metadata.sharded(ns);
  if (!collection) {
    throw new CommandError(NAMESPACE_NOT_SHARDED, `Expected to match one doc for query { _id: "${ns}" } but matched 0`);
  }
  const { changes, after } = bumped(collection);
  const entry: Change = { update: 'collections', filter: { _id: ns }, set, ...(unset && { unset }) };
  const told = logChange({ server: address, shard: 'config' }, 'configureCollectionBalancing', ns, details);
  await metadata.commit([entry, ...changes, told], () => metadata.put(after));
}

/** The newest chunk gets the next minor version, which makes the shards read the collection's entry again. */
function bumped(collection: ShardedCollection): { changes: Change[]; after: ShardedCollection } {
  const { major, minor } = collectionVersion(collection.chunks);
  const removed = collection.chunks.filter(({ version }) => version.major === major && version.minor === minor);
  const added = removed.map((chunk) => ({ ...chunk, version: { major, minor: minor + 1 } }));
  return {
    changes: changed({ removed, added }, collection.entry.uuid),
    after: withChunks(collection, removed, added),
  };
}
