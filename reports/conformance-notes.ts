/** Why steps do not agree with a recording, or only in other words. */
import type { Answer } from '../cluster/embedded/conformance/answer.ts';
import type { ComparedStep } from '../cluster/embedded/conformance/compare.ts';
import type { Step } from '../cluster/embedded/conformance/scenarios.ts';
import type { Json } from '../experiments/harness/record.ts';
import { shellLine } from './shell-text.ts';
import { code, joined } from './words.ts';

/** One step as every recording that has it compares with what the embedded cluster answered. */
export interface Row {
  readonly number: number;
  readonly step: Step;
  readonly answered: Answer;
  /** By release line. */
  readonly compared: ReadonlyMap<string, ComparedStep>;
}

/** A list item for each reason, with the answers below it; an empty text when there is nothing to say. */
export function notesOn({ number, step, answered, compared }: Row): string[] {
  const noted = [...compared].filter(([, one]) => reasonOf(one) !== undefined);
  return [...grouped(noted, ([, one]) => reasonOf(one))].map(([reason, group]) => {
    const recorded = grouped(group, ([, one]) => answerIn(step, one.recorded));
    const answers = [...recorded].map(([answer, same]) => `  - ${joined(linesOf(same))}: ${answer}`);
    const heading = `- **Step ${number}**, MongoDB ${joined(linesOf(group))}: ${reason}`;
    return [heading, ...answers, `  - here: ${answerIn(step, answered)}`].join('\n');
  });
}

function reasonOf({ exception, rewording, verdict }: ComparedStep): string | undefined {
  if (exception) return `${exception.because}. Known from ${evidenceText(exception.evidence)}.`;
  if (rewording) return `only the words are others. Known from ${evidenceText(rewording.evidence)}.`;
  return verdict === 'differs' ? '**nobody has said why**.' : undefined;
}

/** The paths in it as code. */
function evidenceText(evidence: readonly string[]): string {
  return joined(evidence.map((one) => one.replace(/^\S+\/\S+/, (path) => code(path))));
}

/** Of a step of which only success and code are compared, no more than these. */
export function outcomeText({ loose }: Step, answer: Answer): string {
  if ('reply' in answer) return loose ? 'success' : shellLine(answer.reply as Json);
  const { code, codeName, writeErrors = [], insertedCount } = answer.error;
  const failed = writeErrors.map(({ index, code }) => `${code} at ${index}`).join(', ');
  const writes = failed ? ` (${failed}; ${insertedCount} inserted)` : '';
  return `error ${[code ?? 'without a code', codeName].filter(Boolean).join(' ')}${writes}`;
}

function answerIn(step: Step, answer: Answer): string {
  const message = 'error' in answer ? `: ${answer.error.message}` : '';
  return code(`${outcomeText(step, answer)}${message}`.replaceAll('\n', ' '));
}

function linesOf(group: readonly (readonly [string, ComparedStep])[]): string[] {
  return group.map(([line]) => line);
}

function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
