/** The recordings of real clusters beside this file. */
import { readFileSync } from 'node:fs';
import type { Answer, Refusal } from './answer.ts';
import { EVERY_VERSION, type RecordedVersion } from './exceptions/entry.ts';
import type { Answers } from './replay.ts';
import type { Step } from './scenarios.ts';

/** What one cluster answered. */
export interface Recording {
  /** The release line, as in the file's name. */
  readonly line: RecordedVersion;
  /** What was built and recorded. */
  readonly server: { readonly version: string; readonly note: string };
  readonly scenarios: Readonly<Record<string, readonly RecordedStep[]>>;
}

export interface RecordedStep {
  /** As Extended JSON. */
  readonly step: Step;
  readonly answer: Answer;
}

/** As the files have it. */
interface RecordingFile extends Pick<Recording, 'server'> {
  readonly scenarios: Readonly<Record<string, readonly { step: Step; reply?: unknown; error?: Refusal }[]>>;
}

/** What the embedded cluster answered when the suite took it down last. */
export interface EmbeddedAnswers {
  /** The engine's. */
  readonly version: string;
  readonly scenarios: Answers;
}

/** Oldest first. */
export function recordings(): readonly Recording[] {
  return EVERY_VERSION.map(read);
}

export function embeddedAnswers(): EmbeddedAnswers {
  return JSON.parse(readFileSync(new URL('embedded.json', import.meta.url), 'utf8'));
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
