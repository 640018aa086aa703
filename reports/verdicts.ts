/** Verdicts as a table. */
import { type Claim, claims } from '../experiments/harness/claims.ts';
import type { RecordingLink, VerdictRecord } from '../experiments/harness/record.ts';
import { inlineText } from './inline-text.ts';
import { link, type ResultSet, verdictsOn } from './sets.ts';
import { code, joined, proseTable } from './words.ts';

/** What became of each claim, a line for each. */
export function verdictLines(verdicts: readonly VerdictRecord[]): string {
  return verdicts
    .map(({ claim, verdict }) => `- ${claim} **${verdict}**: ${inlineText(statementOf(claim))}`)
    .join('\n');
}

/** Where a page leads to from a claim. */
export interface ClaimLinks {
  /** Path to the list of all claims; undefined where there is none. */
  readonly list?: string | undefined;
  /** Links to the other experiments of the same server that test a claim. */
  readonly elsewhere: (claim: string) => readonly string[];
}

export function verdictTable(verdicts: readonly VerdictRecord[], { list, elsewhere }: ClaimLinks): string {
  const rows = verdicts.map(({ claim, verdict, reason, ...more }) => [
    list === undefined ? claim : `[${claim}](${list}#claims)`,
    `**${verdict}**`,
    verdict === 'modelled' ? `${inlineText(reason)}; ${evidence(more.recordings)}` : inlineText(reason),
    joined(elsewhere(claim)) || '–',
  ]);
  return proseTable([['claim', 'here', 'because', 'other experiments'], ...rows]);
}

/**
 * What the experiments of a set say of a claim, each a link to its page; where several do, it says which.
 * @param results path from the linking page to the folder that holds the sets
 */
export function verdictLinks(set: ResultSet, claim: string, results: string): string {
  const said = verdictsOn(set, claim);
  const links = said.map(([record, { verdict }]) => {
    const which = said.length > 1 ? ` (${record.experiment.number})` : '';
    return link(`${verdict}${which}`, set, record, results);
  });
  return joined(links) || '–';
}

export function statementOf(claim: string): string {
  return (claims as Readonly<Record<string, Claim>>)[claim]?.statement ?? '';
}

function evidence(recordings: VerdictRecord['recordings']): string {
  const { shown, other } = recorded(recordings);
  return [
    shown.length > 0 ? `recorded on real clusters: ${recordingsText(shown)}` : 'never recorded here',
    other.length > 0 && `recorded otherwise: ${recordingsText(other)}`,
  ]
    .filter(Boolean)
    .join('; ');
}

/** Recordings in which real clusters show it, and those in which they show something else: {@link RecordingLink.versions} are theirs. */
export function recorded(
  links: readonly RecordingLink[],
): Readonly<Record<'shown' | 'other', readonly RecordingLink[]>> {
  const shown = links.filter(({ versions }) => versions.length > 0);
  const other = links.flatMap(({ otherwise, ...link }) => (otherwise ? [{ ...link, versions: otherwise }] : []));
  return { shown, other };
}

/** Steps of one scenario that the same versions show. */
export interface RecordedSteps {
  readonly scenario: string;
  readonly steps: readonly string[];
  readonly versions: readonly string[];
}

/** Each step once, those that are named together together. */
export function recordedSteps(links: readonly RecordingLink[]): RecordedSteps[] {
  const groupOf = ({ scenario, versions }: RecordingLink) => JSON.stringify([scenario, versions]);
  return [...new Set(links.map(groupOf))].map((group) => {
    const of = links.filter((link) => groupOf(link) === group);
    const [{ scenario, versions }] = of as [RecordingLink];
    return { scenario, versions, steps: [...new Set(of.map(({ step }) => String(step)))] };
  });
}

function recordingsText(links: readonly RecordingLink[]): string {
  return joined(recordedSteps(links).map(groupText));
}

function groupText({ scenario, steps, versions }: RecordedSteps): string {
  return `[${code(scenario)}] step${steps.length === 1 ? '' : 's'} ${joined(steps)} (${versionsText(versions)})`;
}

function versionsText(versions: readonly string[]): string {
  return `MongoDB ${versions.map((version) => `[${version}]`).join(', ')}`;
}

/** Where real clusters show it. Scenario and versions are links whose targets stand at the end of the page ({@link recordingTargets}). */
export function recordingText(link: RecordingLink): string {
  return recordingsText([link]);
}

/** Where real clusters show something else, in the same words. */
export function otherRecordingText({ otherwise = [], ...link }: RecordingLink): string {
  return recordingText({ ...link, versions: otherwise });
}

/**
 * Where {@link recordingText} leads to: scenarios to the page that says how far the embedded cluster conforms, versions to the recordings.
 * @param root path from the page to this repository; undefined for a page outside of it, whose links have no target
 */
export function recordingTargets(
  versions: readonly string[],
  scenarios: readonly string[],
  root: string | undefined,
): string | undefined {
  if (root === undefined) return undefined;
  return [
    ...scenarios.map((scenario) => `[${code(scenario)}]: ${root}/reports/conformance.md#${scenario}`),
    ...versions.map((version) => `[${version}]: ${root}/cluster/embedded/conformance/mongodb-${version}.json`),
  ].join('\n');
}
