/** Comparing what was seen with an outcome. */
import type { Observed, Outcome, Winners } from './record.ts';

/** Whether what was seen is the outcome. */
export function meets(outcome: Outcome, observed: Observed): boolean {
  if ('winners' in outcome) return raced(outcome, observed);
  if ('code' in outcome) return observed.code === outcome.code;
  if ('documents' in outcome) return observed.documents === outcome.documents;
  if ('counts' in outcome) return String(observed.counts) === String(outcome.counts);
  if ('scan' in outcome) return observed.scan === outcome.scan;
  return observed.ok;
}

/** The number of clients that succeeded, as a predicate. */
export function winnersOf(count: number): Winners {
  if (count === 0) return 'none';
  return count === 1 ? 'exactly one' : 'more than one';
}

function raced({ winners, code }: { winners: Winners; code?: number }, { race }: Observed): boolean {
  return race?.winners === winners && (code === undefined || race.codes.every((one) => one === code));
}
