import { Binary, type Document, MaxKey, MinKey, type MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { countsThroughRouter, moveRange, placement, type Router } from './sharding.ts';

/** A router that notes what it is asked and answers with what is given. */
function routerOf(version: string, answers: { collection?: Document | null; explain?: Document } = {}) {
  const asked: Document[] = [];
  const cursor = { toArray: async () => [], explain: async () => answers.explain };
  const collection = (name: string) => ({
    findOne: async () => answers.collection ?? null,
    find: (filter: Document) => {
      asked.push({ [name]: filter });
      return cursor;
    },
  });
  const command = async (sent: Document): Promise<Document> => {
    asked.push(sent);
    return { ok: 1 };
  };
  const client = { db: () => ({ command, collection }) } as unknown as MongoClient;
  return { router: { client, version } satisfies Router, asked };
}

describe('a chunk is moved', () => {
  const range = { min: { uid: new MinKey() }, max: { uid: new MaxKey() } };

  it.each(['4.4.29', '5.0.31'])('by moveChunk on %s', async (version) => {
    const { router, asked } = routerOf(version);
    await moveRange(router, 'a.b', range, 'sh1');
    expect(asked).toEqual([{ moveChunk: 'a.b', bounds: [range.min, range.max], to: 'sh1', _waitForDelete: true }]);
  });

  it.each(['6.0.0', '8.2.1', '9.0.0-alpha0'])('by moveRange on %s', async (version) => {
    const { router, asked } = routerOf(version);
    await moveRange(router, 'a.b', range, 'sh1');
    expect(asked).toEqual([{ moveRange: 'a.b', ...range, toShard: 'sh1', waitForDelete: true }]);
  });
});

describe('chunks are found', () => {
  const uuid = new Binary(Buffer.alloc(16, 7), Binary.SUBTYPE_UUID);

  it.each<[string, Document]>([
    ['4.4.29', { ns: 'a.b' }],
    ['5.0.0', { uuid }],
    ['9.0.0-alpha0', { uuid }],
  ])('on %s by %o', async (version, filter) => {
    const { router, asked } = routerOf(version, { collection: { _id: 'a.b', uuid } });
    await placement(router, 'a.b');
    expect(asked).toEqual([{ chunks: filter }]);
  });

  it('not at all where the collection is not sharded', async () => {
    const { router, asked } = routerOf('8.0.0');
    await expect(placement(router, 'a.b')).resolves.toEqual([]);
    expect(asked).toEqual([]);
  });
});

it('counts through the router come from explain, by name of the shard', async () => {
  const shards = [
    { shardName: 'sh1', nReturned: 1 },
    { shardName: 'sh0', nReturned: 2 },
  ];
  const { router } = routerOf('8.0.0', {
    explain: { executionStats: { executionStages: { stage: 'SHARD_MERGE', shards } } },
  });
  await expect(countsThroughRouter(router, 'a.b.c')).resolves.toEqual([
    { shard: 'sh0', count: 2 },
    { shard: 'sh1', count: 1 },
  ]);
});
