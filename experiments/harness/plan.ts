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

/** The slot-based engine of 5.0 and later puts the plan one level deeper (src/mongo/db/query/plan_explainer_sbe.cpp). */
function winningPlan(reply: Document | null): Document | undefined {
  const plan: Document | undefined = reply?.queryPlanner?.winningPlan;
  return plan?.queryPlan ?? plan;
}

function stagesOf({ stage, indexName, inputStage, inputStages }: Document): Document {
  return {
    stage,
    ...(indexName !== undefined && { indexName }),
    ...(inputStage && { inputStage: stagesOf(inputStage) }),
    ...(inputStages && { inputStages: inputStages.map(stagesOf) }),
  };
}

function scansIn(plan: Document | undefined): string[] {
  if (!plan) return [];
  const inputs: Document[] = [...(plan.inputStage ? [plan.inputStage] : []), ...(plan.inputStages ?? [])];
  const own = plan.indexName ?? (plan.stage === 'COLLSCAN' ? plan.stage : undefined);
  return [...(own === undefined ? [] : [own]), ...inputs.flatMap(scansIn)];
}
