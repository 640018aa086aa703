/** `mergeChunks` (src/mongo/db/global_catalog/ddl/cluster_merge_chunks_cmd.cpp, `commitChunksMerge` on the config server). */
import { rangeText } from '../bson-text.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { compareDocuments } from '../compare.ts';
import { fullNamespace } from '../ddl/namespace.ts';
import { documentsIn, fieldsOf, requireField } from '../ddl/request.ts';
import { logChange, rangeDetails, versionDetails } from '../metadata/changelog.ts';
import type { ChunkEntry } from '../metadata/documents.ts';
import { collectionVersion, type ShardedCollection, withChunks } from '../metadata/sharded-collection.ts';
import type { Replacement } from '../moves/split-off.ts';
import { adminOnly } from '../topology/admin-only.ts';
import { invalidBounds, normalBound, sameBound } from './bounds.ts';
import { changed } from './chunk-changes.ts';
import { chunkAt } from './find-chunk.ts';
import { requireSharded } from './require-sharded.ts';

const ILLEGAL_OPERATION = 20;
const INVALID_OPTIONS = 72;

export const mergeCommands: Readonly<Record<string, CommandHandler>> = { mergeChunks: adminOnly(mergeChunks) };

async function mergeChunks(call: Call, router: Router): Promise<Reply> {
  const { ns } = fullNamespace(call);
  const [lower, upper] = boundsOf(call);
  await router.metadata.changing(ns, async () => {
    const collection = requireSharded(router.metadata, ns);
    const { fields, keyPattern } = collection.routing;
    const [min, max] = [normalBound(fields, lower), normalBound(fields, upper)];
    if (!min || !max) throw new CommandError(INVALID_OPTIONS, invalidBounds(lower, upper, keyPattern));
    const chunks = chunksBetween(collection, min, max);
    if (chunks.length > 1) await commitMerge(merged(collection, chunks), collection, router);
  });
  return modelReply();
}

function boundsOf(call: Call): [Buffer, Buffer] {
  const bounds = documentsIn(call, 'bounds', requireField(call, fieldsOf(call, { bounds: 'array' }), 'bounds'));
  const [min, max] = bounds;
  if (min && max && bounds.length === 2) return [min, max];
  throw new CommandError(INVALID_OPTIONS, 'bounds can only have exactly 2 elements');
}

/** The chunks that exactly fill a range, all on the shard that owns its lower bound. */
function chunksBetween(collection: ShardedCollection, min: Buffer, max: Buffer): ChunkEntry[] {
  const { shard } = chunkAt(collection, min);
  const inside = collection.chunks.filter(
    (chunk) => compareDocuments(chunk.min, min) >= 0 && compareDocuments(chunk.max, max) <= 0,
  );
  const [first, last] = [inside[0], inside.at(-1)];
  const fills = first && last && sameBound(first.min, min) && sameBound(last.max, max);
  if (fills && inside.every((chunk) => chunk.shard === shard)) return inside;
  throw new CommandError(
    ILLEGAL_OPERATION,
    `Failed to commit chunk merge :: caused by :: could not merge chunks, shard ${shard} does not contain a sequence of chunks that exactly fills the range ${rangeText(min, max)}`,
  );
}

interface Merge extends Replacement {
  /** The one chunk that is left. */
  whole: ChunkEntry;
}

/** Neighbours made one. The first chunk keeps its `_id` and grows; its history begins when the last of them came to the shard. */
export function merged({ chunks }: ShardedCollection, inside: readonly ChunkEntry[]): Merge {
  const [first, last] = [inside[0] as ChunkEntry, inside.at(-1) as ChunkEntry];
  const { major, minor } = collectionVersion(chunks);
  const since = inside
    .map(({ onCurrentShardSince }) => onCurrentShardSince)
    .reduce((a, b) => (b.greaterThan(a) ? b : a));
  const whole: ChunkEntry = {
    ...first,
    max: last.max,
    version: { major, minor: minor + 1 },
    history: [{ validAfter: since, shard: first.shard }],
    onCurrentShardSince: since,
  };
  return { removed: inside, added: [whole], whole };
}

/** Writes the merge down, and tells of it. */
export async function commitMerge(
  replacement: Merge,
  collection: ShardedCollection,
  { metadata, address }: Router,
): Promise<void> {
  const { entry, chunks } = collection;
  const { removed, added, whole } = replacement;
  const details = {
    prevPlacementVersion: versionDetails(entry, collectionVersion(chunks)),
    mergedVersion: versionDetails(entry, whole.version),
    owningShard: whole.shard,
    ...rangeDetails(whole),
    numChunks: removed.length,
  };
  const author = { server: address, shard: 'config' };
  const changes = [...changed(replacement, entry.uuid), logChange(author, 'merge', entry.ns, details)];
  await metadata.commit(changes, () => metadata.put(withChunks(collection, removed, added)));
}
