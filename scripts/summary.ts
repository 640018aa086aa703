/** What the experiment script says of experiments and their results, for people. */
import type { Experiment } from '../experiments/harness/define.ts';
import type { ResultRecord, VerdictRecord } from '../experiments/harness/record.ts';
import { outcomeOf } from '../reports/index.ts';
import { fileName } from '../reports/sets.ts';
import { checkText, endingText } from '../reports/words.ts';

/** The experiments there are, one a line. */
export function listOf(experiments: readonly Experiment[]): string {
  const lines = experiments.map(
    (one) => `${fileName(one).padEnd(32)} ${one.title} (${one.claims?.join(', ') || 'no claims'})`,
  );
  return [
    ...lines,
    '',
    'Run them with `npm run experiment all`, or one with its number, its name or a part of it.',
  ].join('\n');
}

/** Whether nothing happened that was not predicted. What is skipped is neither. */
export function isAsExpected({ ended, steps }: ResultRecord): boolean {
  const isOver = ended.how === 'completed' || ended.how === 'skipped';
  return isOver && steps.every(({ check }) => check?.result !== 'differs');
}

/** One line on how an experiment went, and one for each thing that went otherwise. */
export function outcomeLines(record: ResultRecord): string[] {
  const { experiment, ended, steps } = record;
  const differing = steps.flatMap(({ number, caption, check, observed }) =>
    check?.result === 'differs' ? [`  step ${number}: ${plain(checkText(check, observed))}. ${plain(caption)}`] : [],
  );
  const ending = endingText(ended);
  return [`${fileName(experiment)}: ${outcomeOf(record)}`, ...(ending ? [`  ${plain(ending)}`] : []), ...differing];
}

/** The results of a run, one experiment a line. */
export function summary(records: readonly ResultRecord[], pageOf: (record: ResultRecord) => string): string {
  const rows = records.map((record) => [
    fileName(record.experiment),
    outcomeOf(record),
    verdictsText(record.verdicts),
    pageOf(record),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `G1 G2 modelled, G3 holds` */
function verdictsText(verdicts: readonly VerdictRecord[]): string {
  const kinds = [...new Set(verdicts.map(({ verdict }) => verdict))];
  const claimsThat = (kind: string) => verdicts.filter(({ verdict }) => verdict === kind).map(({ claim }) => claim);
  return kinds.map((kind) => `${claimsThat(kind).join(' ')} ${kind}`).join(', ');
}

/** Where something was thrown, by the first place of its stack that is neither Node.js nor a package nor the harness. */
export function placeOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  const frames = stack.filter((line) => /^\s+at /.test(line) && !/node:|node_modules/.test(line));
  const frame = frames.find((line) => !line.includes('/experiments/harness/')) ?? frames[0];
  return frame?.trim() ?? 'at an unknown place';
}

/** Without markdown. */
function plain(text: string): string {
  return text.replaceAll(/\*\*|`/g, '');
}
