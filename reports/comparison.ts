/** Servers held against each other, claim by claim, and the words for it: what every form of the matrix shows. */
import semver from 'semver';
import type { ResultRecord } from '../experiments/harness/record.ts';
import { type Difference, differencesOf, isDecided, type Stretch } from './differences.ts';
import { inlineText } from './inline-text.ts';
import { type NotRun, notRunText } from './not-run.ts';
import { argumentsText } from './server-arguments.ts';
import { fileName, fileNames, isModelled, type ResultSet, testedClaims, verdictsOn } from './sets.ts';
import { code, endingText, joined, plural } from './words.ts';

/** See the file's comment. */
export interface Comparison {
  /** Sets of real servers, oldest version first. */
  readonly real: readonly ResultSet[];
  /** Sets in which our model of the sharding layer took part, oldest version first. */
  readonly modelled: readonly ResultSet[];
  /** One for each claim that has an experiment. */
  readonly rows: readonly Row[];
}

/** A claim on real servers. */
export interface Row {
  readonly claim: string;
  /** How many servers tested it, or have a reason to skip it. */
  readonly servers: number;
  /** Whether these are all that there are. */
  readonly everywhere: boolean;
  readonly differences: readonly Difference[];
}

/** @param sets in any order */
export function compare(sets: readonly ResultSet[]): Comparison {
  const real = sets.filter((set) => !isModelled(set)).toSorted(oldestFirst);
  const modelled = sets.filter(isModelled).toSorted(oldestFirst);
  return { real, modelled, rows: testedClaims(sets).map((claim) => rowOf(claim, real)) };
}

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

/** Of the weightiest difference; undefined where there is none. */
export function kindOf(differences: readonly Difference[]): Difference['kind'] | undefined {
  return differences[0]?.kind;
}

/** Said wherever modelled columns are shown. */
export const MODEL_NOTE =
  'The columns that end in `-embedded` stand apart: there our model of the sharding layer answers, or takes part in answering. That proves nothing about MongoDB, and counts neither as passed nor as the same on every version.';

/** Which servers there are, and how many claims came out the same on them. */
export function comparisonText(real: readonly ResultSet[], rows: readonly Row[]): string {
  if (real.length === 0) return 'No real server has run yet: `npm run matrix -- 6.0 7.0 8.0` downloads and runs some.';
  const comparable = rows.filter(({ servers }) => servers > 1);
  const same = comparable.filter(({ differences }) => differences.length === 0).length;
  const textOnly = comparable.filter(({ differences }) => kindOf(differences) === 'text').length;
  const count = `Real servers: ${joined(real.map(({ name }) => inlineText(name)))}. `;
  if (comparable.length === 0) return `${count}A comparison takes two that tested the same claim.`;
  return (
    `${count}Of ${plural(comparable.length, 'claim')} that more than one of them tested, ${same} came out the same on all that did, ` +
    `${comparable.length - same - textOnly} with another outcome, and ${textOnly} with other error messages alone. ` +
    '“Since” names the first of these versions, which need not be the first of all.'
  );
}

/**
 * What was seen on servers next to each other: `since 8.0.4: error 72`.
 * @param isFirst nothing was before it that it differs from
 */
export function stretchText(
  { servers, outcome, text, note }: Stretch,
  isFirst: boolean,
  kind: Difference['kind'],
): string {
  const [from = '', to = ''] = [servers[0], servers.at(-1)];
  const when = isFirst ? [...new Set([from, to])].join(' to ') : `since ${from}`;
  const seen = [kind === 'outcome' && outcome, text && code(text), note && `(${inlineText(note)})`];
  return `${inlineText(when)}: ${seen.filter(Boolean).join(' ') || 'no message'}`;
}

/** What there is no result of, a line each: of versions that did not run, then of those that did. */
export function missingTexts(sets: readonly ResultSet[], notRun: readonly NotRun[] = []): string[] {
  const names = fileNames(sets);
  const ofSets = sets.flatMap((set) => [
    ...withoutRecord(set, names),
    ...set.records.flatMap((one) => broken(set, one)),
  ]);
  return [...notRun.map(notRunText), ...ofSets];
}

/** Of servers that were not set up as shardlab does it by itself: how, a paragraph each. */
export function setUpNotes(sets: readonly ResultSet[]): string[] {
  return sets.flatMap(({ name, records }) => {
    const { distribution, arguments: told } = records[0]?.environment ?? {};
    const text = argumentsText(told);
    return [
      ...(distribution === 'existing'
        ? [`${inlineText(name)} is a cluster that somebody else runs and may be set up otherwise.`]
        : []),
      ...(text ? [`The servers of ${inlineText(name)} were told more than shardlab tells them: ${code(text)}.`] : []),
    ];
  });
}

function withoutRecord({ name, records }: ResultSet, names: readonly string[]): string[] {
  const there = records.map(({ experiment }) => fileName(experiment));
  const missing = names.filter((one) => !there.includes(one)).toSorted();
  return missing.length > 0 ? [`${inlineText(name)} has no result of ${joined(missing)}`] : [];
}

/** What was skipped says so in its verdicts. */
function broken({ name }: ResultSet, { experiment, ended }: ResultRecord): string[] {
  const ending = ended.how === 'skipped' ? undefined : endingText(ended);
  return ending ? [`${inlineText(name)}, ${fileName(experiment)}: ${ending}`] : [];
}
