/** The little markdown of captions, reasons and words.ts, taken apart: code, emphasis, and text in which a backslash may stand before a sign. */

export interface Span {
  readonly kind: 'text' | 'code' | 'strong';
  readonly text: string;
}

const MARKED = /(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)|(?<!\\)\*\*([^*]+)\*\*/gs;

export function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const found of text.matchAll(MARKED)) {
    const [whole, , code, strong = ''] = found;
    spans.push(plain(text.slice(end, found.index)));
    spans.push(code === undefined ? { kind: 'strong', text: plain(strong).text } : { kind: 'code', text: inner(code) });
    end = found.index + whole.length;
  }
  return [...spans, plain(text.slice(end))].filter((span) => span.text !== '');
}

/** As in CommonMark: one space on both sides is there for backticks beside them. */
function inner(code: string): string {
  return code.replace(/^ (.*\S.*) $/s, '$1');
}

function plain(text: string): Span {
  return { kind: 'text', text: text.replaceAll(/\\([\\`*[\]<>&~#_:.])/g, '$1') };
}
