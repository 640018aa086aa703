/** `explain` of `aggregate` (src/mongo/db/pipeline/sharded_agg_helpers.cpp, `appendExplainResults`). */
import type { Document } from 'bson';
import { decode, field, type RawValue } from '../../wire/bson.ts';
import type { Call, Reply, Router } from '../command.ts';
import { type Split, splitPipeline } from '../read/pipeline.ts';
import { isParted, leadingFilter, placed } from '../read/placement.ts';
import { type Run, shardCommand } from '../read/run-pipeline.ts';
import type { RoutingTable } from '../routing.ts';
import { aboutRouter, askShards, type Explained, explainReply, planOf } from './explained.ts';
import { sortPattern } from './sort-pattern.ts';

/** @param inner the `aggregate` that is to be explained, as a call of its own */
export function explainAggregate(inner: Call, router: Router, verbosity: string): Promise<Reply> {
  return placed(inner, router, async (run) => {
    const split = isParted(run) ? splitPipeline(run.stages) : undefined;
    const pipeline = split?.shardPart ?? run.stages.map(({ value }) => value);
    const command = shardCommand(inner.body, pipeline, split?.needsMerge ?? false);
    const replies = await askShards(router, { shards: run.shards, command, verbosity, db: inner.db });
    const filteredBy = filterOf(run);
    const shards = Object.fromEntries(
      replies.map((explained) => [explained.shard, shardExplanation(explained, filteredBy)]),
    );
    const parts = split ? { ...mergerOf(run), splitPipeline: splitOf(run, split) } : { splitPipeline: null };
    return explainReply({ ...aboutRouter(router, replies), ...parts, shards }, inner.body, inner);
  });
}

/** A query that fixes the shard key finds no document that its shard does not own. */
function filterOf({ ns, stages, call, catalog }: Run): RoutingTable | undefined {
  const table = catalog.routing(ns);
  return table?.keyOfQuery(leadingFilter(stages), field(call.body, 'collation')?.bytes) ? undefined : table;
}

function shardExplanation({ reply, address }: Explained, table: RoutingTable | undefined): Document {
  const { explainVersion, stages } = reply;
  if (!stages) return { host: address, explainVersion, ...planned(reply, table) };
  const [first, ...rest] = stages as Document[];
  const source = first?.$cursor
    ? [{ ...first, $cursor: { ...first.$cursor, ...planned(first.$cursor, table) } }]
    : [first];
  return { host: address, explainVersion, stages: [...source, ...rest] };
}

function planned({ queryPlanner, executionStats }: Document, table: RoutingTable | undefined): Document {
  const stages = executionStats?.executionStages;
  return {
    ...(queryPlanner && { queryPlanner: { ...queryPlanner, winningPlan: planOf(queryPlanner.winningPlan, table) } }),
    ...(executionStats && {
      executionStats: { ...executionStats, ...(stages && { executionStages: planOf(stages, table) }) },
    }),
  };
}

function mergerOf({ readsHost, writesHost }: Run): Document {
  const shard = readsHost ?? writesHost;
  return shard === undefined ? { mergeType: 'router' } : { mergeType: 'specificShard', mergeShardId: shard };
}

function splitOf({ ns }: Run, split: Split): Document {
  const { shardPart, mergePart, skip, limit, directions } = split;
  const bounds = [...(skip > 0 ? [{ $skip: skip }] : []), ...(limit === undefined ? [] : [{ $limit: limit }])];
  return {
    shardsPart: documents(shardPart),
    mergerPart: [mergeCursors(ns, directions && sortPattern(shardPart)), ...bounds, ...documents(mergePart)],
  };
}

function documents(stages: readonly RawValue[]): Document[] {
  return stages.map(({ bytes }) => decode(bytes));
}

/** The stage that takes in what the shards send; nothing is opened on them to be explained. */
function mergeCursors(ns: string, sort: Document | undefined): Document {
  const $mergeCursors = {
    ...(sort && { sort }),
    compareWholeSortKey: false,
    tailableMode: 'normal',
    nss: ns,
    allowPartialResults: false,
    recordRemoteOpWaitTime: false,
    requestQueryStatsFromRemotes: false,
  };
  return { $mergeCursors };
}
