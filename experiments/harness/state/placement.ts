/** Where the documents of sharded collections were at the start of the story and at the end. */
import type { CollectionPlacement, CollectionState, ResultRecord, StepRecord } from '../record.ts';

/**
 * @param arranging how many steps at the start do no more than arrange collections
 * @param isCompleted the run came to its end; where it did not, nothing is said of the end, nor of the start when no story began
 */
export function placementIn(
  steps: readonly StepRecord[],
  arranging: number,
  isCompleted: boolean,
): ResultRecord['placement'] {
  const begun = isCompleted || arranging < steps.length;
  return {
    before: begun ? shardedOf(stateAfter(steps.slice(0, arranging))) : [],
    after: isCompleted ? shardedOf(stateAfter(steps)) : [],
  };
}

function stateAfter(steps: readonly StepRecord[]): readonly CollectionState[] {
  return steps.findLast(({ state }) => state)?.state ?? [];
}

function shardedOf(states: readonly CollectionState[]): CollectionPlacement[] {
  return states.flatMap(({ collection, sharded, chunks, shards }) =>
    sharded ? [{ collection, ...sharded, chunks, documents: shards.map(documentsOf) }] : [],
  );
}

function documentsOf({ shard, count }: CollectionState['shards'][number]) {
  return { shard, ...(count !== undefined && { count }) };
}
