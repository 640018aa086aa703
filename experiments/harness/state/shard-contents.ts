/** What each shard holds, asked of the shards themselves: orphans are seen. */
import type { ClientSession, Collection, Document } from 'mongodb';
import { encode } from '../../../cluster/embedded/wire/bson.ts';
import type { DirectShard } from '../../../cluster/sharding.ts';
import { type Moment, since } from './moment.ts';
import { asking, type Contents, isShown, type SeenShard } from './seen.ts';

/** Documents of one collection on one shard that a reader can still take in, and their size in bytes. */
export const MOST_DOCUMENTS = 40;
const MOST_BYTES = 8_192;
const NAMESPACE_NOT_FOUND = 26;

/**
 * @returns for each collection every shard, in the order given
 * @throws LookError
 */
export async function shardContents(
  shards: readonly DirectShard[],
  database: string,
  moment: Moment | undefined,
): Promise<Contents> {
  const found = await Promise.all(shards.map((shard) => contentOf(shard, database, moment)));
  const collections = new Set(found.flatMap((content) => [...content.keys()]));
  const onEach = (collection: string) =>
    shards.map(({ name }, at) => found[at]?.get(collection) ?? { shard: name, count: 0, indexes: [], documents: [] });
  return new Map([...collections].map((collection) => [collection, onEach(collection)]));
}

async function contentOf({ name, client }: DirectShard, database: string, moment: Moment | undefined) {
  const db = client.db(database);
  return asking(`shard ${name}`, async () => {
    const collections = (await db.listCollections({}, { nameOnly: true }).toArray()).filter(isShown);
    const content = collections.map(
      async (one) => [one.name, await held(db.collection(one.name), name, moment)] as const,
    );
    return new Map(await Promise.all(content));
  });
}

async function held(collection: Collection, shard: string, moment: Moment | undefined): Promise<SeenShard> {
  const few = (session?: ClientSession) => fewDocuments(collection, session);
  const [documents, indexes] = await Promise.all([since(moment, collection.db.client, few), indexesOf(collection)]);
  if (documents) return { shard, count: documents.length, indexes, documents };
  return { shard, count: await collection.countDocuments(), indexes };
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
