/** `moveChunk` and `moveRange` (src/mongo/s/commands/cluster_move_chunk_cmd.cpp, cluster_move_range_cmd.cpp). */
import { elements, type RawValue, text, truthy } from '../../wire/bson.ts';
import { documentText, rangeText } from '../bson-text.ts';
import { invalidBounds, normalBound } from '../chunks/bounds.ts';
import { chunkAt, chunkBelow, chunkOfQuery, chunkWithBounds } from '../chunks/find-chunk.ts';
import { requireSharded } from '../chunks/require-sharded.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { compareDocuments } from '../compare.ts';
import { fullNamespace } from '../ddl/namespace.ts';
import { documentsIn, type FieldType, fieldsOf, requireField } from '../ddl/request.ts';
import type { ChunkEntry } from '../metadata/documents.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { adminOnly } from '../topology/admin-only.ts';
import { checkSize } from './jumbo.ts';
import { moveRange } from './move.ts';
import { withOtherBound } from './other-bound.ts';
import type { KeyRange } from './shard-range.ts';

const SHARD_NOT_FOUND = 70;
const INVALID_OPTIONS = 72;
const NO_KEY_IN_QUERY = 656450;
const INVALID_BOUNDS = 656451;
const NO_CHUNK = 656452;
const NOT_IN_ONE_CHUNK = 11089203;

/** Fields about how a move runs, which changes nothing here. */
const HOW: Readonly<Record<string, FieldType>> = {
  forceJumbo: 'bool',
  secondaryThrottle: 'any',
  _secondaryThrottle: 'any',
  waitForDelete: 'bool',
  _waitForDelete: 'bool',
};

export const moveCommands: Readonly<Record<string, CommandHandler>> = {
  moveChunk: adminOnly(moveChunk),
  moveRange: adminOnly(moveRangeCommand),
};

type Fields = ReadonlyMap<string, RawValue>;

async function moveChunk(call: Call, router: Router): Promise<Reply> {
  const { ns } = fullNamespace(call);
  const fields = fieldsOf(call, { find: 'object', bounds: 'array', to: 'string', maxChunkSizeBytes: 'number', ...HOW });
  const to = text(requireField(call, fields, 'to')) ?? '';
  const began = Date.now();
  await router.metadata.changing(ns, async () => {
    const collection = requireSharded(router.metadata, ns);
    checkChunkFields(fields);
    if (!isShard(to, router)) throw new CommandError(SHARD_NOT_FOUND, 'moveChunk destination shard does not exist');
    await moveWithin(
      collection,
      { chunk: chunkOf(call, fields, collection), to, force: truthy(fields.get('forceJumbo')) },
      router,
    );
  });
  return modelReply({ millis: Date.now() - began });
}

function checkChunkFields(fields: Fields): void {
  const bounds = fields.get('bounds');
  const fail = (why: string): CommandError => new CommandError(INVALID_OPTIONS, why);
  if (bounds && elements(bounds.bytes).length !== 2) throw fail('bounds can only have exactly 2 elements');
  if (bounds && fields.has('find')) throw fail('cannot specify bounds and query at the same time');
  if (!bounds && !fields.has('find')) throw fail('need to specify query or bounds');
}

function chunkOf(call: Call, fields: Fields, collection: ShardedCollection): ChunkEntry {
  const query = fields.get('find')?.bytes;
  if (!query) return chunkOfBounds(documentsIn(call, 'bounds', fields.get('bounds')), collection);
  const chunk = chunkOfQuery(collection, query);
  if (chunk) return chunk;
  throw new CommandError(NO_KEY_IN_QUERY, `no shard key found in chunk query ${documentText(query)}`);
}

function chunkOfBounds([lower, upper]: readonly Buffer[], collection: ShardedCollection): ChunkEntry {
  const { fields, keyPattern } = collection.routing;
  const [given, end] = [lower as Buffer, upper as Buffer]; // their number has been checked
  const [min, max] = [normalBound(fields, given), normalBound(fields, end)];
  if (!min || !max) throw new CommandError(INVALID_BOUNDS, invalidBounds(given, end, keyPattern));
  const chunk = chunkWithBounds(collection, min, max);
  if (chunk) return chunk;
  throw new CommandError(NO_CHUNK, `no chunk found with the shard key bounds ${rangeText(min, max)}`);
}

async function moveRangeCommand(call: Call, router: Router): Promise<Reply> {
  const { ns } = fullNamespace(call);
  const fields = fieldsOf(call, { min: 'object', max: 'object', toShard: 'string', ...HOW });
  const to = text(requireField(call, fields, 'toShard')) ?? '';
  if (!fields.has('min') && !fields.has('max')) {
    throw new CommandError(INVALID_OPTIONS, "Missing required parameter 'min' or 'max'");
  }
  await router.metadata.changing(ns, async () => {
    const collection = requireSharded(router.metadata, ns, `Can't execute moveRange on unsharded collection ${ns}`);
    if (!isShard(to, router)) throw new CommandError(SHARD_NOT_FOUND, `Shard ${to} not found`);
    const { chunk, range } = await rangeOf(fields, collection, router);
    await moveWithin(collection, { chunk, range, to, force: truthy(fields.get('forceJumbo')) }, router);
  });
  return modelReply();
}

async function rangeOf(
  fields: Fields,
  collection: ShardedCollection,
  router: Router,
): Promise<{ chunk: ChunkEntry; range: KeyRange }> {
  const min = keyOf(fields.get('min'), collection);
  const max = keyOf(fields.get('max'), collection);
  const chunk = min ? chunkAt(collection, min) : chunkBelow(collection, max as Buffer);
  const range = min && max ? { min, max } : await withOtherBound({ min, max }, chunk, collection, router);
  if (compareDocuments(range.max, chunk.max) <= 0 && compareDocuments(range.min, range.max) < 0)
    return { chunk, range };
  throw new CommandError(
    NOT_IN_ONE_CHUNK,
    `The range ${rangeText(range.min, range.max)} is not within one chunk of ${collection.entry.ns}`,
  );
}

function keyOf(
  bound: RawValue | undefined,
  { routing: { fields, keyPattern } }: ShardedCollection,
): Buffer | undefined {
  if (!bound) return undefined;
  const key = normalBound(fields, bound.bytes);
  if (key) return key;
  const pattern = documentText(keyPattern);
  throw new CommandError(
    INVALID_OPTIONS,
    `bound ${documentText(bound.bytes)} is not valid for shard key pattern ${pattern}`,
  );
}

function isShard(name: string, { catalog }: Router): boolean {
  return catalog.shards().some(({ id }) => id === name);
}

async function moveWithin(
  collection: ShardedCollection,
  { chunk, range = chunk, to, force }: { chunk: ChunkEntry; range?: KeyRange; to: string; force: boolean },
  router: Router,
): Promise<void> {
  if (chunk.shard === to) return;
  if (!force) await checkSize(collection, range, chunk.shard, router);
  await moveRange(collection, range, to, router);
}
