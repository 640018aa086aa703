/** What a text has to know of the terminal it is shown on, and how it is made to fit. */
import type { WriteStream } from 'node:tty';
import picocolors from 'picocolors';
import wrapAnsi from 'wrap-ansi';

export type Colors = ReturnType<typeof picocolors.createColors>;

/** Where a text is shown. */
export interface Screen {
  /** Characters in a line; infinite where nobody looks: in a file or a pipe. */
  readonly columns: number;
  readonly colors: Colors;
}

const USUAL_COLUMNS = 80;

export function screenOf(stream: WriteStream): Screen {
  return {
    columns: stream.isTTY ? stream.columns || USUAL_COLUMNS : Number.POSITIVE_INFINITY, // a terminal may not know
    colors: picocolors.createColors(hasColors(stream)),
  };
}

/** Where it is a terminal and no simple one, unless `NO_COLOR` (https://no-color.org) or `FORCE_COLOR` (https://force-color.org) say otherwise. */
function hasColors({ isTTY }: WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR || FORCE_COLOR === '0') return false;
  return Boolean(FORCE_COLOR) || (isTTY === true && TERM !== 'dumb');
}

/** Whether a line on it can be changed after it was written, and somebody is there to see that. */
export function isLive(stream: WriteStream): boolean {
  const isSized = stream.isTTY === true && stream.columns > 0; // one that nobody has sized has 0 columns, and rewriting a line of it never ends
  return isSized && process.env.TERM !== 'dumb' && process.env.CI === undefined;
}

/** Lines no longer than `columns` with `indent` in front of each; what has no space in it, such as a path, stays whole. */
export function wrapped(text: string, columns: number, indent = ''): string {
  return wrapAnsi(text, columns - indent.length)
    .split('\n')
    .map((line) => `${indent}${line}`)
    .join('\n');
}

/** Says something on stderr, in lines that break between words. */
export function sayWrapped(text: string): void {
  console.error(wrapped(text, screenOf(process.stderr).columns));
}

/** Whether a text is shown on one line. */
export function fits(text: string, columns: number): boolean {
  return !wrapAnsi(text, columns, { hard: true, trim: false }).includes('\n');
}

/** What a server or a program said, without what a terminal would obey, and without what turns text around. */
export function printable(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, hexadecimal);
}

function hexadecimal(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  return digits.length > 2 ? `\\u{${digits}}` : `\\x${digits.padStart(2, '0')}`;
}

/** Without markdown. */
export function plain(text: string): string {
  return text.replaceAll(/\*\*|`/g, '');
}
