/** The page that `modelled` verdicts rest on: what the embedded cluster and clusters of real servers answered to the same steps. */

import { type ComparedStep, type Comparison, tally } from '../cluster/embedded/conformance/compare.ts';
import type { Step } from '../cluster/embedded/conformance/scenarios.ts';
import type { Json } from '../experiments/harness/record.ts';
import { notesOn, outcomeText, type Row } from './conformance-notes.ts';
import { shellLine } from './shell-text.ts';
import { capitalised, code, paragraphs, proseTable } from './words.ts';

const FILES = '../cluster/embedded/conformance';
/** Characters of a command or a reply in a table. */
const WIDTH = 110;

const VERDICTS: Readonly<Record<ComparedStep['verdict'], string>> = {
  agrees: 'agrees',
  version: '**changed since**',
  'not modelled': '**not modelled**',
  differs: '**differs**',
};

/**
 * @param comparisons with every recording, oldest first, of the same answers
 * @param version the engine's that gave them
 */
export function conformancePage(comparisons: readonly Comparison[], version: string): string {
  const lines = comparisons.map(({ recording }) => recording.line);
  const scenarios = scenariosIn(comparisons);
  return `${paragraphs(
    '# Conformance of the embedded cluster',
    introduction(version),
    totals(comparisons),
    'A step **agrees** when it has the same outcome: success or failure, error code, indexes of failed writes, counts per shard, documents read. ' +
      'The texts of errors are compared too; where those of 9.0 are others, the step agrees *in other words*. ' +
      'It has **changed since** where the recorded version is older than a change of MongoDB, and it is **not modelled** where the embedded cluster refuses what servers do; ' +
      'either is listed with what is answered instead. A difference that is not listed fails `npm test`, as does an entry that no difference needs.',
    '## Scenarios',
    overview(scenarios, lines),
    ...[...scenarios].map(([name, rows]) => scenarioText(name, rows, lines)),
  )}\n`;
}

function introduction(version: string): string {
  return (
    `The same commands, sent to clusters of real servers and to an embedded one: real engines of MongoDB ${version} behind a router that is our model, ` +
    `written from the source of MongoDB 9.0. The commands are [scenarios](${FILES}/scenarios.ts), the answers of real clusters [recordings](${FILES}/README.md); ` +
    `what is known to differ is listed in [exceptions](${FILES}/exceptions). Generated from them and from [the embedded cluster's answers](${FILES}/embedded.json) by \`npm run report\`.`
  );
}

function totals(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map((comparison) => {
    const { line, server } = comparison.recording;
    const { agrees, reworded, version, 'not modelled': notModelled, differs } = tally(comparison);
    const counts = [comparison.steps.length, agrees, reworded, version, notModelled, differs].map(String);
    return [`[${line}](${FILES}/mongodb-${line}.json)`, ...counts, capitalised(server.note)];
  });
  const heading = [
    'MongoDB',
    'steps',
    'agree',
    'in other words',
    'changed since',
    'not modelled',
    'differ',
    'recorded from',
  ];
  return proseTable([heading, ...rows]);
}

function overview(scenarios: ReadonlyMap<string, readonly Row[]>, lines: readonly string[]): string {
  const rows = [...scenarios].map(([name, steps]) => [
    `[${name}](#${name})`,
    ...lines.map((line) => countText(steps.flatMap(({ compared }) => compared.get(line) ?? []))),
  ]);
  return proseTable([['scenario', ...lines], ...rows]);
}

function countText(steps: readonly ComparedStep[]): string {
  if (steps.length === 0) return 'not recorded';
  const counts = (Object.keys(VERDICTS) as ComparedStep['verdict'][]).map((verdict) => {
    const count = steps.filter((step) => step.verdict === verdict).length;
    return count > 0 && `${count} ${verdict === 'agrees' ? 'agree' : VERDICTS[verdict].replaceAll('*', '')}`;
  });
  return counts.filter(Boolean).join(', ');
}

function scenarioText(name: string, rows: readonly Row[], lines: readonly string[]): string {
  const table = rows.map((row) => [
    String(row.number),
    cut(stepText(row.step)),
    cut(outcomeText(row.step, row.answered)),
    ...lines.map((line) => verdictText(row.compared.get(line))),
  ]);
  const notes = rows.flatMap(notesOn);
  return paragraphs(
    `## ${name}`,
    proseTable([['step', 'sent', 'answered here', ...lines], ...table]),
    notes.join('\n'),
  );
}

function verdictText(compared: ComparedStep | undefined): string {
  if (!compared) return '–';
  return compared.rewording ? 'in other words' : VERDICTS[compared.verdict];
}

/** What a step sends, as a person would type it. */
function stepText({ cmd, db, api, coll, args = [], counts, filter, race, times, txn, pause, on }: Step): string {
  const to = on ? `${on}: ` : '';
  if (cmd) return `${to}${db ? `${db}: ` : ''}${shellLine(cmd as Json)}`;
  if (api) return `${to}${coll}.${api}(${args.map((arg) => shellLine(arg as Json)).join(', ')})`;
  if (counts) return `each shard: ${counts}.countDocuments(${filter ? shellLine(filter as Json) : ''})`;
  if (race) return `${times} at once: ${stepText(race)}`;
  if (txn) return `in a transaction: ${txn.map(stepText).join('; ')}`;
  return `wait ${pause} ms`;
}

/** Inline code that fits into a table. */
function cut(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return code(line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line);
}

function scenariosIn(comparisons: readonly Comparison[]): Map<string, Row[]> {
  const names = new Set(comparisons.flatMap(({ steps }) => steps.map(({ scenario }) => scenario)));
  return new Map([...names].map((name) => [name, rowsOf(name, comparisons)]));
}

function rowsOf(name: string, comparisons: readonly Comparison[]): Row[] {
  const found = comparisons.flatMap(({ recording, steps }) =>
    steps.filter(({ scenario }) => scenario === name).map((one) => ({ line: recording.line, one })),
  );
  const numbers = [...new Set(found.map(({ one }) => one.step))];
  return numbers.flatMap((number) => {
    const same = found.filter(({ one }) => one.step === number);
    const [first] = same;
    if (!first) return [];
    const { sent, answered } = first.one;
    return [{ number, step: sent, answered, compared: new Map(same.map(({ line, one }) => [line, one])) }];
  });
}
