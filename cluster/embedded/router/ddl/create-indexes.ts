/** `createIndexes`: on a sharded collection, on every shard that owns chunks and on the primary shard (src/mongo/db/global_catalog/ddl/cluster_create_indexes_cmd.cpp). */
import { field, firstName } from '../../wire/bson.ts';
import { documentText } from '../bson-text.ts';
import { type Call, CommandError, type CommandHandler, type Reply, type Router } from '../command.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { passThrough } from '../pass-through.ts';
import { fullCollation } from './collation.ts';
import { isUniqueCompatible } from './index-rules.ts';
import { type Index, indexesOf, readIndex } from './indexes.ts';
import { collectionNamespace, type Namespace } from './namespace.ts';
import { documentsIn } from './request.ts';
import { askShards, joinReplies } from './shard-replies.ts';

const CANNOT_CREATE_INDEX = 67;

export const createIndexesCommands: Readonly<Record<string, CommandHandler>> = { createIndexes };

async function createIndexes(call: Call, router: Router): Promise<Reply> {
  const namespace = collectionNamespace(call);
  return router.catalog.using(namespace.ns, async () => {
    const primary = await router.catalog.ensureDatabase(namespace.db);
    const collection = router.metadata.sharded(namespace.ns);
    if (!collection) return passThrough(call, router);
    await checkUnique(call, { namespace, collection, primary }, router);
    const shards = [...new Set([primary, ...collection.routing.owners])].sort();
    return joinReplies(await askShards(shards, call.body, router.catalog), router.catalog);
  });
}

interface Target {
  namespace: Namespace;
  collection: ShardedCollection;
  primary: string;
}

/** A unique index must have the shard key as prefix. A name that is taken is the engine's to speak of, which it does first. */
async function checkUnique(call: Call, target: Target, { catalog }: Router): Promise<void> {
  const { namespace, collection, primary } = target;
  const asked = documentsIn(call, 'indexes', field(call.body, 'indexes')).map(readIndex);
  const forbidden = asked.filter((index) => isForbidden(index, collection.entry.key));
  if (forbidden.length === 0) return;
  const taken = new Set((await indexesOf(catalog.peer(primary), namespace)).map(({ name }) => name));
  const [first] = forbidden.filter(({ name }) => !taken.has(name));
  if (first) throw new CommandError(CANNOT_CREATE_INDEX, refusal(first, collection.entry.key));
}

function isForbidden(index: Index, shardKey: Buffer): boolean {
  return (index.unique || index.prepareUnique) && firstName(index.key) !== '' && !isUniqueCompatible(shardKey, index);
}

function refusal({ key, collation }: Index, shardKey: Buffer): string {
  const options = `with shard key pattern ${documentText(shardKey)} and collation ${documentText(fullCollation(collation))}`;
  return `cannot create index with 'unique' or 'prepareUnique' option over ${documentText(key)} ${options}`;
}
