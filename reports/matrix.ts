/** The generated page on all servers together: claim × version, what differs and since when. A pure function of the records. */
import semver from 'semver';
import type { ResultRecord } from '../experiments/harness/record.ts';
import { type Difference, differencesOf, isDecided, type Stretch } from './differences.ts';
import { fileName, isModelled, link, type ResultSet, testedClaims, verdictsOn } from './sets.ts';
import { statementOf } from './verdicts.ts';
import { code, endingText, joined, paragraphs, plural, proseTable } from './words.ts';

/** A claim on real servers. */
interface Row {
  readonly claim: string;
  /** How many servers tested it, or have a reason to skip it. */
  readonly servers: number;
  /** Whether these are all that there are. */
  readonly everywhere: boolean;
  readonly differences: readonly Difference[];
}

/**
 * @param sets in any order
 * @param results path from the page to the folder that holds the sets
 */
export function matrixPage(sets: readonly ResultSet[], results: string): string {
  const real = sets.filter((set) => !isModelled(set)).toSorted(oldestFirst);
  const modelled = sets.filter(isModelled).toSorted(oldestFirst);
  const rows = testedClaims(sets).map((claim) => rowOf(claim, real));
  return `${paragraphs(
    '# Matrix',
    'What each version of MongoDB made of each claim. Generated from the result records by `npm run matrix` and `npm run report`; each cell links to the page behind it.',
    countText(real, rows),
    modelled.length > 0 && MODEL_NOTE,
    rows.length > 0 && table(real, modelled, rows, results),
    ...differenceSection(rows),
    ...missingSection([...real, ...modelled]),
  )}\n`;
}

const MODEL_NOTE =
  'The columns that end in `-embedded` stand apart: there our model of the sharding layer answers, or takes part in answering. That proves nothing about MongoDB, and counts neither as passed nor as the same on every version.';

function oldestFirst(one: ResultSet, other: ResultSet): number {
  return semver.compare(versionOf(one), versionOf(other)) || one.name.localeCompare(other.name, 'en');
}

/** Builds by others add to the version what is no part of it. */
function versionOf({ records }: ResultSet): string {
  const version = records[0]?.environment.version ?? '';
  return semver.valid(version) ?? semver.coerce(version)?.version ?? '0.0.0';
}

function rowOf(claim: string, real: readonly ResultSet[]): Row {
  const servers = real.filter((set) => verdictsOn(set, claim).some((one) => isDecided(...one))).length;
  return { claim, servers, everywhere: servers === real.length, differences: differencesOf(claim, real) };
}

function countText(real: readonly ResultSet[], rows: readonly Row[]): string {
  if (real.length === 0) return 'No real server has run yet: `npm run matrix -- 6.0 7.0 8.0` downloads and runs some.';
  const comparable = rows.filter(({ servers }) => servers > 1);
  const same = comparable.filter(({ differences }) => differences.length === 0).length;
  const textOnly = comparable.filter(({ differences }) => kindOf(differences) === 'text').length;
  const count = `Real servers: ${joined(real.map(({ name }) => name))}. `;
  if (comparable.length === 0) return `${count}A comparison takes two that tested the same claim.`;
  return (
    `${count}Of ${plural(comparable.length, 'claim')} that more than one of them tested, ${same} came out the same on all that did, ` +
    `${comparable.length - same - textOnly} with another outcome, and ${textOnly} with other error messages alone. ` +
    '_Since_ names the first of these versions, which need not be the first of all.'
  );
}

function table(
  real: readonly ResultSet[],
  modelled: readonly ResultSet[],
  rows: readonly Row[],
  results: string,
): string {
  const cells = (claim: string, sets: readonly ResultSet[]) =>
    sets.map((set) => joined(linksTo(set, claim, results)) || '–');
  const names = (sets: readonly ResultSet[]) => sets.map(({ name }) => name);
  const heads = ['claim', '', ...names(real), ...(real.length > 0 ? ['on every version'] : []), ...names(modelled)];
  const body = rows.map((row) => [
    row.claim,
    statementOf(row.claim),
    ...cells(row.claim, real),
    ...(real.length > 0 ? [sameness(row)] : []),
    ...cells(row.claim, modelled),
  ]);
  return proseTable([heads, ...body]);
}

function linksTo(set: ResultSet, claim: string, results: string): string[] {
  return verdictsOn(set, claim).map(([record, { verdict }]) => link(verdict, set, record, results));
}

function sameness({ claim, servers, everywhere, differences }: Row): string {
  if (servers < 2) return '–';
  const words = { outcome: 'another outcome', text: 'other messages' };
  const kind = kindOf(differences);
  if (kind) return `[${words[kind]}](#${claim.toLowerCase()})`;
  return everywhere ? 'same' : `same on ${servers}`;
}

/** Of the weightiest; undefined where there is none. */
function kindOf(differences: readonly Difference[]): Difference['kind'] | undefined {
  return differences[0]?.kind;
}

function differenceSection(rows: readonly Row[]): string[] {
  const differing = rows.filter(({ differences }) => differences.length > 0);
  if (differing.length === 0) return [];
  const told = differing.map(({ claim, differences }) =>
    paragraphs(`### ${claim}`, statementOf(claim), differences.map(differenceText).join('\n')),
  );
  return ['## What differs', ...told];
}

function differenceText({ experiment, step, kind, stretches }: Difference): string {
  const where = step ? `${experiment}, step ${step.number} (${step.caption})` : `${experiment}, verdict`;
  const common = kind === 'text' ? `, ${stretches[0]?.outcome} everywhere` : '';
  return [`- ${where}${common}:`, ...stretches.map((one, i) => `  - ${stretchText(one, i === 0, kind)}`)].join('\n');
}

function stretchText({ servers, outcome, text, note }: Stretch, isFirst: boolean, kind: Difference['kind']): string {
  const [from = '', to = ''] = [servers[0], servers.at(-1)];
  const when = isFirst ? [...new Set([from, to])].join(' to ') : `since ${from}`;
  const seen = [kind === 'outcome' && outcome, text && code(oneLine(text)), note && `(${oneLine(note)})`];
  return `${when}: ${seen.filter(Boolean).join(' ') || 'no message'}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}

function missingSection(sets: readonly ResultSet[]): string[] {
  const names = [...new Set(sets.flatMap(({ records }) => records.map(({ experiment }) => fileName(experiment))))];
  const lines = sets.flatMap((set) => [
    ...withoutRecord(set, names),
    ...set.records.flatMap((one) => broken(set, one)),
  ]);
  return lines.length > 0 ? ['## What is missing', lines.map((line) => `- ${line}`).join('\n')] : [];
}

function withoutRecord({ name, records }: ResultSet, names: readonly string[]): string[] {
  const there = records.map(({ experiment }) => fileName(experiment));
  const missing = names.filter((one) => !there.includes(one)).toSorted();
  return missing.length > 0 ? [`${name} has no result of ${joined(missing)}`] : [];
}

/** What was skipped says so in its verdicts. */
function broken({ name }: ResultSet, { experiment, ended }: ResultRecord): string[] {
  const ending = ended.how === 'skipped' ? undefined : endingText(ended);
  return ending ? [`${name}, ${fileName(experiment)}: ${oneLine(ending)}`] : [];
}
