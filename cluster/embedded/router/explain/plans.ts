/** The explanation of a read or a write on one or several shards: a stage of the router's own with the shards' plans below it. */
import type { Document } from 'bson';
import type { Call, Reply, Router } from '../command.ts';
import type { RoutingTable } from '../routing.ts';
import {
  aboutRouter,
  askShards,
  type Explained,
  explainReply,
  planOf,
  type Question,
  serverInfoOf,
} from './explained.ts';

/** What is to be explained, and how the router takes part. */
export interface Plan extends Question {
  /** `SINGLE_SHARD`, `SHARD_MERGE`, `SHARD_MERGE_SORT` or `SHARD_WRITE`. */
  stage: string;
  /** Of a sharded collection whose documents each shard has to filter. */
  filteredBy: RoutingTable | undefined;
  skip?: number | undefined;
  limit?: number | undefined;
}

/** Asks the shards and joins what they say. @param explained the command as the client sent it */
export async function explainPlans(plan: Plan, explained: Buffer, call: Call, router: Router): Promise<Reply> {
  const begun = performance.now();
  const replies = await askShards(router, plan);
  const millis = Math.round(performance.now() - begun);
  const stats = replies.some(({ reply }) => reply.executionStats) && {
    executionStats: executionStats(plan, replies, millis),
  };
  return explainReply(
    { queryPlanner: queryPlanner(plan, replies, router), ...stats, ...aboutRouter(router, replies) },
    explained,
    call,
  );
}

function queryPlanner({ stage, filteredBy }: Plan, replies: readonly Explained[], { catalog }: Router): Document {
  const hosts = new Map(catalog.shards().map(({ id, host }) => [id, host]));
  const shards = replies.map((explained) => {
    const { explainVersion, queryPlanner: planner } = explained.reply;
    return {
      explainVersion,
      shardName: explained.shard,
      connectionString: hosts.get(explained.shard),
      serverInfo: serverInfoOf(explained),
      ...planner,
      winningPlan: planOf(planner.winningPlan, filteredBy),
      rejectedPlans: planner.rejectedPlans?.map((rejected: Document) => planOf(rejected, filteredBy)),
    };
  });
  return { mongosPlannerVersion: 1, winningPlan: { stage, shards } };
}

function executionStats(plan: Plan, replies: readonly Explained[], millis: number): Document {
  const stats = replies.map(({ reply }) => reply.executionStats as Document);
  const total = (name: string): number => stats.reduce((sum, each) => sum + Number(each[name] ?? 0), 0);
  const bounds = replies.length > 1 ? { skip: plan.skip, limit: plan.limit } : {};
  const nReturned = withinBounds(total('nReturned'), bounds);
  const examined = {
    executionTimeMillis: millis,
    totalKeysExamined: total('totalKeysExamined'),
    totalDocsExamined: total('totalDocsExamined'),
  };
  const executionStages = {
    stage: plan.stage,
    nReturned,
    ...counted(stats, bounds),
    ...(bounds.limit !== undefined && { limitAmount: bounds.limit }),
    ...(bounds.skip && { skipAmount: bounds.skip }),
    ...examined,
    totalChildMillis: total('executionTimeMillis'),
    shards: replies.map(({ shard }, i) => ({
      shardName: shard,
      ...filteredStats(stats[i] as Document, plan.filteredBy),
    })),
  };
  return { nReturned, ...examined, executionStages, ...allPlans(replies, stats) };
}

/** What a `count` counted. */
function counted(stats: readonly Document[], bounds: Pick<Plan, 'skip' | 'limit'>): Document {
  const counts = stats.map(({ executionStages }) => executionStages?.nCounted).filter((n) => n !== undefined);
  const sum = counts.reduce((all, n) => all + Number(n), 0);
  return counts.length > 0 ? { nCounted: withinBounds(sum, bounds) } : {};
}

/** The router skips and limits what several shards return. */
function withinBounds(n: number, { skip = 0, limit = Number.POSITIVE_INFINITY }: Pick<Plan, 'skip' | 'limit'>): number {
  return Math.min(Math.max(n - skip, 0), limit);
}

function filteredStats({ allPlansExecution: _, ...stats }: Document, table: RoutingTable | undefined): Document {
  return stats.executionStages ? { ...stats, executionStages: planOf(stats.executionStages, table) } : stats;
}

function allPlans(replies: readonly Explained[], stats: readonly Document[]): Document {
  if (!stats.every(({ allPlansExecution }) => allPlansExecution)) return {};
  return {
    allPlansExecution: replies.map(({ shard }, i) => ({ shardName: shard, allPlans: stats[i]?.allPlansExecution })),
  };
}
