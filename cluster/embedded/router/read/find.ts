/** `find`: to the one shard that can hold what matches, or to several and merged (src/mongo/s/query/planner/cluster_find.cpp). */

import { notModelled } from '../../not-modelled.ts';
import { documentOf, elements, field, number, rawValue, Type, truthy } from '../../wire/bson.ts';
import { documentText } from '../bson-text.ts';
import { type Call, CommandError, type Reply, type Router } from '../command.ts';
import { parseQuery } from '../query.ts';
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
const NEAR: ReadonlySet<string> = new Set(['$near', '$nearSphere', '$geoNear']);

export async function find(call: Call, router: Router): Promise<Reply> {
  if (truthy(field(call.body, 'tailable'))) throw notModelled('a tailable cursor');
  return routed(call, router, 'filter', async ({ ns, shards }) => {
    const [first, second] = shards;
    if (first === undefined) return emptyCursor(ns);
    return second === undefined ? passTo(first, call, router) : findOnShards(ns, shards, call, router);
  });
}

async function findOnShards(ns: string, shards: readonly string[], call: Call, router: Router): Promise<Reply> {
  const parts = partsOf(call.body);
  if (!parts) return passTo(shards[0] as string, call, router); // which refuses it in the server's words
  const { directions, skip, limit, command } = parts;
  const cursors = await openOnShards(router.catalog, shards, () => command);
  const source: DocumentSource = directions ? new SortedMerge(cursors, directions) : new Concatenation(cursors);
  const cursor = new MergedCursor(source, { skip, limit });
  const single = truthy(field(call.body, 'singleBatch'));
  return firstReply(cursor, { ns, batchSize: number(field(call.body, 'batchSize')), single }, call, router);
}

/** A `find` parted between several shards and the router. */
export interface FindParts {
  /** The directions of the sort by which the router merges; absent where any order will do. */
  directions: readonly number[] | undefined;
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
  const order = mergeOrder(body);
  const command = commandForShards(body, skip, limit, order?.key);
  return { directions: order?.directions, skip, limit: limit || undefined, command };
}

function refuseSortKeyProjection(body: Buffer): void {
  const projection = documentField(body, 'projection');
  if (!field(projection, SORT_KEY)) return;
  throw new CommandError(BAD_VALUE, `Projection contains illegal field '${SORT_KEY}': ${documentText(projection)}`);
}

interface MergeOrder {
  /** The metadata by which shards have sorted. */
  key: 'sortKey' | 'geoNearDistance';
  directions: readonly number[];
}

/**
 * The order in which shards' results are merged; `undefined` without one and for a natural order, which no two shards share.
 * `$near` sorts by distance where nothing else is asked for.
 */
function mergeOrder(body: Buffer): MergeOrder | undefined {
  const sort = documentField(body, 'sort');
  const [first] = elements(sort);
  if (first) return first.name === '$natural' ? undefined : { key: 'sortKey', directions: directionsOf(sort) };
  const isNear = parseQuery(documentField(body, 'filter')).some(
    (part) => 'operator' in part && NEAR.has(part.operator),
  );
  return isNear ? { key: 'geoNearDistance', directions: [1] } : undefined;
}

/** Every shard may hold all of the first `skip + limit` documents; where results are merged by a sort it sends the key along. */
function commandForShards(body: Buffer, skip: number, limit: number, key: MergeOrder['key'] | undefined): Buffer {
  const kept = elements(body).filter(({ name }) => !ROUTERS_PART.has(name));
  if (limit > 0) kept.push({ name: 'limit', ...rawValue(skip + limit) });
  const projection = elements(documentField(body, 'projection'));
  if (key) projection.push({ name: SORT_KEY, ...rawValue({ $meta: key }) });
  if (projection.length > 0) kept.push({ name: 'projection', type: Type.object, bytes: documentOf(projection) });
  return documentOf(kept);
}
