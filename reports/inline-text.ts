/** Text that others wrote (captions, what a server said) inside a line of markdown: nothing but its code spans means anything. */

/** As in CommonMark: as many backticks at the end as at the beginning. */
const CODE_SPAN = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;
/** Of an address (GitHub makes a link of one) what makes it one: escapes inside of it would be part of the link. */
const SPECIAL = /[\\`*[\]<>&~]|(?<=\s)#|(?<![a-z\d])_|_(?![a-z\d])|:(?=\/\/)|(?<=\bwww)\./gi;
const BEGINS_BLOCK = /^(?:[#+-]|\d+[.)])/;

/** Markdown that shows the text as it is, its code spans as code. A line break becomes a space. */
export function inlineText(text: string): string {
  const line = oneLine(text);
  let [end, shown] = [0, ''];
  for (const span of line.matchAll(CODE_SPAN)) {
    shown += escaped(line.slice(end, span.index)) + span[0];
    end = span.index + span[0].length;
  }
  return shown + escaped(line.slice(end));
}

/** The same as a paragraph: no list, no heading. */
export function paragraphText(text: string): string {
  return inlineText(text).replace(BEGINS_BLOCK, (start) => start.replace(/.$/, '\\$&'));
}

/** What a reader sees of {@link inlineText}. */
export function plainText(text: string): string {
  return oneLine(text).replace(CODE_SPAN, (_, __, code: string) => code.replace(/^ (.*\S.*) $/, '$1'));
}

/** Text between tags of HTML, on one line: an empty one would end the HTML. */
export function htmlText(text: string): string {
  return oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]\s*/g, ' ').trim();
}

function escaped(text: string): string {
  return text.replaceAll(SPECIAL, '\\$&');
}
