/** What a run came to in numbers. */
import type { ResultRecord } from '../experiments/harness/record.ts';
import { claimsThat, howText, predictionsIn } from '../reports/index.ts';
import { type ResultSet, testedClaims, VERDICTS } from '../reports/sets.ts';
import { plural } from '../reports/words.ts';
import { isAsExpected } from './summary.ts';

/**
 * A line each for experiments, predictions and claims. Several experiments may test one claim: what they come to together is as on the
 * index page.
 * @param records of one server
 */
export function totalsText(records: readonly ResultRecord[]): string {
  return [experimentsText(records), predictionsText(records), claimsText({ name: '', records })].join('\n');
}

/** `49 experiments: 45 as predicted, 4 skipped` */
export function experimentsText(records: readonly ResultRecord[]): string {
  return `${plural(records.length, 'experiment')}: ${counted(records.map(endOf))}`;
}

function endOf(record: ResultRecord): string {
  if (record.ended.how !== 'completed') return howText(record.ended);
  if (!isAsExpected(record)) return 'differs';
  return predictionsIn(record.steps).length > 0 ? 'as predicted' : 'without predictions';
}

/** `9 predictions: 8 ok, 1 differs` */
function predictionsText(records: readonly ResultRecord[]): string {
  const results = records.flatMap(({ steps }) => predictionsIn(steps).map(({ result }) => result));
  return results.length === 0 ? 'no predictions' : `${plural(results.length, 'prediction')}: ${counted(results)}`;
}

function claimsText(set: ResultSet): string {
  const tested = testedClaims([set]).length;
  if (tested === 0) return 'no claims';
  const verdicts = VERDICTS.map((verdict) => [claimsThat(verdict, set), verdict] as const);
  return `${plural(tested, 'claim')}: ${listed(verdicts.filter(([count]) => count > 0))}`;
}

/** `8 ok, 1 differs` */
function counted(words: readonly string[]): string {
  const kinds = [...new Set(words)].sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other));
  return listed(kinds.map((kind) => [words.filter((word) => word === kind).length, kind]));
}

const ORDER = [
  ...['as predicted', 'ok', 'without predictions', 'differs', 'threw', 'did not end', 'cluster failed', 'skipped'],
  'not modelled',
];

function listed(counts: readonly (readonly [number, string])[]): string {
  return counts
    .map(([count, word]) => `${count} ${count === 1 ? word : (OF_SEVERAL[word] ?? word)}${NOTES[word] ?? ''}`)
    .join(', ');
}

const OF_SEVERAL: Readonly<Record<string, string>> = { differs: 'differ', holds: 'hold', fails: 'fail' };

/** It must not pass for a result. */
const NOTES: Readonly<Record<string, string>> = { modelled: ' (which proves nothing about MongoDB)' };
