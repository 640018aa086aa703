/** What a race leaves to chance. */
import { Normalizer } from '../normalize.ts';
import type { Winners } from '../record.ts';
import type { RawExchange } from '../transcript.ts';
import { changesNothing, writtenBy } from './reads.ts';

/** Collections whose documents hang on chance. */
export type LeftToChance = readonly string[] | 'every collection';

/**
 * The documents of each collection that the race wrote to, unless every client sent the same write, apart from ids and dates that are made
 * on the way, and at most one of them succeeded: then it does not matter which.
 */
export function leftToChance(exchanges: readonly RawExchange[], winners: Winners): LeftToChance {
  const changes = exchanges.filter((exchange) => !changesNothing(exchange));
  if (winners !== 'more than one' && new Set(changes.map(shapeOf)).size <= 1) return [];
  const names = changes.map(writtenBy);
  return names.includes(undefined) ? 'every collection' : [...new Set(names.flatMap((name) => name ?? []))];
}

/** Equal for commands that differ in what a run makes up. */
function shapeOf({ to, database, command }: RawExchange): string {
  const now = new Date();
  const tidy = new Normalizer({ database: undefined, hosts: new Map(), since: now, until: now });
  return JSON.stringify([to, database, tidy.command(command)]);
}
