/** The chunk that a command means: by a query, by its bounds, by a key in it. */
import { elements } from '../../wire/bson.ts';
import { compareDocuments } from '../compare.ts';
import type { ChunkEntry } from '../metadata/documents.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { keyDocument } from '../shard-key.ts';
import { sameBound } from './bounds.ts';

/** The chunk that holds a shard key. */
export function chunkAt({ routing, chunks }: ShardedCollection, key: Buffer): ChunkEntry {
  const found = routing.chunkOf(elements(key));
  return chunks[routing.chunks.indexOf(found)] as ChunkEntry;
}

/** The chunk that holds the shard key a query fixes; `undefined` when it fixes none. */
export function chunkOfQuery(collection: ShardedCollection, query: Buffer): ChunkEntry | undefined {
  const key = collection.routing.keyOfQuery(query);
  return key && chunkAt(collection, keyDocument(collection.routing.fields, key));
}

/** The chunk with exactly these bounds, `undefined` when there is none. */
export function chunkWithBounds(collection: ShardedCollection, min: Buffer, max: Buffer): ChunkEntry | undefined {
  const chunk = chunkAt(collection, min);
  return sameBound(chunk.min, min) && sameBound(chunk.max, max) ? chunk : undefined;
}

/** The chunk whose upper bound is `max`, or that holds it further down. */
export function chunkBelow({ chunks }: ShardedCollection, max: Buffer): ChunkEntry {
  return chunks.find((chunk) => compareDocuments(max, chunk.max) <= 0) ?? (chunks.at(-1) as ChunkEntry);
}
