/** The line of an experiment on stderr, when it is done or under way. */
import isUnicodeSupported from 'is-unicode-supported';
import type { ResultRecord } from '../experiments/harness/record.ts';
import { outcomeOf } from '../reports/index.ts';
import { fileName } from '../reports/sets.ts';
import { joined } from '../reports/words.ts';
import { isAsExpected } from './summary.ts';
import { fits, printable, type Screen, wrapped } from './terminal.ts';

/** An experiment that is done. */
export interface Done {
  readonly record: ResultRecord;
  readonly ms: number;
  /** Where something was thrown. */
  readonly place?: string | undefined;
}

/** `01-unique-non-prefix: 13 predictions ok (0.8 s)`, for a file or a pipe. */
export function plainLine({ record, ms, place }: Done): string {
  const detail = detailOf(record, place);
  return `${fileName(record.experiment)}: ${outcomeOf(record)} (${elapsed(ms)})${detail ? `: ${detail}` : ''}`;
}

/**
 * The same in columns. What does not fit stands below, unless the mark says it all.
 * @param longest of the names of all experiments of the run
 */
export function doneText(done: Done, longest: number, { columns, colors }: Screen): string {
  const { record, ms, place } = done;
  const [mark, colour] = markOf(record, colors);
  const head = `${colour(mark)} ${nameColumn(fileName(record.experiment), longest, columns)} ${colors.dim(timeColumn(ms))}`;
  const [outcome, detail] = [colour(outcomeOf(record)), detailOf(record, place)];
  const both = [outcome, detail].filter(Boolean).join(': ');
  if (fits(`${head}  ${both}`, columns)) return `${head}  ${both}`;
  if (detail && fits(`${head}  ${outcome}`, columns)) return `${head}  ${outcome}\n${wrapped(detail, columns, '  ')}`;
  return detail ? `${head}\n${wrapped(both, columns, '  ')}` : head;
}

const WAITING_SHOWN = 2;

/** What follows the name of the experiment that is under way: the time, and below it the experiments that wait. */
export function underWayText(ms: number, waiting: readonly string[], longest: number, screen: Screen): string {
  const { columns, colors } = screen;
  const next = waiting.slice(0, WAITING_SHOWN).map((name) => `  ${nameColumn(name, longest, columns)} waiting`);
  const more = waiting.length > WAITING_SHOWN ? [`  and ${waiting.length - WAITING_SHOWN} more`] : [];
  return colors.dim([timeColumn(ms), ...next, ...more].join('\n'));
}

/** A name as wide as the longest, or cut where there is no room for that. */
export function nameColumn(name: string, longest: number, columns: number): string {
  const width = Math.min(longest, columns - OTHER_COLUMNS);
  return name.length <= width ? name.padEnd(width) : `${name.slice(0, Math.max(0, width - 1))}…`;
}

const TIME_COLUMN = 7;
/** A mark, the time, and the spaces between them and the name. */
const OTHER_COLUMNS = 3 + TIME_COLUMN;

function timeColumn(ms: number): string {
  return elapsed(ms).padStart(TIME_COLUMN);
}

/** `0.8 s`, `1 min 5 s` */
function elapsed(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

function markOf(record: ResultRecord, { green, red, yellow }: Screen['colors']): [string, typeof red] {
  const [good, bad, none] = isUnicodeSupported() ? ['✔', '✖', '–'] : ['+', 'x', '-'];
  if (!isAsExpected(record)) return [bad, red];
  return record.ended.how === 'skipped' ? [none, yellow] : [good, green];
}

/** What there is to say beyond the outcome, on one line. */
function detailOf(record: ResultRecord, place: string | undefined): string | undefined {
  return detailsOf(record, place)?.replaceAll(/\s*\n\s*/g, ' ');
}

function detailsOf({ ended, steps }: ResultRecord, place: string | undefined): string | undefined {
  switch (ended.how) {
    case 'completed':
      return differing(steps);
    case 'skipped':
      return printable(ended.reason);
    case 'deadline':
      return `given up after ${ended.seconds} s`;
    case 'threw':
      return [printable(ended.error), place].filter(Boolean).join(' ');
    case 'cluster failed':
      return printable(ended.error);
  }
}

/** `step 3`, `steps 3 and 5` */
function differing(steps: ResultRecord['steps']): string | undefined {
  const numbers = steps.filter(({ check }) => check?.result === 'differs').map(({ number }) => String(number));
  if (numbers.length === 0) return undefined;
  return `step${numbers.length === 1 ? '' : 's'} ${joined(numbers)}`;
}

/** Where something was thrown, by the first place of its stack that is neither Node.js nor a package nor the harness. */
export function placeOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  const frames = stack.filter((line) => /^\s+at /.test(line) && !/node:|node_modules|\(<anonymous>\)/.test(line));
  const frame = frames.find((line) => !line.includes('/experiments/harness/')) ?? frames[0];
  return frame?.trim() ?? 'at an unknown place';
}
