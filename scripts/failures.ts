/** What went otherwise than predicted: for each step the commands as they were sent, and the difference between expected and seen. */
import { diffArrays } from 'diff';
import type { Exchange, Json, Observed, Outcome, ResultRecord, StepRecord } from '../experiments/harness/record.ts';
import { isObject } from '../reports/json.ts';
import { connectedTo, mongoshText } from '../reports/mongosh.ts';
import { fileName } from '../reports/sets.ts';
import { shellText } from '../reports/shell-text.ts';
import { cut, endingText, observedText, outcomeText, paragraphs, plural } from '../reports/words.ts';
import { isAsExpected } from './summary.ts';
import { plain, printable, type Screen, wrapped } from './terminal.ts';

/** Empty when everything went as predicted. */
export function failuresText(records: readonly ResultRecord[], screen: Screen): string {
  const failed = records.filter((record) => !isAsExpected(record));
  if (failed.length === 0) return '';
  const { red, green } = screen.colors;
  const legend = `What went otherwise (${red('- expected')}, ${green('+ seen')}):`;
  return paragraphs(wrapped(legend, screen.columns), ...failed.map((record) => experimentText(record, screen)));
}

/** A patch in colours; what it takes away may come from another machine. */
export function patchText(patch: string, { colors }: Screen): string {
  const colours: Readonly<Record<string, (line: string) => string>> = {
    '+': colors.green,
    '-': colors.red,
    '@': colors.cyan,
  };
  return printable(patch)
    .split('\n')
    .map((line) => (colours[line.charAt(0)] ?? String)(line))
    .join('\n');
}

function experimentText(record: ResultRecord, screen: Screen): string {
  const { experiment, environment, ended, steps } = record;
  const ending = endingText(ended);
  const parts = paragraphs(
    ...steps.map((step) => stepText(step, environment.shards, screen)),
    ending && wrapped(printable(plain(ending)), screen.columns, '  '),
  );
  return `${screen.colors.bold(fileName(experiment))}\n${parts}`;
}

function stepText(step: StepRecord, shards: readonly string[], screen: Screen): string | undefined {
  const { number, caption, exchanges, observed, check } = step;
  if (check?.result !== 'differs' || !check.expected) return undefined;
  return [
    wrapped(`step ${number}: ${printable(plain(caption))}`, screen.columns, '  '),
    ...commandsText(exchanges),
    differenceText(expectedLines(check.expected, shards), seenLines(step, shards), screen),
    ...replyText(exchanges, observed, screen),
  ].join('\n');
}

const INDENT = '    ';
const COMMANDS_SHOWN = 4;

function commandsText(exchanges: readonly Exchange[]): string[] {
  const shown = exchanges.slice(0, COMMANDS_SHOWN).flatMap(commandText);
  const more = exchanges.length - COMMANDS_SHOWN;
  return more > 0 ? [...shown, `${INDENT}// and ${plural(more, 'more command')}`] : shown;
}

/** As it can be pasted into mongosh. */
function commandText(exchange: Exchange): string[] {
  const where = exchange.to === 'router' ? [] : [`${INDENT}// ${connectedTo(exchange)}`];
  return [...where, bounded(mongoshText(exchange))];
}

function expectedLines(outcome: Outcome, shards: readonly string[]): string[] {
  if ('winners' in outcome) return raceLines(outcome.winners, outcome.code === undefined ? [] : [outcome.code]);
  if ('counts' in outcome) return countLines(outcome.counts, shards);
  return [plain(outcomeText(outcome))];
}

function seenLines({ observed, exchanges }: StepRecord, shards: readonly string[]): string[] {
  const { race, counts } = observed;
  if (race) return raceLines(race.winners, race.codes);
  if (counts) return countLines(counts, shards);
  return [plain(observedText(observed)), ...(observed.ok ? [] : messageIn(exchanges))].map(printable);
}

function raceLines(winners: string, codes: readonly number[]): string[] {
  return [`succeeded: ${winners}`, ...(codes.length > 0 ? [`errors of the others: ${codes.join(', ')}`] : [])];
}

function countLines(counts: readonly number[], shards: readonly string[]): string[] {
  return counts.map((count, i) => `${shards[i]}: ${plural(count, 'document')}`);
}

/** The server's words on the last command that it refused. */
function messageIn(exchanges: readonly Exchange[]): string[] {
  const messages = exchanges.flatMap(({ reply }) => errorTexts(reply));
  return messages.slice(-1);
}

/** Of a whole command, of its first write that failed, and of its write concern. */
function errorTexts(reply: Json): string[] {
  if (!isObject(reply)) return [];
  const { errmsg, writeErrors, writeConcernError } = reply;
  const [first = null] = Array.isArray(writeErrors) ? writeErrors : [];
  return [errmsg, ...errorTexts(first), ...errorTexts(writeConcernError ?? null)].filter(
    (one) => typeof one === 'string',
  );
}

/** Line by line: what was expected alone, what was seen alone, and what is the same. */
function differenceText(expected: readonly string[], seen: readonly string[], { colors, columns }: Screen): string {
  const parts = diffArrays([...expected], [...seen]).flatMap(({ value, added, removed }) => {
    const [sign, colour] = added ? ['+', colors.green] : removed ? ['-', colors.red] : [' ', colors.dim];
    return value.map((line) => colour(marked(sign, line, columns)));
  });
  return parts.join('\n');
}

/** Further lines of a long one stand below its text. */
function marked(sign: string, line: string, columns: number): string {
  return wrapped(line, columns, `${INDENT}  `).replace(`${INDENT} `, `${INDENT}${sign}`);
}

/** Of a success, where the reply says more than the difference; the words of a refusal are in the difference. */
function replyText(exchanges: readonly Exchange[], { ok, counts }: Observed, { colors, columns }: Screen): string[] {
  const reply = exchanges.at(-1)?.reply;
  return ok && !counts && reply
    ? [colors.dim(bounded(`// the reply\n${shellText(reply)}`, columns - INDENT.length))]
    : [];
}

const LINES_SHOWN = 12;
const CHARACTERS_SHOWN = 400;

/** The beginning of what may be of any length; the page has the whole of it. */
function bounded(text: string, width = CHARACTERS_SHOWN): string {
  const lines = printable(text).split('\n');
  const more = lines.length - LINES_SHOWN;
  const shown = lines.slice(0, LINES_SHOWN).map((line) => `${INDENT}${cut(line, Math.min(width, CHARACTERS_SHOWN))}`);
  return [...shown, ...(more > 0 ? [`${INDENT}// and ${plural(more, 'more line')}`] : [])].join('\n');
}
