/** `split` (src/mongo/s/commands/cluster_split_cmd.cpp). Its own errors have no code. */
import { ObjectId } from 'bson';
import { elements, field, type RawValue, Type } from '../../wire/bson.ts';
import { documentText, elementText, rangeText } from '../bson-text.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { fullNamespace, typeName } from '../ddl/namespace.ts';
import { documentsIn } from '../ddl/request.ts';
import { chunkDetails, logChange, rangeDetails, versionDetails } from '../metadata/changelog.ts';
import type { ChunkEntry } from '../metadata/documents.ts';
import { collectionVersion, type ShardedCollection, withChunks } from '../metadata/sharded-collection.ts';
import type { Replacement } from '../moves/split-off.ts';
import { checkStorable, isHashedBound } from '../shard-key.ts';
import { adminOnly } from '../topology/admin-only.ts';
import { invalidBounds, normalBound, sameBound } from './bounds.ts';
import { changed } from './chunk-changes.ts';
import { chunkAt, chunkOfQuery, chunkWithBounds } from './find-chunk.ts';
import { medianKey } from './median.ts';
import { requireSharded } from './require-sharded.ts';

const CANNOT_SPLIT = 87;

export const splitCommands: Readonly<Record<string, CommandHandler>> = { split: adminOnly(split) };

async function split(call: Call, router: Router): Promise<Reply> {
  const { ns } = fullNamespace(call);
  await router.metadata.changing(ns, async () => {
    const collection = requireSharded(router.metadata, ns);
    const { chunk, middle } = target(placeOf(call), collection);
    const key = middle ?? (await medianKey(router.metadata.peer(chunk.shard), collection, chunk));
    checkSplitKey(key, chunk, collection);
    await commitSplit(splitAt(collection, chunk, key), chunk, collection, router);
  });
  return modelReply();
}

/** Exactly one of these is set. */
interface Place {
  find: Buffer | undefined;
  bounds: readonly [Buffer, Buffer] | undefined;
  middle: Buffer | undefined;
}

function placeOf(call: Call): Place {
  const { body } = call;
  const [find, middle] = [filled(field(body, 'find')), filled(field(body, 'middle'))];
  const bounds = boundsOf(documentsIn(call, 'bounds', field(body, 'bounds')));
  const fail = (text: string): CommandError => new CommandError(undefined, text);
  if (find && bounds) throw fail('cannot specify bounds and find at the same time');
  if (!find && !bounds && !middle) throw fail('need to specify find/bounds or middle');
  if (find && middle) throw fail('cannot specify find and middle together');
  if (bounds && middle) throw fail('cannot specify bounds and middle together');
  return { find, bounds, middle };
}

/** An empty document counts as a missing one. */
function filled(value: RawValue | undefined): Buffer | undefined {
  return value?.type === Type.object && elements(value.bytes).length > 0 ? value.bytes : undefined;
}

function boundsOf(bounds: readonly Buffer[]): readonly [Buffer, Buffer] | undefined {
  const [lower, upper] = bounds;
  if (!lower) return undefined;
  if (!upper) throw new CommandError(undefined, 'upper bound not specified');
  return [lower, upper];
}

/** The chunk to split and, where the client says it, the key to split it at. */
interface Target {
  chunk: ChunkEntry;
  middle?: Buffer;
}

function target({ find, bounds, middle }: Place, collection: ShardedCollection): Target {
  if (middle) return byMiddle(middle, collection);
  return { chunk: bounds ? byBounds(bounds, collection) : byQuery(find as Buffer, collection) };
}

function byQuery(query: Buffer, collection: ShardedCollection): ChunkEntry {
  const chunk = chunkOfQuery(collection, query);
  if (chunk) return chunk;
  throw new CommandError(undefined, `no shard key found in chunk query ${documentText(query)}`);
}

function byBounds([lower, upper]: readonly [Buffer, Buffer], collection: ShardedCollection): ChunkEntry {
  const { fields, keyPattern } = collection.routing;
  const [min, max] = [normalBound(fields, lower), normalBound(fields, upper)];
  if (!min || !max) throw new CommandError(undefined, invalidBounds(lower, upper, keyPattern));
  const chunk = chunkWithBounds(collection, min, max);
  if (chunk) return chunk;
  throw new CommandError(undefined, `no chunk found with the shard key bounds ${rangeText(min, max)}`);
}

function byMiddle(given: Buffer, collection: ShardedCollection): Target {
  const { fields, keyPattern } = collection.routing;
  const middle = normalBound(fields, given);
  if (!middle) {
    const text = `new split key ${documentText(given)} is not valid for shard key pattern ${documentText(keyPattern)}`;
    throw new CommandError(undefined, text);
  }
  const chunk = chunkAt(collection, middle);
  if (!sameBound(chunk.min, middle) && !sameBound(chunk.max, middle)) return { chunk, middle };
  const bounds = `[${documentText(chunk.min)},${documentText(chunk.max)})`;
  const text = `new split key ${documentText(middle)} is a boundary key of existing chunk ${bounds}`;
  throw new CommandError(undefined, text);
}

/** What the shard itself refuses (src/mongo/db/s/split_chunk.cpp). */
function checkSplitKey(key: Buffer, { min, max }: ChunkEntry, collection: ShardedCollection): void {
  const { fields } = collection.routing;
  const bad = elements(key).find((element, i) => fields[i]?.hashed && !isHashedBound(element));
  if (bad) {
    const why = `split point ${elementText(bad)}Value of type '${typeName(bad)}' is not allowed for hashed fields`;
    throw new CommandError(
      CANNOT_SPLIT,
      `split failed :: caused by :: splitChunk cannot split chunk ${rangeText(min, max)}, ${why}`,
    );
  }
  try {
    checkStorable(key);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(error.code, `split failed :: caused by :: ${error.message}`);
  }
}

/** The left half keeps the chunk's `_id`; both get new minor versions, and are no longer jumbo. */
export function splitAt({ chunks }: ShardedCollection, chunk: ChunkEntry, key: Buffer): Replacement {
  const { major, minor } = collectionVersion(chunks);
  const left = { ...chunk, max: key, version: { major, minor: minor + 1 }, jumbo: false };
  const right = { ...left, id: new ObjectId(), min: key, max: chunk.max, version: { major, minor: minor + 2 } };
  return { removed: [chunk], added: [left, right] };
}

async function commitSplit(
  replacement: Replacement,
  before: ChunkEntry,
  collection: ShardedCollection,
  { metadata, address }: Router,
): Promise<void> {
  const { entry, chunks } = collection;
  const [left, right] = replacement.added.map((chunk) => chunkDetails(chunk, entry));
  const details = {
    before: { ...rangeDetails(before), lastmod: versionDetails(entry, collectionVersion(chunks)) },
    left,
    right,
    owningShard: before.shard,
  };
  const author = { server: address, shard: 'config' };
  const changes = [...changed(replacement, entry.uuid), logChange(author, 'split', entry.ns, details)];
  const after = withChunks(collection, replacement.removed, replacement.added);
  await metadata.commit(changes, () => metadata.put(after));
}
