/** What each shard holds, asked of the shards themselves: orphans are seen. */
import type { ClientSession, Collection, Document } from 'mongodb';
import { encode } from '../../../cluster/embedded/wire/bson.ts';
import type { DirectShard } from '../../../cluster/sharding.ts';
import { type Moment, since } from './moment.ts';
import { asking, type Contents, isShown, type SeenShard, type ShardSight } from './seen.ts';

/** Documents of one collection on one shard that a reader can still take in, and their size in bytes. */
const MOST_DOCUMENTS = 40;
const MOST_BYTES = 8_192;
const NAMESPACE_NOT_FOUND = 26;

/** @param shards in order */
export function shardSight(shards: readonly DirectShard[]): ShardSight {
  return {
    contents: async (database, moment) => {
      const found = await Promise.all(shards.map((shard) => contentOf(shard, database, moment)));
      return byCollection(shards, found);
    },
    // A write past the router makes the collection, with an index, on a shard that did not have it.
    documents: (database, { collection, shards: known }, moment) =>
      Promise.all(
        shards.map(async ({ name, client }) => {
          const { indexes = [] } = known.find(({ shard }) => shard === name) ?? {};
          const written = client.db(database).collection(collection);
          return asking(`shard ${name}`, async () => {
            const documents = await documentsOf(written, moment);
            return { shard: name, indexes: indexes.length > 0 ? indexes : await indexesOf(written), ...documents };
          });
        }),
      ),
  };
}

type Content = ReadonlyMap<string, SeenShard>;

/** For each collection every shard. */
function byCollection(shards: readonly DirectShard[], found: readonly Content[]): Contents {
  const collections = new Set(found.flatMap((content) => [...content.keys()]));
  const onEach = (collection: string) =>
    shards.map(({ name }, at) => found[at]?.get(collection) ?? { shard: name, count: 0, indexes: [], documents: [] });
  return new Map([...collections].map((collection) => [collection, onEach(collection)]));
}

function contentOf({ name, client }: DirectShard, database: string, moment: Moment | undefined): Promise<Content> {
  const db = client.db(database);
  return asking(`shard ${name}`, async () => {
    const collections = (await db.listCollections({}, { nameOnly: true }).toArray()).filter(isShown);
    const content = collections.map(async (one) => {
      const collection = db.collection(one.name);
      const [documents, indexes] = await Promise.all([documentsOf(collection, moment), indexesOf(collection)]);
      return [one.name, { shard: name, indexes, ...documents }] as const;
    });
    return new Map(await Promise.all(content));
  });
}

async function documentsOf(
  collection: Collection,
  moment: Moment | undefined,
): Promise<Pick<SeenShard, 'count' | 'documents'>> {
  return since(moment, collection.db.client, async (session) => {
    const documents = await fewDocuments(collection, session);
    if (documents) return { count: documents.length, documents };
    return { count: await collection.countDocuments({}, session && { session }) };
  });
}

/** One batch holds at most 16 MB, so that a batch which ends early is one of documents that are too large. */
async function fewDocuments(collection: Collection, session?: ClientSession): Promise<Document[] | undefined> {
  const limit = MOST_DOCUMENTS + 1;
  const options = { limit, singleBatch: true, promoteValues: false, bsonRegExp: true, ...(session && { session }) };
  const documents = await collection.find({}, options).toArray();
  const bytes = documents.reduce((sum, document) => sum + encode(document).length, 0);
  return documents.length > MOST_DOCUMENTS || bytes > MOST_BYTES ? undefined : documents;
}

async function indexesOf(collection: Collection): Promise<Document[]> {
  try {
    return await collection.listIndexes().toArray();
  } catch (error) {
    if ((error as { code?: unknown }).code === NAMESPACE_NOT_FOUND) return []; // dropped since it was listed
    throw error;
  }
}
