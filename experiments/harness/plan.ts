/** What matters of the reply to `explain`: the stages of the winning plan and what they scan. */
import type { Document } from 'bson';
import type { RawExchange } from './transcript.ts';

/** Replies to `explain` cut down to the stages, marked as excerpts. A refusal is left as it is. */
export function inStages(exchanges: readonly RawExchange[]): RawExchange[] {
  return exchanges.map((exchange) => {
    const plan = winningPlan(exchange.reply);
    return plan ? { ...exchange, reply: { queryPlanner: { winningPlan: stagesOf(plan) } }, isExcerpt: true } : exchange;
  });
}

/** The index that the plans scan, or `COLLSCAN`; several where the shards differ. */
export function scanOf(exchanges: readonly RawExchange[]): string {
  const scans = exchanges.flatMap(({ reply }) => scansIn(winningPlan(reply)));
  return [...new Set(scans)].sort().join(', ');
}

/** The plan of one server, or a router's of several. The slot-based engine of 5.0 and later puts the plan one level deeper (src/mongo/db/query/plan_explainer_sbe.cpp). */
function winningPlan(reply: Document | null): Document | undefined {
  const plan: Document | undefined = reply?.queryPlanner?.winningPlan;
  return plan?.queryPlan ?? plan;
}

/** What a router says of each shard that it asks (src/mongo/s/query/planner/cluster_explain.cpp), by name. */
function shardPlans({ shards = [] }: Document): { shardName: string; winningPlan: Document }[] {
  return shards
    .map(({ shardName, winningPlan }: Document) => ({ shardName, winningPlan: winningPlan.queryPlan ?? winningPlan }))
    .sort((one: { shardName: string }, other: { shardName: string }) => (one.shardName < other.shardName ? -1 : 1));
}

function stagesOf(plan: Document): Document {
  const { stage, indexName, inputStage, inputStages } = plan;
  const shards = shardPlans(plan).map((one) => ({ ...one, winningPlan: stagesOf(one.winningPlan) }));
  return {
    stage,
    ...(shards.length > 0 && { shards }),
    ...(indexName !== undefined && { indexName }),
    ...(inputStage && { inputStage: stagesOf(inputStage) }),
    ...(inputStages && { inputStages: inputStages.map(stagesOf) }),
  };
}

function scansIn(plan: Document | undefined): string[] {
  if (!plan) return [];
  const onShards = shardPlans(plan).map(({ winningPlan: one }) => one);
  const inputs = [...(plan.inputStage ? [plan.inputStage] : []), ...(plan.inputStages ?? []), ...onShards];
  const own = plan.indexName ?? (plan.stage === 'COLLSCAN' ? plan.stage : undefined);
  return [...(own === undefined ? [] : [own]), ...inputs.flatMap(scansIn)];
}
