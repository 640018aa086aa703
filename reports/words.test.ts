import { expect, test } from 'vitest';
import { code, codeBlock, observedText, proseTable } from './words.ts';

test.each([
  ['plain', '`plain`'],
  ['a `quoted` word', '``a `quoted` word``'],
  ['`', '`` ` ``'],
  ['a``b', '```a``b```'],
  ['two\n\nlines', '`two lines`'],
])('%j as code', (text, markdown) => expect(code(text)).toBe(markdown));

test('nothing in a block of code ends it', () => {
  expect(codeBlock('a\n````\nb', 'js')).toBe('`````js\na\n````\nb\n`````');
});

test('nothing in a cell ends it', () => {
  const table = proseTable([['a|b\nc', code('a|b'), '\\\\|', code('a\\|b'), '\\` `c`']]);
  expect(table.split('\n')[0]).toBe('| a\\|b c | `a\\|b` | \\\\\\| | `a\\`<!-- -->`\\|b` | \\` `c` |');
});

test('what a server said is no markdown', () => {
  expect(observedText({ ok: false, code: 1, codeName: '<b>' })).toBe('error 1 \\<b\\>');
  expect(observedText({ ok: false, error: 'MongoError: <b>' })).toBe('`MongoError: <b>`');
});
