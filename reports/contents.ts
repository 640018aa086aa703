/** Headings of a page, and its table of contents. */
import GithubSlugger from 'github-slugger';
import { inlineText, plainText } from './inline-text.ts';

/** Text as it was written, with code spans and no other markdown. */
export interface Heading {
  readonly level: 1 | 2 | 3;
  readonly text: string;
}

/** What a page is put together from. */
export type Part = string | Heading | typeof CONTENTS | false | undefined;

/** Stands where the table of contents goes. */
export const CONTENTS = Symbol('table of contents');

/** Parts with an empty line between them; what is empty is left out. */
export function pageText(...parts: readonly Part[]): string {
  const headings = parts.filter((part) => typeof part === 'object');
  const shown = parts.map((part) => {
    if (part === CONTENTS) return contents(headings);
    return typeof part === 'object' ? headingText(part) : part;
  });
  return `${shown.filter(Boolean).join('\n\n')}\n`;
}

function headingText({ level, text }: Heading): string {
  return `${'#'.repeat(level)} ${inlineText(text)}`;
}

/** Links to the headings below the title, by the anchors that GitHub makes of what a reader sees of them. */
function contents(headings: readonly Heading[]): string {
  const slugger = new GithubSlugger();
  const anchored = headings.map((heading) => ({ ...heading, anchor: slugger.slug(plainText(heading.text)) }));
  return anchored
    .filter(({ level }) => level > 1)
    .map(({ level, text, anchor }) => `${'  '.repeat(level - 2)}- [${inlineText(text)}](#${anchor})`)
    .join('\n');
}
