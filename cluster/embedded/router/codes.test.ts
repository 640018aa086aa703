import { expect, test } from 'vitest';
import { codeName } from './codes.ts';

test.each([
  [67, 'CannotCreateIndex'],
  [11000, 'DuplicateKey'],
  [6373200, 'Location6373200'],
])('code %i is called %s', (code, name) => {
  expect(codeName(code)).toBe(name);
});

test('a code of the named range without a name is a mistake of ours, not a Location', () => {
  expect(() => codeName(9999)).toThrow('error code 9999 has no name in codes.ts');
});
