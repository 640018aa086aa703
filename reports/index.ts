/** The generated index of all results: experiment × result set and claim × result set. A pure function of the records. */
import { claims } from '../experiments/harness/claims.ts';
import type { Check, ResultRecord } from '../experiments/harness/record.ts';
import { CONTENTS, type Heading, pageText } from './contents.ts';
import { inlineText } from './inline-text.ts';
import { fileName, fileNames, link, type ResultSet, testedClaims, type Verdict, verdictsOn } from './sets.ts';
import { statementOf, verdictLinks } from './verdicts.ts';
import { plural, proseTable } from './words.ts';

/** The strongest first: what several experiments say of one claim on one server comes to the first of these that occurs. */
const ORDER: readonly Verdict[] = ['fails', 'modelled', 'holds', 'skipped'];

/**
 * @param sets in the order of their columns
 * @param results path from the index to the folder that holds the sets
 * @param more paths from the index to other pages, where there are any
 */
export function indexPage(
  sets: readonly ResultSet[],
  results: string,
  { matrix, conformance }: { matrix?: string | undefined; conformance?: string | undefined } = {},
): string {
  if (sets.length === 0) return '# Results\n\nNo experiment has been run yet.\n';
  const aboutClaims = [CLAIMS, claimTable(sets, results), countTable(sets), countNote(sets)];
  return pageText(
    { level: 1, text: 'Results' },
    'Generated from the result records by `npm run report`; each cell links to the page behind it.',
    CONTENTS,
    { level: 2, text: 'Experiments' },
    experimentTable(sets, results),
    ...(testedClaims(sets).length > 0 ? aboutClaims : []),
    matrix && `Claim by claim over all versions, and what differs between them: [matrix](${matrix}).`,
    conformance &&
      `How far the model answers as clusters of real servers did, step by step: [conformance](${conformance}).`,
  );
}

const CLAIMS: Heading = { level: 2, text: 'Claims' };

function experimentTable(sets: readonly ResultSet[], results: string): string {
  const names = fileNames(sets).sort(byNumber);
  const rows = names.map((name) => {
    const found = sets.map((set) => set.records.find((record) => fileName(record.experiment) === name));
    const title = found.find((record) => record)?.experiment.title ?? '';
    const cells = found.map((record, i) =>
      record ? link(outcomeOf(record), sets[i] as ResultSet, record, results) : '–',
    );
    return [name, inlineText(title), ...cells];
  });
  return proseTable([['experiment', '', ...namesOf(sets)], ...rows]);
}

/** How an experiment ended that was not completed, in a word or some. */
export function howText({ how }: ResultRecord['ended']): string {
  return how === 'deadline' ? 'did not end' : how;
}

/** How the predictions of one experiment fared. */
export function outcomeOf({ ended, steps }: ResultRecord): string {
  if (ended.how !== 'completed') return howText(ended);
  const checks = predictionsIn(steps);
  if (checks.length === 0) return 'no predictions';
  const ok = checks.filter(({ result }) => result === 'ok').length;
  if (ok === checks.length) return `${plural(ok, 'prediction')} ok`;
  const differing = checks.length - ok;
  return `${differing} of ${plural(checks.length, 'prediction')} ${differing === 1 ? 'differs' : 'differ'}`;
}

/** Of the steps for which something is predicted on their server's version. */
export function predictionsIn(steps: ResultRecord['steps']): Check[] {
  return steps.flatMap(({ check }) => (check?.expected ? [check] : []));
}

function claimTable(sets: readonly ResultSet[], results: string): string {
  const rows = testedClaims(sets).map((claim) => {
    return [claim, statementOf(claim), ...sets.map((set) => verdictLinks(set, claim, results))];
  });
  return proseTable([['claim', '', ...namesOf(sets)], ...rows]);
}

function countTable(sets: readonly ResultSet[]): string {
  const rows = ORDER.toSorted().map((verdict) => [verdict, ...sets.map((set) => String(claimsThat(verdict, set)))]);
  return proseTable([['verdict', ...namesOf(sets)], ...rows]);
}

function countNote(sets: readonly ResultSet[]): string {
  const tested = testedClaims(sets).length;
  return (
    `${tested} of the ${Object.keys(claims).length} claims in experiments/harness/claims.ts have an experiment. ` +
    'A claim `holds` where every step that bears on it was answered as it says by a server or a real engine, and `fails` where one shows something else. ' +
    'It is `modelled` where our model of the sharding layer decided it: that proves nothing about MongoDB and counts neither as passed nor as failed.'
  );
}

/** How many claims come to a verdict on one server. */
export function claimsThat(verdict: Verdict, set: ResultSet): number {
  const strongest = testedClaims([set]).map((claim) => {
    const said = verdictsOn(set, claim).map(([, { verdict }]) => verdict);
    return ORDER.find((one) => said.includes(one));
  });
  return strongest.filter((one) => one === verdict).length;
}

/** Folders may have any name. */
function namesOf(sets: readonly ResultSet[]): string[] {
  return sets.map(({ name }) => inlineText(name));
}

function byNumber(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
