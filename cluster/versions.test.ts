import { type Binary, BSON, type Document, MaxKey, MinKey } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { balancingOffCommand, chunkFilter, countsInExplain, moveCommand } from './versions.ts';

describe('a chunk is moved', () => {
  const range = { min: { uid: new MinKey() }, max: { uid: new MaxKey() } };

  it.each(['4.4.29', '5.0.31'])('by moveChunk on %s', (version) => {
    expect(moveCommand(version, 'a.b', range, 'sh1')).toEqual({
      moveChunk: 'a.b',
      bounds: [range.min, range.max],
      to: 'sh1',
      _waitForDelete: true,
    });
  });

  it.each(['6.0.0', '8.2.1', '9.0.0-alpha0'])('by moveRange on %s', (version) => {
    expect(moveCommand(version, 'a.b', range, 'sh1')).toEqual({
      moveRange: 'a.b',
      ...range,
      toShard: 'sh1',
      waitForDelete: true,
    });
  });
});

/** Of a 4.4.0 cluster, as its router showed them, without what is not asked for here. */
const ON_4_4 = {
  entry:
    '{"_id":"demo.u","dropped":false,"key":{"uid":1},"unique":false,"uuid":{"$binary":{"base64":"AAAAAAAAAAAAAAAAAAAAAA==","subType":"04"}},"distributionMode":"sharded"}',
  chunk: '{"ns":"demo.u","min":{"uid":{"$minKey":1}},"max":{"uid":1000},"shard":"sh0","jumbo":false}',
};
/** As 5.0 writes them since SERVER-53105 (src/mongo/s/catalog/type_collection.idl, type_chunk.cpp); not recorded. */
const ON_5_0 = {
  entry:
    '{"_id":"demo.u","key":{"uid":1},"unique":false,"uuid":{"$binary":{"base64":"AAAAAAAAAAAAAAAAAAAAAA==","subType":"04"}},"timestamp":{"$timestamp":{"t":1,"i":1}}}',
  chunk:
    '{"uuid":{"$binary":{"base64":"AAAAAAAAAAAAAAAAAAAAAA==","subType":"04"}},"min":{"uid":{"$minKey":1}},"max":{"uid":1000},"shard":"sh0"}',
};
const parsed = (text: string): Document => BSON.EJSON.parse(text);

describe("a collection's chunks are found by what its chunks hold", () => {
  it.each([
    ['4.4.0', ON_4_4],
    ['5.0.0', ON_5_0],
    ['9.0.0-alpha0', ON_5_0],
  ])('on %s', (version, { entry, chunk }) => {
    const filter = chunkFilter(version, parsed(entry) as { _id: string; uuid: Binary });
    expect(parsed(chunk)).toMatchObject(filter);
    expect(Object.values(filter)).not.toContain(undefined);
  });
});

describe('the balancer is kept away', () => {
  it.each(['4.4', '8.0', '8.0.17'])('by the entry of the collection at compatibility version %s', (fcv) => {
    expect(balancingOffCommand(fcv, 'a.b')).toBeUndefined();
  });

  it.each(['8.1', '8.2', '9.0.0-alpha0'])('by a command at compatibility version %s', (fcv) => {
    expect(balancingOffCommand(fcv, 'a.b')).toEqual({ configureCollectionBalancing: 'a.b', enableBalancing: false });
  });
});

describe('what a find returned from each shard', () => {
  /** As `buildExecStats` in cluster_explain.cpp puts them together; its `queryPlanner` half is recorded of 4.4 with the same stage names. */
  const stages: [string, Document, number[]][] = [
    ['one shard', { stage: 'SINGLE_SHARD', shards: [{ shardName: 'sh1', nReturned: 3 }] }, [3]],
    [
      'several shards, in any order',
      {
        stage: 'SHARD_MERGE',
        shards: [
          { shardName: 'sh1', executionSuccess: true, nReturned: 1, executionStages: { stage: 'SHARDING_FILTER' } },
          { shardName: 'sh0', executionSuccess: true, nReturned: 2, executionStages: { stage: 'nlj', nReturned: 2 } },
        ],
      },
      [2, 1],
    ],
    ['a sort that the router merges', { stage: 'SHARD_MERGE_SORT', shards: [{ shardName: 'sh0', nReturned: 0 }] }, [0]],
    ['no shard at all', { stage: 'EOF' }, []],
  ];

  it.each(stages)('%s', (_, executionStages, counts) => {
    const found = countsInExplain({ executionStats: { executionStages } });
    expect(found.map(({ count }) => count)).toEqual(counts);
    expect(found.map(({ shard }) => shard)).toEqual(found.map(({ shard }) => shard).toSorted());
  });
});
