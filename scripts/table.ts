/** Tables without lines: columns with space between them, for terminals and pipes alike. */
import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';

const GAP = '  ';

/**
 * @param rows cells of one line, coloured or not
 * @param columns characters in a line of the screen
 * @param least characters of the last column below which it is not to be wrapped
 * @returns undefined when there is no room for that
 */
export function tableText(
  rows: readonly (readonly string[])[],
  columns: number,
  least = Number.POSITIVE_INFINITY,
): string | undefined {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  const last = widths.pop() ?? 0;
  const room = columns - widths.reduce((sum, width) => sum + width + GAP.length, 0);
  if (room < Math.min(last, least)) return undefined;
  return drawn(rows, [...widths, Math.min(last, room)]);
}

function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length;
}

function drawn(rows: readonly (readonly string[])[], colWidths: number[]): string {
  const table = new Table({ chars: CHARS, style: STYLE, wordWrap: true, colWidths });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

const STYLE = { 'padding-left': 0, 'padding-right': 0, head: [], border: [] };

const CHARS = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: GAP },
};
