import { expect, test } from 'vitest';
import { rawValue } from '../../wire/bson.ts';
import { sortPattern } from './sort-pattern.ts';

test.each([
  ['by fields', [{ $match: { a: 1 } }, { $sort: { a: 1, 'b.c': -1 } }, { $limit: 3 }], { a: 1, 'b.c': -1 }],
  ['by what is computed', [{ $sort: { score: { $meta: 'textScore' }, a: 1 } }], { $computed0: -1, a: 1 }],
  ['by distance', [{ $geoNear: { near: [0, 0], distanceField: 'how.far' } }], { 'how.far': 1 }],
  ['at random', [{ $sample: { size: 3 } }], { $computed0: -1 }],
])('shards are merged %s', (_, stages, expected) => {
  const pattern = sortPattern(stages.map((stage) => rawValue(stage)));
  expect(pattern).toEqual(expected);
  expect(Object.keys(pattern)).toEqual(Object.keys(expected));
});
