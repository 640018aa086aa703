import { expect, test } from 'vitest';
import { all } from './all.ts';

test('what fails is told only when the rest has ended, the first of them in order', async () => {
  let ended = false;
  const slow = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    ended = true;
    throw new Error('the first in order');
  });
  await expect(all([slow, Promise.reject(new Error('the first in time'))])).rejects.toThrow('the first in order');
  expect(ended).toBe(true);
});

test('what succeeds comes back in order', async () => {
  expect(await all([Promise.resolve(1), Promise.resolve('two')])).toEqual([1, 'two']);
});
