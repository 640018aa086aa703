/** Verdicts as a table. */
import { type Claim, claims } from '../experiments/harness/claims.ts';
import type { RecordingLink, VerdictRecord } from '../experiments/harness/record.ts';
import { code, joined, proseTable } from './words.ts';

export function verdictTable(verdicts: readonly VerdictRecord[]): string {
  const rows = verdicts.map(({ claim, verdict, reason, ...more }) => [
    claim,
    statementOf(claim),
    `**${verdict}**`,
    verdict === 'modelled' ? `${reason}; ${evidence(more.recordings)}` : reason,
  ]);
  return proseTable([['claim', 'says', 'here', 'because'], ...rows]);
}

export function statementOf(claim: string): string {
  return (claims as Readonly<Record<string, Claim>>)[claim]?.statement ?? '';
}

function evidence(recordings: VerdictRecord['recordings']): string {
  const shown = recordings.filter(({ versions }) => versions.length > 0);
  const other = recordings.filter(({ otherwise }) => otherwise);
  return [
    shown.length > 0 ? `recorded on real clusters: ${joined(shown.map(recordingText))}` : 'never recorded here',
    other.length > 0 && `recorded otherwise: ${joined(other.map(otherRecordingText))}`,
  ]
    .filter(Boolean)
    .join('; ');
}

/** Where real clusters show it. Scenario and versions are links whose targets stand at the end of the page ({@link recordingTargets}). */
export function recordingText({ scenario, step, versions }: RecordingLink): string {
  return `[${code(scenario)}] step ${step} (MongoDB ${versions.map((version) => `[${version}]`).join(', ')})`;
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
