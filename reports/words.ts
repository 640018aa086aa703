/** The words in which reports speak of who answered and what became of it; the same everywhere. */
import { markdownTable } from 'markdown-table';
import {
  type AnsweredBy,
  answerersOf,
  type Check,
  type Ending,
  type Exchange,
  type Observed,
  type Outcome,
  type StepRecord,
} from '../experiments/harness/record.ts';
import { inlineText } from './inline-text.ts';

const ANSWERERS: Readonly<Record<AnsweredBy, string>> = {
  server: 'a server',
  engine: 'a real engine',
  model: 'our model of the sharding layer',
  nobody: 'nobody',
};

/** `a real engine and our model of the sharding layer` */
export function answerers(step: StepRecord): string {
  return joined(answerersOf(step).map((who) => ANSWERERS[who]));
}

export function answerer(who: AnsweredBy): string {
  return ANSWERERS[who];
}

/** `a real engine answered`; of a reply that is no more than an excerpt it says so. */
export function answeredText({ answeredBy, isExcerpt }: Pick<Exchange, 'answeredBy' | 'isExcerpt'>): string {
  return `${ANSWERERS[answeredBy]} answered${isExcerpt ? ', among other things' : ''}`;
}

/** What a server says that was not built from a checkout. */
export const NO_GIT_VERSION = 'nogitversion';

/** An outcome that was expected. */
export function outcomeText(outcome: Outcome): string {
  if ('winners' in outcome)
    return `${outcome.winners} of the clients to succeed${outcome.code ? `, the others to get error ${outcome.code}` : ''}`;
  if ('code' in outcome) return `error ${outcome.code}`;
  if ('documents' in outcome) return plural(outcome.documents, 'document');
  if ('counts' in outcome) return `${outcome.counts.join(', ')} documents per shard`;
  if ('scan' in outcome) return scanText(outcome.scan);
  return 'success';
}

/** What was seen. */
export function observedText({ ok, code: number, codeName, error, documents, counts, scan, race }: Observed): string {
  if (race)
    return `${race.winners} of ${race.clients} clients succeeded${race.codes.length > 0 ? `, the others got error ${race.codes.join(', ')}` : ''}`;
  if (number !== undefined) return `error ${number}${codeName ? ` ${inlineText(codeName)}` : ''}`;
  if (!ok) return error === undefined ? 'an error without a code' : code(error);
  if (counts) return `${counts.join(', ')} documents per shard`;
  if (scan) return scanText(scan);
  return documents === undefined ? 'success' : plural(documents, 'document');
}

function scanText(scan: string): string {
  return scan === 'COLLSCAN' ? 'a scan of the collection' : `a scan of the index ${code(scan)}`;
}

/** How a prediction fared. */
export function checkText({ expected, result }: Check, observed: Observed): string {
  if (!expected) return `nothing is predicted for this version; seen: ${observedText(observed)}`;
  if (result === 'not modelled') return `expected ${outcomeText(expected)}; **not modelled** here`;
  return result === 'ok'
    ? `expected ${outcomeText(expected)}: **ok**`
    : `expected ${outcomeText(expected)}, seen ${observedText(observed)}: **differs**`;
}

/**
 * What a step is evidence for or against. What no server answered speaks neither for a claim nor against it; such a step only says what
 * it is there for.
 */
export function evidenceText({ shown, result, claims }: Check): string {
  return `evidence ${!shown && result !== 'not modelled' ? 'against' : 'for'} ${joined(claims)}`;
}

/** How an experiment ended that did not come to its end; undefined for one that did. */
export function endingText(ended: Ending): string | undefined {
  switch (ended.how) {
    case 'completed':
      return undefined;
    case 'skipped':
      return `**Skipped**: ${code(ended.reason)}`;
    case 'threw':
      return `**The experiment threw** ${code(ended.error)}. The report holds the steps until then.`;
    case 'cluster failed':
      return `**The cluster failed**: ${code(ended.error)}. The report holds the steps until then.`;
    case 'deadline':
      return `**The experiment had not ended after ${ended.seconds} s** and was given up. The report holds the steps until then.`;
  }
}

/** `G1`, `G1 and G2`, `G1, G2 and K7` */
export function joined(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Inline code; a line break becomes a space. */
export function code(text: string): string {
  const line = text.replaceAll(/\s*[\r\n]\s*/g, ' ');
  const space = /^`|`$|^ .*\S.* $/.test(line) ? ' ' : ''; // a renderer takes it off again
  const fence = '`'.repeat(1 + longestRun(line));
  return `${fence}${space}${line}${space}${fence}`;
}

/** A block of code that nothing in it can end. */
export function codeBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, 1 + longestRun(text)));
  return `${fence}${language}\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** A table whose columns are aligned in the text, too. */
export function alignedTable(rows: readonly (readonly string[])[]): string {
  return markdownTable(rows.map((row) => row.map(cell)));
}

/** A table whose columns are as wide as each cell wants, because its cells hold sentences. */
export function proseTable(rows: readonly (readonly string[])[]): string {
  return markdownTable(
    rows.map((row) => row.map(cell)),
    { alignDelimiters: false },
  );
}

/** Text for a cell of a table. A `|` behind a backslash would end the cell even in a code span: there it begins a span of its own. */
function cell(text: string): string {
  const parted = text.replaceAll(ESCAPE_OR_CODE, (part, fence?: string) =>
    fence ? part.replaceAll('\\|', `\\${fence}<!-- -->${fence}|`) : part,
  );
  return parted.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

const ESCAPE_OR_CODE = /\\.|(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)/gs;

/** Parts of a page with an empty line between them; what is empty is left out. */
export function paragraphs(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join('\n\n');
}

/** The beginning of a text that has more than so many characters. */
export function cut(text: string, most: number): string {
  const characters = [...text.slice(0, 2 * most + 2)]; // some of two units: a text may be of megabytes
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}

/** `1 document`, `2 documents` */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
