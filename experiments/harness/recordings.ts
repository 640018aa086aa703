/** The recordings of real clusters that modelled verdicts link to. */
import { readdirSync, readFileSync } from 'node:fs';
import { meets } from './outcome.ts';
import type { Observed, Outcome, RecordingLink } from './record.ts';

const FOLDER = new URL('../../cluster/embedded/conformance/', import.meta.url);

/** What one cluster answered to one step. */
export interface RecordedStep {
  readonly step: unknown;
  readonly reply?: unknown;
  readonly error?: { readonly code?: number };
}

interface Recording {
  /** The release line, as in the file's name. */
  readonly line: string;
  readonly scenarios: Readonly<Record<string, readonly RecordedStep[]>>;
}

let loaded: readonly Recording[] | undefined;

/** The release lines that were recorded, oldest first. */
export function recordedVersions(): readonly string[] {
  return recordings().map(({ line }) => line);
}

/** Everything that one release line answered, by scenario. */
export function recordedScenarios(version: string): Recording['scenarios'] {
  return recordings().find(({ line }) => line === version)?.scenarios ?? {};
}

/**
 * Finds a step of a scenario and the versions whose recording shows the outcome there.
 * @param link `<scenario>#<step>`, steps counted from 0
 * @throws Error when no recording has it
 */
export function linkTo(link: string, outcome: Outcome): RecordingLink {
  const [scenario = '', number] = link.split('#');
  const step = Number(number);
  const found = recordings().filter(({ scenarios }) => scenarios[scenario]?.[step]);
  if (found.length === 0) throw new Error(`no recording has ${link}: see cluster/embedded/conformance`);
  const versions = found.filter(({ scenarios }) => meets(outcome, seenIn(scenarios[scenario]?.[step])));
  return { scenario, step, versions: versions.map(({ line }) => line) };
}

function recordings(): readonly Recording[] {
  loaded ??= readdirSync(FOLDER).flatMap(recordingIn).sort(byLine);
  return loaded;
}

function recordingIn(file: string): Recording[] {
  const line = /^mongodb-(.+)\.json$/.exec(file)?.[1];
  if (!line) return [];
  const { scenarios } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Omit<Recording, 'line'>;
  return [{ line, scenarios }];
}

function byLine(one: Recording, other: Recording): number {
  return one.line.localeCompare(other.line, 'en', { numeric: true });
}

/** A recorded step in the words of a record. */
function seenIn({ reply, error }: Partial<RecordedStep> = {}): Observed {
  const code = error?.code ?? (reply as { writeErrors?: { code: number }[] } | null)?.writeErrors?.[0]?.code;
  if (error || code !== undefined) return { ok: false, ...(code !== undefined && { code }) };
  if (Array.isArray(reply)) return { ok: true, documents: reply.length, counts: reply };
  const documents = (reply as { modifiedCount?: number } | null)?.modifiedCount ?? reply;
  return typeof documents === 'number' ? { ok: true, documents } : { ok: true };
}
