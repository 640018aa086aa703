import { type Db, type Document, MaxKey } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openExistingCluster } from '../../../cluster/existing/cluster.ts';
import { targetOf } from '../../../cluster/existing/target.ts';
import { type Cluster, startCluster } from '../../../cluster/index.ts';
import { shardCollection } from '../../../cluster/sharding.ts';
import type { LabCluster } from '../connections.ts';
import type { Lab } from '../lab.ts';
import type { CollectionState, ResultRecord } from '../record.ts';
import { runExperiment } from '../runner.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ mongodb: 'embedded' });
});
afterAll(() => cluster.stop());

const quiet = { stopped: new AbortController().signal, onThrow: () => {} };

async function recordOf(run: (lab: Lab) => Promise<void>, on: LabCluster = cluster): Promise<ResultRecord> {
  const record = await runExperiment({ number: 1, name: 'one', title: 'One', question: '?', run }, on, quiet);
  expect(record.ended).toEqual({ how: 'completed' });
  return record;
}

/** The only collection after the last step that changed it. */
function lastOf({ steps }: ResultRecord): CollectionState {
  const state = steps.findLast((step) => step.state)?.state ?? [];
  expect(state).toHaveLength(1);
  return state[0] as CollectionState;
}

const insert =
  (...documents: Document[]) =>
  (db: Db) =>
    db.collection('u').insertMany(documents);
const countsIn = ({ shards }: CollectionState) => shards.map(({ count }) => count);

/** Each document's `_id`, with its chunk, on each shard. */
const chunksIn = ({ shards }: CollectionState) =>
  shards.map(({ documents = [] }) => documents.map(({ document, chunk }) => [document._id, chunk]));

test('an orphan is on one shard and belongs to the chunk of the other', async () => {
  const record = await recordOf(async (lab) => {
    await lab.onTwoShards('u', { key: 'k', at: 10 });
    await lab.step('Both shards.', insert({ _id: 'b', k: 10 }, { _id: 'a', k: 1 }));
    await lab.onShard('sh0', 'Past the router.', insert({ _id: 'orphan', k: 11 }, { _id: 'array', k: [1] }));
  });
  expect(chunksIn(lastOf(record))).toEqual([
    [
      ['a', 0],
      ['orphan', 1],
      ['array', undefined],
    ],
    [['b', 1]],
  ]);
  expect(lastOf(record).chunks.map(({ shard }) => shard)).toEqual(['sh0', 'sh1']);
});

test.each<[string, Document, (n: number) => Document]>([
  ['a hashed', { k: 'hashed' }, (n) => ({ k: `user ${n}` })],
  ['a compound', { a: 1, 'b.c': 1 }, (n) => ({ a: n % 2, b: { c: n } })],
  ['a compound hashed', { a: 1, k: 'hashed' }, (n) => ({ a: 1, k: n / 3 })],
])('documents by %s key belong to the chunks of the shard that the router put them on', async (_, key, fields) => {
  const record = await recordOf(async (lab) => {
    const isHashedFirst = Object.values(key)[0] === 'hashed';
    await lab.shardCollection('u', key, isHashedFirst ? { numInitialChunks: 4 } : {});
    if (!isHashedFirst) await splitInTwo(lab, key);
    await lab.step('Twelve.', insert(...Array.from({ length: 12 }, (_, n) => ({ _id: n, ...fields(n) }))));
  });
  const state = lastOf(record);
  const owners = state.shards.map(({ documents = [] }) =>
    documents.map(({ chunk = -1 }) => state.chunks[chunk]?.shard),
  );
  expect(owners.map((shards) => [...new Set(shards)])).toEqual([['sh0'], ['sh1']]);
  expect(owners.flat()).toHaveLength(12);
});

async function splitInTwo(lab: Lab, key: Document): Promise<void> {
  const at = 'k' in key ? { a: 1, k: 0n } : { a: 1, 'b.c': 6 };
  const all = (value: unknown) => Object.fromEntries(Object.keys(key).map((field) => [field, value]));
  await lab.splitAt('u', at);
  await lab.moveRange('u', { min: at, max: all(new MaxKey()) }, 'sh1');
}

