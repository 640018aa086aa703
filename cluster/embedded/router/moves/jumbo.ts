/** Ranges too large to move at once (src/mongo/db/s/migration_chunk_cloner_source.cpp). */

import { field, number } from '../../wire/bson.ts';
import { findAll } from '../ask.ts';
import { documentText } from '../bson-text.ts';
import { CommandError, type Router } from '../command.ts';
import { splitNamespace } from '../ddl/namespace.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { countInRange, type KeyRange, openShardCollection } from './shard-range.ts';
import { averageBytes, sizeOfCollection } from './sizes.ts';

const CHUNK_TOO_BIG = 153;
const MEGABYTE = 1024 * 1024;
/** `config.settings` may say otherwise, in megabytes, under the `_id` `chunksize`. */
const DEFAULT_CHUNK_MEGABYTES = 128;
/** Objects differ in size: twice as many as would fill a chunk are still let through. */
const SLACK = 2;

/** @throws CommandError 153 when the range holds more documents than a full chunk may */
export async function checkSize(
  { entry: { ns, key } }: ShardedCollection,
  { min, max }: KeyRange,
  shard: string,
  { catalog }: Router,
): Promise<void> {
  const namespace = splitNamespace(ns);
  const peer = catalog.peer(shard);
  const [all, maxBytes] = await Promise.all([sizeOfCollection(peer, namespace), chunkLimit(ns, catalog.config)]);
  if (all.bytes <= maxBytes) return; // no range of it can be too large
  const average = averageBytes(all);
  const limit = SLACK * Math.max(1, Math.floor(maxBytes / average));
  const documents = await countInRange(await openShardCollection(peer, namespace, key), { min, max });
  if (documents <= limit) return;
  throw new CommandError(
    CHUNK_TOO_BIG,
    `Cannot move chunk: the maximum number of documents for a chunk is ${limit}, the maximum chunk size is ${maxBytes}, average document size is ${average}. Found ${documents} documents in chunk  ns: ${ns} ${documentText(min)} -> ${documentText(max)}`,
  );
}

/** How large a chunk of a collection may become, in bytes: its own limit where it has one. */
export async function chunkLimit(ns: string, config: Router['catalog']['config']): Promise<number> {
  const [entry] = await findAll(config, 'config', { find: 'collections', filter: { _id: ns } });
  return number(entry && field(entry, 'maxChunkSizeBytes')) ?? (await maxChunkBytes(config));
}

/** How large a chunk may become before it counts as too large to move, in bytes. */
export async function maxChunkBytes(config: Router['catalog']['config']): Promise<number> {
  const [setting] = await findAll(config, 'config', { find: 'settings', filter: { _id: 'chunksize' } });
  return (number(setting && field(setting, 'value')) ?? DEFAULT_CHUNK_MEGABYTES) * MEGABYTE;
}
