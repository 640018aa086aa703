import { describe, expect, it } from 'vitest';
import { assemble } from './assemble.ts';
import type { LabCluster } from './connections.ts';
import type { ResultRecord } from './record.ts';
import type { RawStep } from './steps.ts';

function recordFrom(distribution: Partial<LabCluster['distribution']>, steps: readonly RawStep[] = []): ResultRecord {
  const [version, gitVersion] = ['8.0.4', 'beef'];
  const cluster: LabCluster = {
    uri: 'mongodb://127.0.0.1:1/',
    version,
    distribution: { kind: 'system', version, gitVersion, modelled: false, ...distribution },
    shards: [{ name: 'sh0' }, { name: 'sh1' }],
    failed: new AbortController().signal,
  };
  const experiment = { number: 101, name: 'a', title: 'A', question: 'Is it?', run: async () => {} };
  return assemble({ experiment, cluster, ended: { how: 'completed' }, steps });
}

describe('a record says whose servers they were', () => {
  it('in one way of real ones, from wherever they came', () => {
    const record = recordFrom({ kind: 'system' });
    expect(record.environment.distribution).toBe('real MongoDB');
    expect(recordFrom({ kind: 'download' })).toEqual(record);
  });

  it.each([
    ['embedded ones', { kind: 'embedded', modelled: true }, 'embedded'],
    ['embedded ones under the names of real ones', { kind: 'download', modelled: true }, 'embedded'],
    ['a cluster that somebody else runs', { kind: 'existing' }, 'existing'],
  ])('%s', (_, distribution, word) => {
    expect(recordFrom(distribution).environment.distribution).toBe(word);
  });

  it('and what the user told them', () => {
    const told = { mongod: ['--setParameter', 'a=1'] };
    expect(recordFrom({ arguments: told }).environment.arguments).toEqual(told);
    expect(recordFrom({}).environment).not.toHaveProperty('arguments');
  });
});

it('the story begins after the steps that only arrange collections, also where nothing else follows', () => {
  const step: RawStep = { section: 'story', caption: '', exchanges: [], observed: { ok: true }, isArrangement: true };
  const seen = (count: number) => [
    {
      collection: 'u',
      sharded: { key: { k: 1 }, unique: false },
      chunks: [],
      shards: [{ shard: 'sh0', count, indexes: [] }],
    },
  ];
  const arranging = [step, { ...step, seen: seen(1) }];
  const counts = (steps: readonly RawStep[]) => {
    const { before, after } = recordFrom({}, steps).placement;
    return [before, after].map((placed) => placed.map(({ documents }) => documents[0]?.count));
  };
  expect(counts(arranging)).toEqual([[1], [1]]);
  expect(counts([...arranging, { ...step, seen: seen(2), isArrangement: false }])).toEqual([[1], [2]]);
});
