import type { Document } from 'bson';
import { describe, expect, test } from 'vitest';
import { decodePlain, type RawValue, rawValue } from '../../wire/bson.ts';
import { foreignReads, written } from './foreign.ts';
import { type Stage, splitPipeline, stagesOf } from './pipeline.ts';

const parse = (pipeline: Document[]): Stage[] => stagesOf(rawValue(pipeline)) as Stage[];
const plain = (stages: readonly RawValue[]): Document[] => stages.map(({ bytes }) => decodePlain(bytes));

function split(...pipeline: Document[]) {
  const { shardPart, mergePart, ...rest } = splitPipeline(parse(pipeline));
  return { ...rest, shardPart: plain(shardPart), mergePart: plain(mergePart) };
}

const streamed = { needsMerge: false, directions: undefined, skip: 0, limit: undefined, mergePart: [] };
const match = { $match: { a: 1 } };
const project = { $project: { a: 1 } };
const unwind = { $unwind: '$a' };
const sort = { $sort: { a: 1, b: -1 } };

test('what is no pipeline has no stages', () => {
  expect(stagesOf(rawValue({}))).toBeUndefined();
  expect(stagesOf(rawValue([1]))).toBeUndefined();
  expect(stagesOf(rawValue([{ $match: {}, $sort: {} }]))).toBeUndefined();
});

describe('a pipeline for several shards', () => {
  test('of stages that look at one document at a time streams through the router', () => {
    expect(split(match, unwind, project)).toEqual({ ...streamed, shardPart: [match, unwind, project] });
  });

  test('with a sort is merged by the keys that the shards send, and still filtered by them', () => {
    const part = { ...streamed, needsMerge: true, directions: [1, -1] };
    expect(split(match, sort, unwind, project)).toEqual({ ...part, shardPart: [match, sort, unwind, project] });
  });

  test('bounds what each shard sends by what the router lets through', () => {
    const bounded = split(sort, { $skip: 10 }, { $limit: 5 }, project);
    expect(bounded).toMatchObject({ skip: 10, limit: 5, shardPart: [sort, { $limit: 15 }, project], mergePart: [] });
    expect(split(sort, { $limit: 20 }, { $skip: 15 })).toMatchObject({
      skip: 15,
      limit: 5,
      shardPart: [sort, { $limit: 20 }],
    });
    expect(split({ $limit: 3 }, { $limit: 9 })).toMatchObject({ skip: 0, limit: 3, shardPart: [{ $limit: 3 }] });
    expect(split({ $limit: 3 }, { $skip: 9 })).toMatchObject({ skip: 9, limit: 0 });
  });

  test.each([match, unwind, { $redact: '$$KEEP' }])(
    'leaves to an engine what comes after a limit and is not one to one: %j',
    (stage) => {
      expect(split(sort, { $limit: 3 }, project, stage)).toMatchObject({
        limit: 3,
        shardPart: [sort, { $limit: 3 }, project],
        mergePart: [stage],
      });
    },
  );

  test('groups in two steps', () => {
    const group = {
      $group: {
        _id: '$g',
        n: { $sum: '$x' },
        c: { $count: {} },
        t: { $topN: { n: 2, sortBy: { x: 1 }, output: '$y' } },
      },
    };
    const merging = {
      $group: {
        _id: '$$ROOT._id',
        n: { $sum: '$$ROOT.n' },
        c: { $sum: '$$ROOT.c' },
        t: { $topN: { n: 2, sortBy: { x: 1 }, output: '$$ROOT.t' } },
        $doingMerge: true,
      },
    };
    expect(split(match, group, sort)).toEqual({
      ...streamed,
      needsMerge: true,
      shardPart: [match, group],
      mergePart: [merging, sort],
    });
  });

  test('groups in one step by accumulators that cannot be merged, and after a sort, whose order they may need', () => {
    const firstN = { $group: { _id: null, f: { $firstN: { n: 1, input: '$x' } } } };
    expect(split(firstN)).toEqual({ ...streamed, shardPart: [], mergePart: [firstN] });
    const unknown = { $group: { _id: null, f: { constructor: { n: 1 } } } };
    expect(split(unknown)).toEqual({ ...streamed, shardPart: [], mergePart: [unknown] });
    const group = { $group: { _id: null, f: { $first: '$x' } } };
    expect(split(sort, group)).toMatchObject({ shardPart: [sort], directions: [1, -1], mergePart: [group] });
  });

  test('counts, and groups into buckets, in two steps', () => {
    expect(split({ $count: 'n' })).toMatchObject({
      shardPart: [{ $group: { _id: null, n: { $sum: 1 } } }],
      mergePart: [
        { $group: { _id: '$$ROOT._id', n: { $sum: '$$ROOT.n' }, $doingMerge: true } },
        { $project: { _id: 0 } },
      ],
    });
    expect(split({ $sortByCount: '$a' }).mergePart.at(-1)).toEqual({ $sort: { count: -1 } });
    expect(split({ $bucket: { groupBy: '$a', boundaries: [0, 1] } }).mergePart.at(-1)).toEqual({ $sort: { _id: 1 } });
  });

  test('samples by random numbers, the highest of all shards', () => {
    expect(split({ $sample: { size: 4 } })).toMatchObject({
      directions: [-1],
      limit: 4,
      needsMerge: true,
      mergePart: [],
    });
  });

  test.each([
    { $limit: 0 },
    { $limit: 'x' },
    { $skip: -1 },
    { $sort: 1 },
    { $sample: { size: 0 } },
    { $count: '$a' },
    { $unknown: 1 },
  ])('leaves to an engine to refuse %j', (stage) => {
    expect(split(match, stage)).toEqual({ ...streamed, shardPart: [match], mergePart: [stage] });
  });

  test('keeps statistics on the shards they are of, when they come first', () => {
    expect(split({ $indexStats: {} }, match)).toEqual({ ...streamed, shardPart: [{ $indexStats: {} }, match] });
    expect(split(match, { $indexStats: {} }).mergePart).toEqual([{ $indexStats: {} }]);
  });
});

describe('the other collections of a pipeline', () => {
  test('that it reads, in sub-pipelines too', () => {
    const nested = { $unionWith: { coll: 'c', pipeline: [{ $graphLookup: { from: 'd' } }] } };
    const pipeline = parse([
      { $lookup: { from: 'a', pipeline: [{ $unionWith: 'b' }] } },
      { $facet: { x: [nested] } },
      { $unionWith: { pipeline: [] } },
    ]);
    expect(foreignReads(pipeline, 'db').map(({ ns }) => ns)).toEqual(['db.a', 'db.b', 'db.c', 'db.d']);
  });

  test.each([
    [{ $out: 'o' }, 'db.o'],
    [{ $out: { db: 'other', coll: 'o' } }, 'other.o'],
    [{ $merge: 'o' }, 'db.o'],
    [{ $merge: { into: 'o' } }, 'db.o'],
    [{ $merge: { into: { db: 'other', coll: 'o' } } }, 'other.o'],
    [match, undefined],
  ])('that it writes: %j', (stage, ns) => {
    expect(written(parse([match, stage]), 'db')?.ns).toBe(ns);
  });
});