test('a collection that is not sharded is on its primary shard, in the order of `_id`; a view and a system collection are not shown', async () => {
  const record = await recordOf(async (lab) => {
    await lab.step('Two.', insert({ _id: 2 }, { _id: 1 }));
    await lab.step('A view.', (db) => db.createCollection('v', { viewOn: 'u', pipeline: [] }));
  });
  const id = { v: 2, key: { _id: 1 }, name: '_id_' };
  expect(record.steps.map(({ state }) => state)).toEqual([
    [
      {
        collection: 'u',
        chunks: [],
        shards: [
          { shard: 'sh0', count: 2, indexes: [id], documents: [{ document: { _id: 1 } }, { document: { _id: 2 } }] },
          { shard: 'sh1', count: 0, indexes: [], documents: [] },
        ],
      },
    ],
    undefined,
  ]);
  expect(record.placement).toEqual({ before: [], after: [] });
});

test('an index that one shard has is on that shard', async () => {
  const record = await recordOf(async (lab) => {
    await lab.onTwoShards('u', { key: 'k', at: 10 });
    await lab.onShard('sh1', 'Past the router.', (db) => db.collection('u').createIndex({ a: 1 }));
  });
  const names = lastOf(record).shards.map(({ indexes }) => indexes.map(({ name }) => name));
  expect(names).toEqual([
    ['_id_', 'k_1'],
    ['_id_', 'a_1', 'k_1'],
  ]);
});

test('a write past the router to a shard that lacks the collection makes it there, with its index', async () => {
  const record = await recordOf(async (lab) => {
    await lab.step('One.', insert({ _id: 1 }));
    await lab.onShard('sh1', 'Past the router.', insert({ _id: 2 }));
  });
  expect(lastOf(record).shards.map(({ indexes }) => indexes.map(({ name }) => name))).toEqual([['_id_'], ['_id_']]);
});

test('what a chunk leaves and what it brings is seen when it has moved, and nothing after a refusal', async () => {
  const record = await recordOf(async (lab) => {
    await lab.onTwoShards('u', { key: 'k', at: 10 });
    await lab.step('One of each.', insert({ _id: 1, k: 1 }, { _id: 2, k: 20 }));
    await lab.step('Refused.', insert({ _id: 1, k: 2 }));
    await lab.moveRange('u', { min: { k: 10 }, max: { k: new MaxKey() } }, 'sh0');
    await lab.step('Gone.', (db) => db.dropCollection('u'));
  });
  const counts = record.steps.map(({ state }) => state?.map(countsIn));
  expect(counts).toEqual([[[0, 0]], [[1, 1]], undefined, [[2, 0]], []]);
  expect(record.placement.before.map(({ documents }) => documents)).toEqual([
    [
      { shard: 'sh0', count: 0 },
      { shard: 'sh1', count: 0 },
    ],
  ]);
  expect(record.placement.after).toEqual([]);
});

test('a race of which one client wins is seen, one of which several win is not', async () => {
  const record = await recordOf(async (lab) => {
    await lab.onTwoShards('u', { key: 'k', at: 10, unique: true });
    await lab.race('The same.', 5, (db) => db.collection('u').insertOne({ k: 1 }));
    await lab.race('Others.', 5, (db) => db.collection('u').insertOne({ k: Math.random() * 10 + 10 }));
  });
  expect(record.steps.map(({ state }) => state?.map(countsIn))).toEqual([[[0, 0]], [[1, 0]], [[undefined, undefined]]]);
});

describe('where only the router can be reached', () => {
  test('chunks, numbers and indexes are those that the shards themselves say', async () => {
    const run = async (lab: Lab) => {
      await lab.onTwoShards('u', { key: 'k', at: 10, unique: true });
      await lab.step('An index.', (db) => db.collection('u').createIndex({ k: 1, a: 1 }));
      await lab.step('Three.', insert({ _id: 1, k: 1 }, { _id: 2, k: 20 }, { _id: 3, k: 30 }));
      await lab.step('Another, not sharded.', (db) => db.collection<{ _id: number }>('plain').insertOne({ _id: 1 }));
      await lab.step('And one that becomes sharded.', async (db, router) => {
        await db.createCollection('late');
        return shardCollection(router, lab.ns('late'), { _id: 1 });
      });
    };
    const direct = await recordOf(run);
    const existing = await openExistingCluster(targetOf(cluster.uri));
    const routed = await recordOf(run, existing).finally(() => existing.close());
    const states = ({ steps }: ResultRecord) => steps.map(({ state }) => state);
    expect(states(routed)).toEqual(states(direct).map((state) => state?.map(withoutDocuments)));
    expect(routed.placement).toEqual(direct.placement);
  });
});

function withoutDocuments(state: CollectionState): CollectionState {
  return { ...state, shards: state.shards.map(({ documents: _, ...shard }) => shard) };
}
