import type { Document } from 'bson';
import { expect, test } from 'vitest';
import { inStages, scanOf } from './plan.ts';
import type { RawExchange } from './transcript.ts';

const scan = { stage: 'IXSCAN', indexName: 'email_1', keyPattern: { email: 1 }, indexBounds: {} };
const replied = (reply: Document): RawExchange => ({
  to: 'sh0',
  database: 'db',
  command: { explain: {} },
  reply,
  answeredBy: 'engine',
});
const planned = (winningPlan: Document) => replied({ queryPlanner: { winningPlan, rejectedPlans: [] }, ok: 1 });

test('only the stages of a winning plan are left, and it is marked', () => {
  const [cut] = inStages([planned({ stage: 'FETCH', nss: 'db.c', inputStage: scan })]);
  const stages = { stage: 'FETCH', inputStage: { stage: 'IXSCAN', indexName: 'email_1' } };
  expect(cut).toMatchObject({ isExcerpt: true, answeredBy: 'engine' });
  expect(cut?.reply).toEqual({ queryPlanner: { winningPlan: stages } });
});

test('a refusal is left as it is', () => {
  const refusal = replied({ ok: 0, code: 2 });
  expect(inStages([refusal])).toEqual([refusal]);
});

test.each<[string, Document[]]>([
  ['COLLSCAN', [{ stage: 'COLLSCAN' }]],
  ['email_1', [{ stage: 'FETCH', inputStage: scan }]],
  [
    'email_1',
    [
      { stage: 'FETCH', inputStage: scan },
      { queryPlan: scan, slotBasedPlan: {} },
    ],
  ],
  ['COLLSCAN, email_1', [{ stage: 'OR', inputStages: [scan, { stage: 'COLLSCAN' }] }]],
  ['COLLSCAN, email_1', [scan, { stage: 'COLLSCAN' }]],
  ['', [{ stage: 'EOF' }]],
  [
    'COLLSCAN, email_1',
    [
      {
        stage: 'SHARD_MERGE',
        shards: [
          { shardName: 'sh1', winningPlan: { queryPlan: { stage: 'COLLSCAN' }, slotBasedPlan: {} } },
          { shardName: 'sh0', winningPlan: { stage: 'FETCH', inputStage: scan } },
        ],
      },
    ],
  ],
])('scans %s', (scans, plans) => {
  expect(scanOf(plans.map(planned))).toBe(scans);
});

test('the stages that a router reports are in the order of the shards', () => {
  const shards = ['sh1', 'sh0'].map((shardName) => ({ shardName, host: 'h', winningPlan: { stage: 'COLLSCAN' } }));
  const [cut] = inStages([replied({ queryPlanner: { winningPlan: { stage: 'SHARD_MERGE', shards } }, ok: 1 })]);
  const plans = ['sh0', 'sh1'].map((shardName) => ({ shardName, winningPlan: { stage: 'COLLSCAN' } }));
  expect(cut?.reply).toEqual({ queryPlanner: { winningPlan: { stage: 'SHARD_MERGE', shards: plans } } });
});
