/** The generated page on all servers together: claim × version, what differs and since when. A pure function of the records. */
import {
  compare,
  comparisonText,
  kindOf,
  MODEL_NOTE,
  missingTexts,
  type Row,
  setUpNotes,
  stretchText,
} from './comparison.ts';
import type { Difference } from './differences.ts';
import { inlineText } from './inline-text.ts';
import type { NotRun } from './not-run.ts';
import type { ResultSet } from './sets.ts';
import { statementOf, verdictLinks } from './verdicts.ts';
import { paragraphs, proseTable } from './words.ts';

/**
 * @param sets in any order
 * @param results path from the page to the folder that holds the sets
 * @param notRun versions that have no results, or not all
 */
export function matrixPage(sets: readonly ResultSet[], results: string, notRun: readonly NotRun[] = []): string {
  const { real, modelled, rows } = compare(sets);
  const missing = missingTexts([...real, ...modelled], notRun);
  return `${paragraphs(
    '# Matrix',
    'What each version of MongoDB made of each claim. Generated from the result records by `npm run matrix` and `npm run report`; each cell links to the page behind it.',
    comparisonText(real, rows),
    ...setUpNotes([...real, ...modelled]),
    modelled.length > 0 && MODEL_NOTE,
    rows.length > 0 && table(real, modelled, rows, results),
    ...differenceSection(rows),
    missing.length > 0 && `## What is missing\n\n${missing.map((line) => `- ${line}`).join('\n')}`,
  )}\n`;
}

function table(
  real: readonly ResultSet[],
  modelled: readonly ResultSet[],
  rows: readonly Row[],
  results: string,
): string {
  const cells = (claim: string, sets: readonly ResultSet[]) => sets.map((set) => verdictLinks(set, claim, results));
  const names = (sets: readonly ResultSet[]) => sets.map(({ name }) => inlineText(name));
  const heads = ['claim', '', ...names(real), ...(real.length > 0 ? ['on every version'] : []), ...names(modelled)];
  const body = rows.map((row) => [
    row.claim,
    statementOf(row.claim),
    ...cells(row.claim, real),
    ...(real.length > 0 ? [sameness(row)] : []),
    ...cells(row.claim, modelled),
  ]);
  return proseTable([heads, ...body]);
}

function sameness({ claim, servers, everywhere, differences }: Row): string {
  if (servers < 2) return '–';
  const words = { outcome: 'another outcome', text: 'other messages' };
  const kind = kindOf(differences);
  if (kind) return `[${words[kind]}](#${claim.toLowerCase()})`;
  return everywhere ? 'same' : `same on ${servers}`;
}

function differenceSection(rows: readonly Row[]): string[] {
  const differing = rows.filter(({ differences }) => differences.length > 0);
  if (differing.length === 0) return [];
  const told = differing.map(({ claim, differences }) =>
    paragraphs(`### ${claim}`, statementOf(claim), differences.map(differenceText).join('\n')),
  );
  return ['## What differs', ...told];
}

function differenceText({ experiment, step, kind, stretches }: Difference): string {
  const where = step ? `${experiment}, step ${step.number} (${inlineText(step.caption)})` : `${experiment}, verdict`;
  const common = kind === 'text' ? `, ${stretches[0]?.outcome} everywhere` : '';
  return [`- ${where}${common}:`, ...stretches.map((one, i) => `  - ${stretchText(one, i === 0, kind)}`)].join('\n');
}
