/** Everything that the router knows of the cluster, as one look at the config server finds it. */
import { decodePlain } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { findAll } from '../ask.ts';
import type { ShardEntry } from '../catalog.ts';
import { CommandError } from '../command.ts';
import { type CollectionEntry, type DatabaseEntry, readChunk, readCollection, readDatabase } from './documents.ts';
import { type ShardedCollection, shardedCollection } from './sharded-collection.ts';

const CONFLICTING_OPERATION_IN_PROGRESS = 117;

/** See the file's comment. */
export interface Snapshot {
  shards: ReadonlyMap<string, ShardEntry>;
  databases: ReadonlyMap<string, DatabaseEntry>;
  collections: ReadonlyMap<string, ShardedCollection>;
  /** Why others cannot be routed: their chunks, which any client can write to, make no whole. */
  broken: ReadonlyMap<string, CommandError>;
}

/** @throws CommandError or PeerError when the config server does not answer */
export async function look(config: Peer): Promise<Snapshot> {
  const all = (collection: string): Promise<Buffer[]> => findAll(config, 'config', { find: collection });
  const [shards, databases, collections, chunks] = await Promise.all(
    ['shards', 'databases', 'collections', 'chunks'].map(all),
  );
  return {
    shards: new Map((shards ?? []).map(decodePlain).map(({ _id, host }) => [_id, { id: _id, host }])),
    databases: new Map((databases ?? []).map(readDatabase).map((entry) => [entry.id, entry])),
    ...joined(collections ?? [], chunks ?? []),
  };
}

/** Chunks know their collection by its UUID only. A collection without chunks is one whose drop was cut short: it is not sharded. */
function joined(collections: readonly Buffer[], chunks: readonly Buffer[]): Pick<Snapshot, 'collections' | 'broken'> {
  const byCollection = new Map<string, Buffer[]>();
  for (const chunk of chunks) {
    const uuid = String(decodePlain(chunk).uuid);
    const own = byCollection.get(uuid) ?? [];
    own.push(chunk);
    byCollection.set(uuid, own);
  }
  const found = { collections: new Map<string, ShardedCollection>(), broken: new Map<string, CommandError>() };
  for (const entry of collections.map(readCollection)) {
    const own = byCollection.get(String(entry.uuid));
    if (own) join(entry, own, found);
  }
  return found;
}

function join(
  entry: CollectionEntry,
  chunks: readonly Buffer[],
  found: { collections: Map<string, ShardedCollection>; broken: Map<string, CommandError> },
): void {
  try {
    found.collections.set(entry.ns, shardedCollection(entry, chunks.map(readChunk)));
  } catch (error) {
    const text = `config.chunks does not cover ${entry.ns}: ${(error as Error).message}`;
    found.broken.set(entry.ns, new CommandError(CONFLICTING_OPERATION_IN_PROGRESS, text));
  }
}
