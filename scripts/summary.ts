/** What the experiment script prints: what there is to run, and what a run came to. */
import { dirname, join } from 'node:path';
import type { Experiment } from '../experiments/harness/define.ts';
import type { ResultRecord, VerdictRecord } from '../experiments/harness/record.ts';
import { outcomeOf } from '../reports/index.ts';
import { fileName } from '../reports/sets.ts';
import { tableText } from './table.ts';
import { type Screen, wrapped } from './terminal.ts';

/** The experiments there are, one a line. */
export function listOf(experiments: readonly Experiment[]): string {
  const width = Math.max(...experiments.map((one) => fileName(one).length));
  const lines = experiments.map(
    (one) => `${fileName(one).padEnd(width)}  ${one.title} (${one.claims?.join(', ') || 'no claims'})`,
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

/**
 * The results of a run as a table, an experiment a line. Where the screen has no room for the paths of the pages, they stand below it in
 * short; where it has none for columns, an experiment takes some lines.
 */
export function summary(
  records: readonly ResultRecord[],
  pageOf: (record: ResultRecord) => string,
  screen: Screen,
): string {
  const pages = records.map(pageOf);
  const rows = [HEAD.map(screen.colors.bold), ...records.map((record) => rowOf(record, screen))];
  const withPages = rows.map((row, i) => [...row, pages[i - 1] ?? screen.colors.bold('page')]);
  return tableText(withPages, screen.columns) ?? `${narrow(rows, screen)}\n${foldersOf(pages)}`;
}

const HEAD = ['experiment', 'outcome', 'claims'];

function rowOf(record: ResultRecord, { colors }: Screen): string[] {
  const { experiment, verdicts } = record;
  const colour = isAsExpected(record) ? String : colors.red;
  return [colour(fileName(experiment)), colour(outcomeOf(record)), verdictsText(verdicts)];
}

/** Characters that claims need in a column of their own. */
const CLAIMS_WIDTH = 14;

function narrow(rows: readonly (readonly string[])[], { columns }: Screen): string {
  const [, ...experiments] = rows;
  return tableText(rows, columns, CLAIMS_WIDTH) ?? experiments.map((cells) => stacked(cells, columns)).join('\n');
}

function stacked([name = '', ...cells]: readonly string[], columns: number): string {
  return [name, ...cells.filter(Boolean).map((cell) => wrapped(cell, columns, '  '))].join('\n');
}

function foldersOf(pages: readonly string[]): string {
  const folders = [...new Set(pages.map((page) => dirname(page)))];
  return `pages: ${folders.map((folder) => join(folder, '*.md')).join(' ')}`;
}

/** `G1 G2 modelled, G3 holds` */
function verdictsText(verdicts: readonly VerdictRecord[]): string {
  const kinds = [...new Set(verdicts.map(({ verdict }) => verdict))];
  const claimsThat = (kind: string) => verdicts.filter(({ verdict }) => verdict === kind).map(({ claim }) => claim);
  return kinds.map((kind) => `${claimsThat(kind).join(' ')} ${kind}`).join(', ');
}
