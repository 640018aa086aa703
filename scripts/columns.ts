/** The columns of a matrix: what comes of each version, whatever becomes of the others. */
import { isAbsolute } from 'node:path';
import { MongoError } from 'mongodb';
import { InputError } from '../cluster/index.ts';
import type { ResultRecord } from '../experiments/harness/record.ts';
import { fileName } from '../reports/sets.ts';
import { joined, paragraphs } from '../reports/words.ts';
import { ExitCode, isExplained } from './cli.ts';
import { failuresText } from './failures.ts';
import { Ledger } from './ledger.ts';
import type { Output } from './results.ts';
import { Interrupted } from './stop-signal.ts';
import { isAsExpected } from './summary.ts';
import { screenOf, wrapped } from './terminal.ts';
import { experimentsText } from './totals.ts';

/** What came of one version. */
export interface Column {
  /** As it was asked for: `8.0`. */
  readonly asked: string;
  readonly records: readonly ResultRecord[];
  /** Why there are no more records; one line. */
  readonly problem?: string;
  /** Whether that is noted for the page to name. */
  readonly isNoted?: boolean;
}

/**
 * @param run runs the experiments on the version and enters their records; what it throws is the column's problem
 * @param say told what it throws in full
 * @throws InputError when results cannot be written
 */
export async function columnOf(
  asked: string,
  output: Output,
  run: (ledger: Ledger) => Promise<void>,
  say: (text: string) => void,
): Promise<Column> {
  const ledger = await Ledger.open(output, true);
  const { records } = ledger;
  try {
    await run(ledger);
    await ledger.note(asked, undefined);
    return { asked, records };
  } catch (error) {
    say(inFull(error));
    const problem = headline(error);
    const isNoted = isOfTheVersion(error, asked);
    if (isNoted) await ledger.note(asked, problem);
    return { asked, records, problem, isNoted };
  } finally {
    await ledger.close();
  }
}

/** How a column ended in one line, and below it what went otherwise than predicted. */
export function columnText(column: Column, screen = screenOf(process.stdout)): string {
  const line = wrapped(columnLine(column), screen.columns);
  const failures = failuresText(column.records, screen);
  return failures ? `${paragraphs(line, failures)}\n` : line;
}

/** `8.0  MongoDB 8.0.4, 49 experiments: 46 as predicted, 1 differs, 2 skipped; not as predicted: 03-hashed-unique` */
function columnLine({ asked, records, problem }: Column): string {
  const [first] = records;
  if (!first) return `${asked}  no results: ${problem}`;
  const otherwise = records.filter((record) => !isAsExpected(record)).map(({ experiment }) => fileName(experiment));
  const parts = [
    `${asked}  MongoDB ${first.environment.version}, ${experimentsText(records)}`,
    otherwise.length > 0 && `not as predicted: ${joined(otherwise)}`,
    problem && `it ended early: ${problem}`,
  ];
  return parts.filter(Boolean).join('; ');
}

/** That a version has no results, or not all, weighs more than what the others showed. */
export function exitCodeFor(columns: readonly Column[]): number {
  if (columns.some(({ problem }) => problem !== undefined)) return ExitCode.noCluster;
  const allExpected = columns.every(({ records }) => records.every(isAsExpected));
  return allExpected ? ExitCode.ok : ExitCode.expectationFailed;
}

/** An interruption, a wrong name or a fault of ours says nothing of a version, and a folder means nothing on another machine. */
function isOfTheVersion(error: unknown, asked: string): boolean {
  const isOfServers = isExplained(error) || error instanceof MongoError;
  return isOfServers && !(error instanceof Interrupted || error instanceof InputError || isAbsolute(asked));
}

/** Of a fault of this project the place counts. */
function inFull(error: unknown): string {
  return isExplained(error) || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message);
}

function headline(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
