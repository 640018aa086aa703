import { expect, test } from 'vitest';
import { inlineText } from '../inline-text.ts';
import { code } from '../words.ts';
import { spansOf } from './spans.ts';

test.each<[string, string, ReturnType<typeof spansOf>]>([
  ['text', 'as it is: 2 * 3 * 4', [{ kind: 'text', text: 'as it is: 2 * 3 * 4' }]],
  [
    'code and emphasis',
    '`a` is **b**.',
    [
      { kind: 'code', text: 'a' },
      { kind: 'text', text: ' is ' },
      { kind: 'strong', text: 'b' },
      { kind: 'text', text: '.' },
    ],
  ],
  ['nothing', '', []],
])('%s', (_, text, spans) => {
  expect(spansOf(text)).toEqual(spans);
});

test.each(['a', '`', 'a `b` c', '``', ' a ', 'a\\', '</script>'])('code(%j) is that code again', (text) => {
  expect(spansOf(code(text))).toEqual([{ kind: 'code', text }]);
});

test.each(['<b> & [c](d) *e* _f_ `g', '\\ **', '# h'])('inlineText(%j) is that text again', (text) => {
  expect(spansOf(inlineText(text))).toEqual([{ kind: 'text', text }]);
});
