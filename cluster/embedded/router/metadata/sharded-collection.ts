/** A sharded collection as the router holds it, and the versions its chunks get when they change. */
import { compareDocuments } from '../compare.ts';
import { type RoutingTable, routingTable } from '../routing.ts';
import type { ChunkEntry, ChunkVersion, CollectionEntry } from './documents.ts';

/** Its document, its chunks in key order, and how it is routed. Replaced as a whole when it changes. */
export interface ShardedCollection {
  readonly entry: CollectionEntry;
  readonly chunks: readonly ChunkEntry[];
  readonly routing: RoutingTable;
}

/** @param chunks in any order */
export function shardedCollection(entry: CollectionEntry, chunks: readonly ChunkEntry[]): ShardedCollection {
  const sorted = [...chunks].sort((a, b) => compareDocuments(a.min, b.min));
  const { ns, key, unique, defaultCollation } = entry;
  const uuid = Buffer.from(entry.uuid.buffer);
  return {
    entry,
    chunks: sorted,
    routing: routingTable({ ns, uuid, keyPattern: key, unique, chunks: sorted, defaultCollation }),
  };
}

/** The collection with some chunks replaced by others that cover the same ranges. */
export function withChunks(
  collection: ShardedCollection,
  removed: readonly ChunkEntry[],
  added: readonly ChunkEntry[],
): ShardedCollection {
  const gone = new Set(removed);
  return shardedCollection(collection.entry, [...collection.chunks.filter((chunk) => !gone.has(chunk)), ...added]);
}

/** The collection's version: the highest of its chunks'. */
export function collectionVersion(chunks: readonly ChunkEntry[]): ChunkVersion {
  return chunks.map(({ version }) => version).reduce((a, b) => (isAfter(b, a) ? b : a), { major: 0, minor: 0 });
}

function isAfter(a: ChunkVersion, b: ChunkVersion): boolean {
  return a.major > b.major || (a.major === b.major && a.minor > b.minor);
}

/** A collection's version as messages and the changelog print it: `1|3||<epoch>||<timestamp>`. */
export function versionText({ epoch, timestamp }: CollectionEntry, chunks: readonly ChunkEntry[]): string {
  const { major, minor } = collectionVersion(chunks);
  return `${major}|${minor}||${epoch}||Timestamp(${timestamp.t}, ${timestamp.i})`;
}
