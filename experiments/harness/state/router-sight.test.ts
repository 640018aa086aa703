import { expect, test } from 'vitest';
import { inOrder } from './router-sight.ts';

test('shards that the router did not ask have nothing; others that have something stand behind', () => {
  const counts = [
    { shard: 'a', count: 2 },
    { shard: 'gone', count: 0 },
    { shard: 'sh1', count: 1 },
  ];
  expect(inOrder(counts, ['sh0', 'sh1'])).toEqual([
    { shard: 'sh0', count: 0 },
    { shard: 'sh1', count: 1 },
    { shard: 'a', count: 2 },
  ]);
});
