/** What every string that a regular expression matches begins with (src/mongo/db/query/analyze_regex.cpp). */

const LETTER_OR_DIGIT = /[0-9A-Za-z]/;
/** Characters that end a run of characters standing for themselves. */
const SPECIAL = new Set('^$.[()+{');

/**
 * The prefix that all matches of an anchored pattern share.
 * @param flags BSON's: `i` and, with `^`, `m` leave no prefix
 * @returns `''` when nothing is known
 */
export function regexPrefix(pattern: string, flags: string): string {
  const anchor = pattern.startsWith('\\A') ? '\\A' : pattern.startsWith('^') ? '^' : undefined;
  if (anchor === undefined) return '';
  const rest = pattern.slice(anchor.length);
  if (mayHaveAlternatives(rest) || !flagsKeepPrefix(flags, anchor)) return '';
  return literalRun([...rest], flags.includes('x'));
}

/** Errs on the side of yes: a pipe in a class or between `\Q` and `\E` counts. */
function mayHaveAlternatives(pattern: string): boolean {
  return /(?:^|[^\\]|\\\\)\|/.test(pattern);
}

function flagsKeepPrefix(flags: string, anchor: string): boolean {
  return [...flags].every((flag) => flag === 's' || flag === 'x' || (flag === 'm' && anchor === '\\A'));
}

/** The characters that stand for themselves, up to the first that does not. */
function literalRun(characters: readonly string[], extended: boolean): string {
  const literal: string[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string;
    // These make the last character optional. The server keeps it before `{`, and misses what `^ab{0}` matches.
    if (character === '*' || character === '?' || character === '{') return literal.slice(0, -1).join('');
    if (character === '\\') {
      const escaped = characters[++at];
      if (escaped === 'Q') at = quote(characters, at, literal);
      else if (escaped === undefined || LETTER_OR_DIGIT.test(escaped)) break;
      else literal.push(escaped);
    } else if (SPECIAL.has(character) || (extended && character === '#')) {
      break;
    } else if (!(extended && /\s/.test(character))) {
      literal.push(character);
    }
  }
  return literal.join('');
}

/** Takes what stands between `\Q` and `\E`, and returns where it ends. */
function quote(characters: readonly string[], q: number, literal: string[]): number {
  for (let at = q + 1; at < characters.length; at++) {
    if (characters[at] === '\\' && characters[at + 1] === 'E') return at + 1;
    literal.push(characters[at] as string);
  }
  return characters.length;
}
