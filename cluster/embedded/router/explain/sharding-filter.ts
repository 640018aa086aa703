/**
 * The stage SHARDING_FILTER in a shard's plan. The engines here hold only what they own and do not filter; a server's shard does,
 * right above the data access (`QueryPlannerAnalysis::analyzeDataAccess`, src/mongo/db/query/planner_analysis.cpp).
 */
import type { Document } from 'bson';

/** Stages that the planner puts on top of the filter. */
const ABOVE: ReadonlySet<string> = new Set([
  'BATCHED_DELETE',
  'COUNT',
  'DELETE',
  'LIMIT',
  'PROJECTION_COVERED',
  'PROJECTION_DEFAULT',
  'PROJECTION_SIMPLE',
  'RETURN_KEY',
  'SKIP',
  'SORT',
  'SORT_KEY_GENERATOR',
  'UPDATE',
]);
/** Stages that need no filter, or that read no document. */
const UNFILTERED: ReadonlySet<string> = new Set([
  'EOF',
  'EXPRESS_CLUSTERED_IXSCAN',
  'EXPRESS_DELETE',
  'EXPRESS_IXSCAN',
  'EXPRESS_UPDATE',
  'RECORD_STORE_FAST_COUNT',
]);
/** Figures of a stage that passes on everything it gets. */
const FIGURES = [
  'nReturned',
  'executionTimeMillisEstimate',
  'works',
  'advanced',
  'needTime',
  'needYield',
  'saveState',
  'restoreState',
  'isEOF',
];

/**
 * A plan with the filter in it.
 * @param plan a tree of stages, of the planner or with execution figures
 * @param keyPaths the fields of the shard key
 */
export function withShardingFilter(plan: Document, keyPaths: readonly string[]): Document {
  const { isCached, ...root } = plan;
  return { ...(isCached !== undefined && { isCached }), ...filtered(root, keyPaths) };
}

function filtered(plan: Document, keyPaths: readonly string[]): Document {
  const input = plan.inputStage;
  if (UNFILTERED.has(plan.stage)) return plan;
  if (plan.stage === 'DISTINCT_SCAN') return filteringItself(plan, keyPaths);
  if (ABOVE.has(plan.stage)) return input ? { ...plan, inputStage: filtered(input, keyPaths) } : plan;
  if (plan.stage !== 'FETCH' || plan.filter || !input) return filterOver(plan);
  if (input.stage === 'SORT_KEY_GENERATOR') return filteredBelowSortKey(plan, keyPaths);
  return covers(input, keyPaths) ? { ...plan, inputStage: filterOver(input) } : filterOver(plan);
}

/** Keys for the router's merge are made above the filter, be the document fetched before it or after. */
function filteredBelowSortKey(fetch: Document, keyPaths: readonly string[]): Document {
  const { inputStage: sortKey } = fetch;
  const scan = sortKey.inputStage;
  if (covers(scan, keyPaths)) return { ...fetch, inputStage: { ...sortKey, inputStage: filterOver(scan) } };
  return { ...sortKey, inputStage: filterOver({ ...fetch, inputStage: scan }) };
}

/** Since 8.2 a scan for distinct values filters, and fetches what it needs for that. */
function filteringItself(scan: Document, keyPaths: readonly string[]): Document {
  const needsDocument = !keyPaths.every((path) => path in scan.keyPattern);
  return { ...scan, isShardFiltering: true, isFetching: scan.isFetching || needsDocument };
}

/** Whether an index holds the shard key, so that a document need not be fetched to be filtered. */
function covers({ stage, keyPattern, isMultiKey }: Document, keyPaths: readonly string[]): boolean {
  return stage === 'IXSCAN' && !isMultiKey && keyPaths.every((path) => path in keyPattern);
}

function filterOver(inputStage: Document): Document {
  const figures = FIGURES.filter((name) => name in inputStage).map((name) => [name, inputStage[name]]);
  const skips = figures.length > 0 && { chunkSkips: 0 };
  return { stage: 'SHARDING_FILTER', ...Object.fromEntries(figures), ...skips, inputStage };
}
