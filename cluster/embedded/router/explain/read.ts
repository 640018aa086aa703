/** `explain` of `find`, `count` and `distinct`. */
import { elements, field, number } from '../../wire/bson.ts';
import type { Call, Reply, Router } from '../command.ts';
import { commandForShards as countForShards } from '../read/count.ts';
import { documentField } from '../read/documents.ts';
import { partsOf } from '../read/find.ts';
import { type Routed, routed } from '../read/routed.ts';
import { explainPlans, type Plan } from './plans.ts';

/** The field that holds the query. */
const FILTERS: Readonly<Record<string, string>> = { find: 'filter', count: 'query', distinct: 'query' };

/** @param inner the command that is to be explained, as a call of its own */
export function explainRead(inner: Call, router: Router, verbosity: string): Promise<Reply> {
  const filterName = FILTERS[inner.name] as string;
  return routed(inner, router, filterName, (target) =>
    explainPlans(planOf(target, inner, router, verbosity), inner.body, inner, router),
  );
}

function planOf({ ns, shards }: Routed, inner: Call, { catalog }: Router, verbosity: string): Plan {
  const table = catalog.routing(ns);
  const filter = documentField(inner.body, FILTERS[inner.name] as string);
  // What fixes the shard key finds no document that its shard does not own, and is not filtered.
  const isExact = table?.keyOfQuery(filter, field(inner.body, 'collation')?.bytes) !== undefined;
  const common = { shards, verbosity, db: inner.db, filteredBy: isExact ? undefined : table };
  if (shards.length === 1) return { ...common, command: inner.body, stage: 'SINGLE_SHARD' };
  const bounds = boundsOf(inner);
  const isSorted = inner.name === 'find' && elements(documentField(inner.body, 'sort')).length > 0;
  return { ...common, ...bounds, stage: isSorted ? 'SHARD_MERGE_SORT' : 'SHARD_MERGE' };
}

/** What several shards are asked, and what the router passes over and lets through of their results. */
function boundsOf({ name, body }: Call): Pick<Plan, 'command' | 'skip' | 'limit'> {
  if (name === 'find') return partsOf(body) ?? { command: body };
  const skip = number(field(body, 'skip')) ?? 0;
  const limit = Math.abs(number(field(body, 'limit')) ?? 0);
  return name === 'count'
    ? { command: countForShards(body, skip, limit), skip, limit: limit || undefined }
    : { command: body };
}
