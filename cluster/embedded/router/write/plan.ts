/** The steps in which a batch of statements is carried out: pure, from the statements and the routing table. */
import { CommandError } from '../command.ts';
import type { RoutingTable } from '../routing.ts';
import type { WriteCommand } from './command.ts';
import { type Target, targetOf } from './target.ts';

/** One step: some statements for one shard together, one statement in its own way, or one that is refused. */
export type Step =
  | { way: 'shard'; shard: string; indexes: number[] }
  | (Exclude<Target, { way: 'shard' }> & { index: number })
  | { way: 'refused'; index: number; error: CommandError };

/**
 * In order, runs of statements for one shard go together; the steps end with the first that is refused or has to be alone, as what
 * follows depends on it. Unordered, all of one shard's statements go together.
 * @param indexes the statements to plan for
 */
export function plan(command: WriteCommand, indexes: readonly number[], table: RoutingTable): Step[] {
  const steps: Step[] = [];
  const open = new Map<string, Step & { way: 'shard' }>();
  for (const index of indexes) {
    const step = stepOf(command, index, table);
    const before = step.way === 'shard' ? open.get(step.shard) : undefined;
    if (before) {
      before.indexes.push(index);
      continue;
    }
    steps.push(step);
    if (command.ordered) open.clear();
    if (step.way === 'shard') open.set(step.shard, step);
    if (command.ordered && (step.way === 'refused' || step.way === 'alone')) break;
  }
  return steps;
}

function stepOf({ kind, statements }: WriteCommand, index: number, table: RoutingTable): Step {
  try {
    const target = targetOf(kind, statements[index] as Buffer, table);
    return target.way === 'shard' ? { ...target, indexes: [index] } : { ...target, index };
  } catch (error) {
    if (error instanceof CommandError) return { way: 'refused', index, error };
    throw error;
  }
}
