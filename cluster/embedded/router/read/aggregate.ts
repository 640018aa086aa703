/** `aggregate`: whole on one shard, or in a part for the shards and a part that merges (src/mongo/s/query/planner/cluster_aggregate.cpp). */
import { field, number, truthy } from '../../wire/bson.ts';
import type { Call, Reply, Router } from '../command.ts';
import { explainAggregate } from '../explain/aggregate.ts';
import { fromOwnSource } from '../topology/own-sources.ts';
import { documentField } from './documents.ts';
import { emptyCursor } from './empty.ts';
import { firstReply } from './first-reply.ts';
import { isParted, placed } from './placement.ts';
import { passWhole, runParted } from './run-pipeline.ts';

export async function aggregate(call: Call, router: Router): Promise<Reply> {
  if (truthy(field(call.body, 'explain'))) return explainAggregate(call, router, 'queryPlanner');
  const own = fromOwnSource(call, router);
  if (own) return own;
  return placed(call, router, async (run) => {
    const [first] = run.shards;
    if (first === undefined) return emptyCursor(run.ns);
    if (!isParted(run) || !field(call.body, 'cursor')) return passWhole(first, run, router);
    const batchSize = number(field(documentField(call.body, 'cursor'), 'batchSize'));
    return firstReply(await runParted(run), { ns: run.ns, reads: run.reads, batchSize }, call, router);
  });
}
