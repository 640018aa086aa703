import { Binary, type Document, type MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { countsThroughRouter, disableBalancing, placement, type Router } from './sharding.ts';

interface Answers {
  collection?: Document | null;
  explain?: Document;
  /** The document in `admin.system.version`, or the error that reading it meets. */
  fcv?: Document | Error | null | undefined;
}

/** A router that notes what it is asked and answers with what is given. */
function routerOf(version: string, answers: Answers = {}) {
  const asked: Document[] = [];
  const cursor = { toArray: async () => [], explain: async () => answers.explain };
  const collection = (name: string) => ({
    findOne: async () => {
      if (name !== 'system.version') return answers.collection ?? null;
      if (answers.fcv instanceof Error) throw answers.fcv;
      return answers.fcv ?? null;
    },
    find: (filter: Document) => {
      asked.push({ [name]: filter });
      return cursor;
    },
    updateOne: async (filter: Document, update: Document) => void asked.push({ [name]: filter, ...update }),
  });
  const command = async (sent: Document): Promise<Document> => {
    asked.push(sent);
    return { ok: 1 };
  };
  const client = { db: () => ({ command, collection }) } as unknown as MongoClient;
  return { router: { client, version } satisfies Router, asked };
}

describe('chunks are found', () => {
  const uuid = new Binary(Buffer.alloc(16, 7), Binary.SUBTYPE_UUID);

  it('by what the entry of the collection says', async () => {
    const { router, asked } = routerOf('5.0.0', { collection: { _id: 'a.b', uuid } });
    await placement(router, 'a.b');
    expect(asked).toEqual([{ chunks: { uuid } }]);
  });

  it('not at all where the collection is not sharded', async () => {
    const { router, asked } = routerOf('8.0.0');
    await expect(placement(router, 'a.b')).resolves.toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe('the balancer is kept away from a collection', () => {
  const command = { configureCollectionBalancing: 'a.b', enableBalancing: false };
  const write = { collections: { _id: 'a.b' }, $set: { noBalance: true } };
  const unauthorized = Object.assign(new Error('not authorized'), { code: 13 });

  it.each<[string, string, Answers['fcv'], Document]>([
    ['8.1 and set to it', '8.1.0', { version: '8.1' }, command],
    ['8.1 and still set to 8.0', '8.1.0', { version: '8.0' }, write],
    ['8.2 that does not let us read it', '8.2.0', unauthorized, command],
    ['7.0 that does not let us read it', '7.0.1', unauthorized, write],
    ['9.0 that says nothing of it', '9.0.0-alpha0', null, command],
  ])('on a cluster of %s', async (_, version, fcv, sent) => {
    const { router, asked } = routerOf(version, { fcv });
    await disableBalancing(router, 'a.b');
    expect(asked).toEqual([sent]);
  });

  it('and another failure to read the compatibility version is not passed over', async () => {
    const { router } = routerOf('8.1.0', { fcv: new Error('connection lost') });
    await expect(disableBalancing(router, 'a.b')).rejects.toThrow('connection lost');
  });
});

it('counts through the router come from explain', async () => {
  const shards = [{ shardName: 'sh0', nReturned: 2 }];
  const { router } = routerOf('8.0.0', { explain: { executionStats: { executionStages: { shards } } } });
  await expect(countsThroughRouter(router, 'a.b.c')).resolves.toEqual([{ shard: 'sh0', count: 2 }]);
});
