import { expect, test } from 'vitest';
import { regexPrefix } from './regex-prefix.ts';

// src/mongo/db/query/analyze_regex.cpp and index_bounds_builder_test.cpp (SimpleRegex…)
test.each<[string, string, string]>([
  ['^abc', '', 'abc'],
  ['\\Aabc', '', 'abc'],
  ['^abc.*', '', 'abc'],
  ['^abc$', '', 'abc'],
  ['^a[bc]', '', 'a'],
  ['^f?oo', '', ''],
  ['^fo*', '', 'f'],
  ['^ab{0,1}', '', 'a'],
  ['^ab+', '', 'ab'],
  ['^\\Qa.b\\Ec', '', 'a.bc'],
  ['^\\Qa.b', '', 'a.b'],
  ['^a\\.b', '', 'a.b'],
  ['^a\\db', '', 'a'],
  ['^é*', '', ''],
  ['^a b # x', 'x', 'ab'],
  ['^abc', 's', 'abc'],
  ['\\Aabc', 'm', 'abc'],
])('/%s/%s matches begin with %j', (pattern, flags, prefix) => {
  expect(regexPrefix(pattern, flags)).toBe(prefix);
});

test.each([
  ['abc', ''],
  ['^abc', 'i'],
  ['^abc', 'm'],
  ['^a|b', ''],
  ['^|a', ''],
  ['^a\\\\|b', ''],
  ['', ''],
])('nothing is known of /%s/%s', (pattern, flags) => {
  expect(regexPrefix(pattern, flags)).toBe('');
});

test('an escaped pipe stands for itself', () => {
  expect(regexPrefix('^a\\|b', '')).toBe('a|b');
});
