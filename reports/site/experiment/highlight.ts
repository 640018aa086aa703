/** Colours for commands and replies, put in when the page is made. */
import type { HLJSApi, Language } from 'highlight.js';
import hljs from 'highlight.js/lib/core';

/** What mongosh.ts and shell-text.ts write. Its placeholders would be taken for tags of JSX by the grammar of JavaScript. */
function shell({ QUOTE_STRING_MODE, C_NUMBER_MODE }: HLJSApi): Language {
  return {
    name: 'shell text',
    keywords: { literal: 'true false null undefined' },
    contains: [
      { scope: 'comment', begin: '//', end: '$' },
      { scope: 'attr', begin: /"(?:[^"\\]|\\.)*"(?=:)|[A-Za-z_$][\w$]*(?=:)/ },
      QUOTE_STRING_MODE,
      { scope: 'symbol', begin: /<[A-Za-z][^<>\n]*>/ },
      { scope: 'title', begin: /[A-Za-z_$][\w$]*(?=\()/ },
      { scope: 'regexp', begin: /(?<=: )\/(?:[^/\\\n]|\\.)+\/[a-z]*/ },
      C_NUMBER_MODE,
    ],
  };
}

hljs.registerLanguage('shell', shell);

/** @returns HTML in which all of the text is escaped, with classes that begin with `hljs-` */
export function highlighted(text: string): string {
  return hljs.highlight(text, { language: 'shell' }).value;
}
