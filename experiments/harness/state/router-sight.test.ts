import { type Document, Timestamp } from 'bson';
import { MongoClient } from 'mongodb';
import { expect, test } from 'vitest';
import { clusterTime, fakeCluster } from '../fake-cluster.fixture.ts';
import { inOrder, routerSight } from './router-sight.ts';

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

test('nothing is counted before every shard shows what a step was promised', async () => {
  const sent: Document[] = [];
  const answer = (command: Document) => void sent.push(command);
  await using cluster = await fakeCluster(answer, { version: '8.0.4', modelled: false });
  const client = new MongoClient(cluster.uri);
  const operationTime = new Timestamp({ t: 7, i: 1 });
  const sight = routerSight({ client, version: '8.0.4' }, ['sh0', 'sh1']);
  const seen = { collection: 'users', chunks: [], shards: [] };
  await sight.documents('d', seen, { operationTime, $clusterTime: clusterTime(7) });
  await sight.documents('d', seen, undefined);
  await client.close();
  const times = sent.map(({ readConcern }) => readConcern?.afterClusterTime);
  expect(sent[0]).toMatchObject({ aggregate: 'users', pipeline: [{ $match: {} }, { $group: {} }] });
  expect([times[0], times.slice(1).filter(Boolean)]).toEqual([operationTime, []]);
  expect(sent.filter(({ explain }) => explain)).toHaveLength(2);
});
