import { describe, expect, test } from 'vitest';
import { withShardingFilter } from './sharding-filter.ts';

const scan = { stage: 'COLLSCAN', direction: 'forward' };
const index = (keyPattern: object) => ({ stage: 'IXSCAN', keyPattern, isMultiKey: false });
const over = (inputStage: object) => ({ stage: 'SHARDING_FILTER', inputStage });

describe('SHARDING_FILTER', () => {
  const cases: [name: string, plan: object, expected: object][] = [
    ['stands above a scan', scan, over(scan)],
    [
      'stands below FETCH where the index holds the shard key (recorded on 4.4)',
      { stage: 'FETCH', inputStage: index({ uid: 1 }) },
      { stage: 'FETCH', inputStage: over(index({ uid: 1 })) },
    ],
    [
      'stands above FETCH where it does not',
      { stage: 'FETCH', inputStage: index({ x: 1 }) },
      over({ stage: 'FETCH', inputStage: index({ x: 1 }) }),
    ],
    [
      'stands above FETCH that filters',
      { stage: 'FETCH', filter: { x: 1 }, inputStage: index({ uid: 1 }) },
      over({ stage: 'FETCH', filter: { x: 1 }, inputStage: index({ uid: 1 }) }),
    ],
    [
      'stands below sort, limit and projection, and leaves isCached in front',
      { isCached: false, stage: 'LIMIT', inputStage: { stage: 'SORT', inputStage: scan } },
      { isCached: false, stage: 'LIMIT', inputStage: { stage: 'SORT', inputStage: over(scan) } },
    ],
    [
      'stands below the making of sort keys, before a document is fetched',
      { stage: 'FETCH', inputStage: { stage: 'SORT_KEY_GENERATOR', inputStage: index({ uid: 1 }) } },
      { stage: 'FETCH', inputStage: { stage: 'SORT_KEY_GENERATOR', inputStage: over(index({ uid: 1 })) } },
    ],
    [
      'stands below the making of sort keys, above the fetching that it needs',
      { stage: 'FETCH', inputStage: { stage: 'SORT_KEY_GENERATOR', inputStage: index({ x: 1 }) } },
      { stage: 'SORT_KEY_GENERATOR', inputStage: over({ stage: 'FETCH', inputStage: index({ x: 1 }) }) },
    ],
    [
      'is part of a scan for distinct values',
      { stage: 'DISTINCT_SCAN', keyPattern: { uid: 1 }, isShardFiltering: false, isFetching: false },
      { stage: 'DISTINCT_SCAN', keyPattern: { uid: 1 }, isShardFiltering: true, isFetching: false },
    ],
    [
      'has such a scan fetch the document whose shard key its index lacks',
      { stage: 'DISTINCT_SCAN', keyPattern: { x: 1 }, isShardFiltering: false, isFetching: false },
      { stage: 'DISTINCT_SCAN', keyPattern: { x: 1 }, isShardFiltering: true, isFetching: true },
    ],
    [
      'is left out of a count of metadata',
      { stage: 'COUNT', inputStage: { stage: 'RECORD_STORE_FAST_COUNT' } },
      { stage: 'COUNT', inputStage: { stage: 'RECORD_STORE_FAST_COUNT' } },
    ],
    [
      'passes on what it gets',
      { ...scan, nReturned: 3, works: 5, docsExamined: 4 },
      {
        stage: 'SHARDING_FILTER',
        nReturned: 3,
        works: 5,
        chunkSkips: 0,
        inputStage: { ...scan, nReturned: 3, works: 5, docsExamined: 4 },
      },
    ],
  ];
  test.each(cases)('%s', (_, plan, expected) => {
    expect(withShardingFilter(plan, ['uid'])).toEqual(expected);
    expect(Object.keys(withShardingFilter(plan, ['uid']))).toEqual(Object.keys(expected));
  });
});
