/** What a race came to, without what chance decides. */
import { winnersOf } from './outcome.ts';
import type { Observed } from './record.ts';
import { isResult, observedIn } from './steps.ts';
import type { RawExchange } from './transcript.ts';

/**
 * @param finishes what became of each client's calls
 * @throws what a client threw that is no answer of a server
 */
export function seenInRace(
  finishes: readonly PromiseSettledResult<unknown>[],
  exchanges: readonly RawExchange[],
): Observed {
  const losers = finishes.flatMap((finish) => (finish.status === 'rejected' ? [finish.reason as unknown] : []));
  const fault = losers.find((error) => !isResult(error));
  if (fault) throw fault;
  const codes = losers.flatMap((error) => observedIn(error).code ?? []);
  const winners = winnersOf(finishes.length - losers.length);
  const answeredBy = unique(exchanges.map((one) => one.answeredBy)).sort();
  const race = { clients: finishes.length, winners, codes: unique(codes).sort((a, b) => a - b), answeredBy };
  return { ok: winners !== 'none', race };
}

function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
