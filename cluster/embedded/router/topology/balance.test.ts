import { MaxKey, MinKey } from 'bson';
import { describe, expect, test } from 'vitest';
import { encode } from '../../wire/bson.ts';
import { type Distribution, type ShardLoad, violationOf } from './balance.ts';

const MIN = new MinKey();
const MAX = new MaxKey();
const key = (a: unknown): Buffer => encode({ a });
const chunk = (min: unknown, max: unknown, shard: string, jumbo = false) => ({
  min: key(min),
  max: key(max),
  shard,
  jumbo,
});
const zone = (min: unknown, max: unknown, name: string) => ({ min: key(min), max: key(max), zone: name });
const shard = (id: string, bytes: number, ...zones: string[]): ShardLoad => ({ id, bytes, zones });
const HALVES = [chunk(MIN, 0, 'a'), chunk(0, MAX, 'b')];

describe('a balancer', () => {
  // jstests/sharding/balancer_collection_status.js
  const cases: [name: string, expected: string | undefined, given: Partial<Distribution>][] = [
    ['leaves alone what differs little', undefined, { shards: [shard('a', 399), shard('b', 100)] }],
    [
      'moves when shards differ by three full chunks',
      'chunksImbalance',
      { shards: [shard('a', 400), shard('b', 100)] },
    ],
    [
      'has nothing to move from a shard of jumbo chunks',
      undefined,
      { chunks: [chunk(MIN, 0, 'a', true), chunk(0, MAX, 'b')], shards: [shard('a', 400), shard('b', 100)] },
    ],
    [
      'moves a chunk out of a shard that is not in its zone',
      'zoneViolation',
      { zoneRanges: [zone(0, MAX, 'EU')], shards: [shard('a', 0, 'EU'), shard('b', 0)] },
    ],
    [
      'leaves a chunk where its zone is',
      undefined,
      { zoneRanges: [zone(0, MAX, 'EU')], shards: [shard('a', 0), shard('b', 0, 'EU')] },
    ],
    [
      'splits a chunk that a zone ends in',
      'zoneViolation',
      { zoneRanges: [zone(0, 5, 'EU')], shards: [shard('a', 0), shard('b', 0, 'EU')] },
    ],
    [
      'can do nothing for a zone without shards',
      undefined,
      { zoneRanges: [zone(0, MAX, 'EU')], shards: [shard('a', 0), shard('b', 0)] },
    ],
    [
      'does not empty a shard into one outside of the zone',
      undefined,
      {
        zoneRanges: [zone(MIN, 0, 'EU'), zone(0, MAX, 'EU')],
        shards: [shard('a', 400, 'EU'), shard('b', 300, 'EU'), shard('c', 0)],
      },
    ],
    [
      'balances within a zone',
      'chunksImbalance',
      {
        zoneRanges: [zone(MIN, 0, 'EU'), zone(0, MAX, 'EU')],
        shards: [shard('a', 400, 'EU'), shard('b', 100, 'EU'), shard('c', 200)],
      },
    ],
  ];
  test.each(cases)('%s', (_, expected, given) => {
    expect(violationOf({ chunks: HALVES, zoneRanges: [], shards: [], maxChunkBytes: 100, ...given })).toBe(expected);
  });
});
