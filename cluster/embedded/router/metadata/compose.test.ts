import { Double } from 'bson';
import { expect, test } from 'vitest';
import { decode, encode } from '../../wire/bson.ts';
import { compose, embedded } from './compose.ts';

test('embedded bytes stay as they came, however deep they lie', () => {
  const bound = encode({ a: new Double(1) });
  const made = decode(compose({ _id: 1, min: embedded(bound), deep: { list: [embedded(bound), 'x'] } }));
  expect(made.min.a).toEqual(new Double(1));
  expect(made.deep.list).toEqual([{ a: new Double(1) }, 'x']);
});

test('what is undefined is left out, what is null is not', () => {
  expect(decode(compose({ a: undefined, b: null }))).toEqual({ b: null });
});
