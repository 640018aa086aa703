/** `find`: to the one shard that can hold what matches, or to several and merged (src/mongo/s/query/planner/cluster_find.cpp). */
import { documentOf, elements, field, number, rawValue, Type, truthy } from '../../wire/bson.ts';
import { documentText } from '../bson-text.ts';
import { type Call, CommandError, type Reply, type Router } from '../command.ts';
import { documentField } from './documents.ts';
import { emptyCursor } from './empty.ts';
import { openOnShards } from './fan-out.ts';
import { firstReply } from './first-reply.ts';
import { Concatenation, type DocumentSource, directionsOf, SORT_KEY, SortedMerge } from './merge.ts';
import { MergedCursor } from './merged-cursor.ts';
import { passTo, routed } from './routed.ts';

const BAD_VALUE = 2;
/** What the router does itself or asks for in its own way when several shards answer. */
const ROUTERS_PART: ReadonlySet<string> = new Set(['skip', 'limit', 'singleBatch', 'projection']);

export async function find(call: Call, router: Router): Promise<Reply> {
  return routed(call, router, 'filter', async ({ ns, shards }) => {
    const [first, second] = shards;
    if (first === undefined) return emptyCursor(ns);
    return second === undefined ? passTo(first, call, router) : findOnShards(ns, shards, call, router);
  });
}

async function findOnShards(ns: string, shards: readonly string[], call: Call, router: Router): Promise<Reply> {
  const parts = partsOf(call.body);
  if (!parts) return passTo(shards[0] as string, call, router); // which refuses it in the server's words
  const { sort, skip, limit, command } = parts;
  const cursors = await openOnShards(router.catalog, shards, () => command);
  const source: DocumentSource = sort ? new SortedMerge(cursors, directionsOf(sort)) : new Concatenation(cursors);
  const cursor = new MergedCursor(source, { skip, limit });
  const single = truthy(field(call.body, 'singleBatch'));
  return firstReply(cursor, { ns, batchSize: number(field(call.body, 'batchSize')), single }, router);
}

/** A `find` parted between several shards and the router. */
export interface FindParts {
  /** By which the router merges; absent where any order will do. */
  sort: Buffer | undefined;
  skip: number;
  limit: number | undefined;
  /** What every shard is asked. */
  command: Buffer;
}

/**
 * Parts a `find`; `undefined` when its bounds are impossible.
 * @throws CommandError 2 for a projection of the field that shards send the sort key in
 */
export function partsOf(body: Buffer): FindParts | undefined {
  const skip = number(field(body, 'skip')) ?? 0;
  const limit = number(field(body, 'limit')) ?? 0;
  if (skip < 0 || limit < 0) return undefined;
  refuseSortKeyProjection(body);
  const sort = mergeSort(body);
  const command = commandForShards(body, skip, limit, sort !== undefined);
  return { sort, skip, limit: limit || undefined, command };
}

function refuseSortKeyProjection(body: Buffer): void {
  const projection = documentField(body, 'projection');
  if (!field(projection, SORT_KEY)) return;
  throw new CommandError(BAD_VALUE, `Projection contains illegal field '${SORT_KEY}': ${documentText(projection)}`);
}

/** The sort by which shards' results are merged; `undefined` without one and for a natural order, which no two shards share. */
function mergeSort(body: Buffer): Buffer | undefined {
  const sort = documentField(body, 'sort');
  const [first] = elements(sort);
  return first && first.name !== '$natural' ? sort : undefined;
}

/** Every shard may hold all of the first `skip + limit` documents; where results are merged by a sort it sends the key along. */
function commandForShards(body: Buffer, skip: number, limit: number, sorted: boolean): Buffer {
  const kept = elements(body).filter(({ name }) => !ROUTERS_PART.has(name));
  if (limit > 0) kept.push({ name: 'limit', ...rawValue(skip + limit) });
  const projection = elements(documentField(body, 'projection'));
  if (sorted) projection.push({ name: SORT_KEY, ...rawValue({ $meta: 'sortKey' }) });
  if (projection.length > 0) kept.push({ name: 'projection', type: Type.object, bytes: documentOf(projection) });
  return documentOf(kept);
}
