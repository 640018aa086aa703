import { expect, test } from 'vitest';
import { htmlText, inlineText, paragraphText, plainText } from './inline-text.ts';

test.each([
  ['A unique index on `email`, once more.', 'A unique index on `email`, once more.'],
  ['<script>alert(1)</script>', '\\<script\\>alert(1)\\</script\\>'],
  ['[a](javascript:x) ![b](c)', '\\[a\\](javascript:x) !\\[b\\](c)'],
  ['*bold* and _id, but snake_case', '\\*bold\\* and \\_id, but snake_case'],
  ['one ` alone', 'one \\` alone'],
  ['`` a ` b `` and `<b>`', '`` a ` b `` and `<b>`'],
  ['&amp; \\ ~~x~~', '\\&amp; \\\\ \\~\\~x\\~\\~'],
  ['two\n\n# lines', 'two \\# lines'],
  ['<http://a.example> and www.a.example', '\\<http\\://a.example\\> and www\\.a.example'],
])('%j in a line', (text, markdown) => expect(inlineText(text)).toBe(markdown));

test.each([
  ['# no heading', '\\# no heading'],
  ['1. no list', '1\\. no list'],
  ['- no list', '\\- no list'],
  ['--- no rule', '\\--- no rule'],
])('%j as a paragraph', (text, markdown) => expect(paragraphText(text)).toBe(markdown));

test.each([
  ['A unique index on `email`.', 'A unique index on email.'],
  ['`` a`b `` and <b>', 'a`b and <b>'],
])('a reader sees of %j', (text, plain) => expect(plainText(text)).toBe(plain));

test('text inside of HTML', () => {
  expect(htmlText('<b>\n\n&')).toBe('&lt;b&gt; &amp;');
});
