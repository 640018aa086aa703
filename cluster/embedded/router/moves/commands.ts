/** `moveChunk` and `moveRange` (src/mongo/s/commands/cluster_move_chunk_cmd.cpp, cluster_move_range_cmd.cpp). */
import { type RawValue, text, truthy } from '../../wire/bson.ts';
import { documentText, rangeText } from '../bson-text.ts';
import { normalBound } from '../chunks/bounds.ts';
import { chosenChunk, requireOneChoice } from '../chunks/chosen-chunk.ts';
import { chunkAt, chunkBelow } from '../chunks/find-chunk.ts';
import { requireSharded } from '../chunks/require-sharded.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { compareDocuments } from '../compare.ts';
import { fullNamespace } from '../ddl/namespace.ts';
import { type FieldType, fieldsOf, requireField } from '../ddl/request.ts';
import type { ChunkEntry } from '../metadata/documents.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { adminOnly } from '../topology/admin-only.ts';
import { checkSize } from './jumbo.ts';
import { moveRange } from './move.ts';
import { withOtherBound } from './other-bound.ts';
import { requirePermit } from './permit.ts';
import type { KeyRange } from './shard-range.ts';

const SHARD_NOT_FOUND = 70;
const INVALID_OPTIONS = 72;
const CODES = { noKey: 656450, invalidBounds: 656451, noChunk: 656452 };
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
    requireOneChoice(fields, {
      both: 'cannot specify bounds and query at the same time',
      none: 'need to specify query or bounds',
    });
    if (!isShard(to, router)) throw new CommandError(SHARD_NOT_FOUND, 'moveChunk destination shard does not exist');
    const chunk = chosenChunk(call, fields, collection, CODES);
    await moveWithin(collection, { chunk, to, force: truthy(fields.get('forceJumbo')) }, router);
  });
  return modelReply({ millis: Date.now() - began });
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
  requirePermit(collection);
  if (!force) await checkSize(collection, range, chunk.shard, router);
  await moveRange(collection, range, to, router);
}
