/** `config.changelog`: what happened to the cluster's metadata, in the server's shape (src/mongo/db/sharding_environment/sharding_logging.cpp). */
import { ObjectId, Timestamp } from 'bson';
import type { Change } from './commit.ts';
import { compose, embedded } from './compose.ts';
import type { ChunkEntry, ChunkVersion, CollectionEntry } from './documents.ts';

/** Who did it: `host:port` of the server, and the shard it is of, or `config`. */
export interface Author {
  server: string;
  shard: string;
}

/**
 * One entry, as a change to be committed with what it tells of.
 * @param details by value, see {@link compose}
 */
export function logChange(
  { server, shard }: Author,
  what: string,
  ns: string,
  details: Readonly<Record<string, unknown>>,
): Change {
  const time = new Date();
  return {
    insert: 'changelog',
    document: compose({
      _id: `${server}-${time.toISOString().replace('Z', '+00:00')}-${new ObjectId()}`,
      server,
      shard,
      clientAddr: '',
      time,
      what,
      ns,
      details,
    }),
  };
}

/** A chunk's range, as details hold it. */
export function rangeDetails({ min, max }: Pick<ChunkEntry, 'min' | 'max'>): Record<string, unknown> {
  return { min: embedded(min), max: embedded(max) };
}

/** A chunk's range and version (`appendShortVersion`). */
export function chunkDetails(chunk: ChunkEntry, entry: CollectionEntry): Record<string, unknown> {
  return { ...rangeDetails(chunk), lastmod: versionDetails(entry, chunk.version) };
}

/** A version with the epoch and timestamp of its collection (`ChunkVersion::serialize`, src/mongo/s/chunk_version.cpp). */
export function versionDetails(
  { epoch, timestamp }: CollectionEntry,
  { major, minor }: ChunkVersion,
): Record<string, unknown> {
  return { e: epoch, t: timestamp, v: new Timestamp({ t: major, i: minor }) };
}
