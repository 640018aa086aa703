import { expect, test } from 'vitest';
import type { CollectionState, StepRecord } from '../record.ts';
import { placementIn } from './placement.ts';

const sharded = { key: { k: 1 }, unique: false };
const stateOf = (count: number): CollectionState => ({
  collection: 'u',
  sharded,
  chunks: [],
  shards: [{ shard: 'sh0', count, indexes: [] }],
});
const placed = (count: number) => [{ collection: 'u', ...sharded, chunks: [], documents: [{ shard: 'sh0', count }] }];
const steps: StepRecord[] = [stateOf(0), undefined, stateOf(2)].map((state, i) => ({
  number: i + 1,
  section: 'story',
  caption: 'A step.',
  exchanges: [],
  observed: { ok: true },
  ...(state && { state: [state] }),
}));

test.each([
  ['a run that came to its end', 1, true, { before: placed(0), after: placed(2) }],
  ['one that broke off in its story', 2, false, { before: placed(0), after: [] }],
  ['one that broke off while collections were arranged', 3, false, { before: [], after: [] }],
  ['one that arranged collections and did no more', 3, true, { before: placed(2), after: placed(2) }],
])('%s says where documents were as far as it went', (_, arranging, isCompleted, placement) => {
  expect(placementIn(steps, arranging, isCompleted)).toEqual(placement);
});

test('a collection that is not sharded has no placement', () => {
  const { sharded: _, ...plain } = stateOf(1);
  const [first] = steps;
  expect(placementIn([{ ...(first as StepRecord), state: [plain] }], 0, true).after).toEqual([]);
});
