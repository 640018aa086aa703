/** The recordings of real clusters beside this file. */
import { readFileSync } from 'node:fs';
import type { Answer, Refusal } from './answer.ts';
import { EVERY_VERSION, type RecordedVersion } from './exceptions/entry.ts';

/** What one cluster answered. */
export interface Recording {
  /** The release line, as in the file's name. */
  readonly line: RecordedVersion;
  /** What was built and recorded. */
  readonly server: { readonly version: string; readonly note: string };
  readonly scenarios: Readonly<Record<string, readonly RecordedStep[]>>;
}

export interface RecordedStep {
  /** The step as Extended JSON. */
  readonly step: unknown;
  readonly answer: Answer;
}

/** As the files have it. */
interface RecordingFile extends Pick<Recording, 'server'> {
  readonly scenarios: Readonly<Record<string, readonly { step: unknown; reply?: unknown; error?: Refusal }[]>>;
}

/** Oldest first. */
export function recordings(): readonly Recording[] {
  return EVERY_VERSION.map(read);
}

function read(line: RecordedVersion): Recording {
  const url = new URL(`mongodb-${line}.json`, import.meta.url);
  const { server, scenarios }: RecordingFile = JSON.parse(readFileSync(url, 'utf8'));
  const read = Object.entries(scenarios).map(([name, steps]) => [
    name,
    steps.map(({ step, reply, error }) => ({ step, answer: error ? { error } : { reply } })),
  ]);
  return { line, server, scenarios: Object.fromEntries(read) };
}
