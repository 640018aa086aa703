/** Holds what the embedded cluster answered against what a real one did. */
import { isDeepStrictEqual } from 'node:util';
import { EJSON } from 'bson';
import { type Answer, isSameAnswer, isSameOutcome, messageIn } from './answer.ts';
import type { Exception, RecordedVersion, Rewording, StepName } from './exceptions/entry.ts';
import type { Recording } from './recordings.ts';
import type { Answers } from './replay.ts';
import type { Step } from './scenarios.ts';

/** What is known to differ. */
export interface Known {
  /** Where 9.0 does something else than the recorded version. */
  readonly version: readonly Exception[];
  /** What the embedded cluster refuses to do, and what follows from that. */
  readonly notModelled: readonly Exception[];
  readonly rewordings: readonly Rewording[];
}

/** How one step compares with one recording. */
export interface ComparedStep {
  readonly scenario: string;
  readonly step: number;
  /** As Extended JSON. */
  readonly sent: Step;
  readonly recorded: Answer;
  readonly answered: Answer;
  readonly verdict: 'agrees' | 'version' | 'not modelled' | 'differs';
  /** Why it may differ, when it is excepted. */
  readonly exception?: Exception;
  /** Why the words may differ, when only they do. */
  readonly rewording?: Rewording;
}

/** How the embedded cluster compares with one recording. */
export interface Comparison {
  readonly recording: Recording;
  readonly steps: readonly ComparedStep[];
  /** Entries of the lists that no step of this recording needs. */
  readonly unneeded: readonly string[];
}

type Listed = Exception | Rewording;

/**
 * @param scenarios as they were replayed
 * @throws Error when a scenario is not the one that was recorded
 */
export function compare(
  recording: Recording,
  answers: Answers,
  known: Known,
  scenarios: Readonly<Record<string, readonly Step[]>>,
): Comparison {
  const steps = Object.entries(recording.scenarios).flatMap(([scenario, recorded]) => {
    const sent = recorded.map(({ step }) => step);
    if (!isDeepStrictEqual(sent, EJSON.serialize(scenarios[scenario] ?? []))) {
      throw new Error(`the scenario ${scenario} is not the one that was recorded on MongoDB ${recording.line}`);
    }
    return recorded.map(({ step: sent, answer }, step) => {
      const found = { scenario, step, sent, recorded: answer, answered: answers[scenario]?.[step] as Answer };
      return { ...found, ...judge(found, recording.line, known) };
    });
  });
  return { recording, steps, unneeded: unneeded(recording.line, steps, known) };
}

/** How many steps came out how. */
export function tally({ steps }: Comparison): Record<ComparedStep['verdict'] | 'reworded', number> {
  const count = (holds: (step: ComparedStep) => unknown) => steps.filter(holds).length;
  return {
    agrees: count(({ verdict }) => verdict === 'agrees'),
    reworded: count(({ rewording }) => rewording),
    version: count(({ verdict }) => verdict === 'version'),
    'not modelled': count(({ verdict }) => verdict === 'not modelled'),
    differs: count(({ verdict }) => verdict === 'differs'),
  };
}

type Found = Omit<ComparedStep, 'verdict' | 'exception' | 'rewording'>;

function judge(
  found: Found,
  line: RecordedVersion,
  known: Known,
): Pick<ComparedStep, 'verdict' | 'exception' | 'rewording'> {
  const { sent, recorded, answered } = found;
  if (isSameOutcome(sent, recorded, answered)) return judgeWords(found, line, known.rewordings);
  for (const verdict of ['version', 'not modelled'] as const) {
    const exception = (verdict === 'version' ? known.version : known.notModelled).find(covers(found, line));
    if (exception && isSameAnswer(sent, expected(exception, recorded), answered)) return { verdict, exception };
  }
  return { verdict: 'differs' };
}

function judgeWords(found: Found, line: RecordedVersion, rewordings: readonly Rewording[]): ReturnType<typeof judge> {
  const [was, is] = [messageIn(found.recorded), messageIn(found.answered)];
  if (was === undefined || was === is) return { verdict: 'agrees' };
  const rewording = rewordings.find(covers(found, line));
  return rewording && reworded(rewording, was) === is ? { verdict: 'agrees', rewording } : { verdict: 'differs' };
}

function covers({ scenario, step }: Found, line: RecordedVersion): (entry: Listed) => boolean {
  return ({ steps, versions }) => versions.includes(line) && steps.includes(`${scenario}#${step}`);
}

function expected({ answer }: Exception, recorded: Answer): Answer {
  return typeof answer === 'function' ? answer(recorded) : answer;
}

function reworded({ text }: Rewording, was: string): string {
  return typeof text === 'function' ? text(was) : text;
}

/** Every entry, step by step, that no comparison has used. */
function unneeded(line: RecordedVersion, compared: readonly ComparedStep[], known: Known): string[] {
  const used = (entry: Listed, name: StepName) =>
    compared.some(
      ({ scenario, step, exception, rewording }) =>
        `${scenario}#${step}` === name && (exception === entry || rewording === entry),
    );
  const entries: readonly Listed[] = [...known.version, ...known.notModelled, ...known.rewordings];
  return entries
    .filter(({ versions }) => versions.includes(line))
    .flatMap((entry) => entry.steps.filter((name) => !used(entry, name)).map((name) => `${name} for MongoDB ${line}`));
}
