/** `dropIndexes`: a range-sharded collection keeps an index that fits its shard key (src/mongo/db/shard_role/shard_catalog/drop_indexes.cpp). */

import { elements, encode, field, type RawValue, Type, text } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { all } from '../all.ts';
import { codeName } from '../codes.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { ON_CONFIG_SERVER } from '../internal-databases.ts';
import { compose } from '../metadata/compose.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { isOk, passThrough } from '../pass-through.ts';
import { isHashedPattern, isSameKey, unfitness } from './index-rules.ts';
import { type Index, indexesOf, isMultikey } from './indexes.ts';
import { collectionNamespace, type Namespace } from './namespace.ts';
import { shardKeyIndexProblem } from './shard-key-index.ts';
import { joinReplies, type ShardReply } from './shard-replies.ts';

const ILLEGAL_OPERATION = 20;
const CANNOT_DROP_SHARD_KEY_INDEX = 370;
const NEVER_MULTIKEY = async (): Promise<boolean> => false;

export const dropIndexesCommands: Readonly<Record<string, CommandHandler>> = {
  dropIndexes,
  deleteIndexes: dropIndexes,
};

async function dropIndexes(call: Call, router: Router): Promise<Reply> {
  const namespace = collectionNamespace(call);
  if (ON_CONFIG_SERVER.has(namespace.db)) {
    throw new CommandError(ILLEGAL_OPERATION, `Cannot drop indexes in '${namespace.db}' database in sharded cluster`);
  }
  // Alone, so that of two drops that leave each other's index for the shard key one finds it gone.
  return router.catalog.changing(namespace.ns, async () => {
    const collection = router.metadata.sharded(namespace.ns);
    if (!collection) return passThrough(call, router);
    const replies = collection.routing.owners.map((shard) =>
      dropOn(shard, { call, namespace, collection }, router.catalog.peer(shard)),
    );
    return joinReplies(await all(replies), router.catalog);
  });
}

interface Drop {
  call: Call;
  namespace: Namespace;
  collection: ShardedCollection;
}

async function dropOn(shard: string, drop: Drop, peer: Peer): Promise<ShardReply> {
  const { call, namespace, collection } = drop;
  const { key } = collection.entry;
  const wanted = field(call.body, 'index');
  const indexes = await indexesOf(peer, namespace);
  if (text(wanted) === '*') return { shard, ...(await dropAllOn(peer, namespace, indexes, key)) };
  for (const index of named(wanted, indexes)) {
    if (await isLast(index, indexes, key, { peer, namespace })) return { shard, ...refusal() };
  }
  return { shard, reply: await peer.send(call.body), answeredBy: 'engine' };
}

/** The indexes that a request means, by name, names or key. */
function named(wanted: RawValue | undefined, indexes: readonly Index[]): Index[] {
  if (wanted?.type === Type.object) return indexes.filter(({ key }) => isSameKey(key, wanted.bytes));
  const names = wanted?.type === Type.array ? elements(wanted.bytes).map((name) => text(name)) : [text(wanted)];
  return indexes.filter(({ name }) => names.includes(name));
}

/** Whether no other index fits the shard key. Indexes of hashed keys may go (SERVER-78253). */
async function isLast(
  index: Index,
  indexes: readonly Index[],
  key: Buffer,
  { peer, namespace }: { peer: Peer; namespace: Namespace },
): Promise<boolean> {
  if (isHashedPattern(key) || !(await fits(index, key))) return false;
  const multikey = ({ name }: Index): Promise<boolean> => isMultikey(peer, namespace, name);
  const others = indexes.filter(({ name }) => name !== index.name);
  return (await shardKeyIndexProblem({ indexes: others, key, multikey })) !== undefined;
}

async function fits(index: Index, key: Buffer): Promise<boolean> {
  return (await unfitness(index, key, { multikey: NEVER_MULTIKEY, singleKey: false })) === undefined;
}

function refusal(): Omit<ShardReply, 'shard'> {
  const errmsg = "Cannot drop the only compatible index for this collection's shard key";
  const code = CANNOT_DROP_SHARD_KEY_INDEX;
  return { reply: encode({ ok: 0, errmsg, code, codeName: codeName(code) }), answeredBy: 'model' };
}

/** `*` spares `_id` and every index that fits the shard key. */
async function dropAllOn(
  peer: Peer,
  { db, collection }: Namespace,
  indexes: readonly Index[],
  key: Buffer,
): Promise<Omit<ShardReply, 'shard'>> {
  const spared = await Promise.all(
    indexes.map(async (index) => index.name === '_id_' || (!isHashedPattern(key) && (await fits(index, key)))),
  );
  const index = indexes.filter((_, i) => !spared[i]).map(({ name }) => name);
  if (index.length > 0) {
    const reply = await peer.send(compose({ dropIndexes: collection, index, $db: db }));
    if (!isOk(reply)) return { reply, answeredBy: 'engine' };
  }
  const msg = 'non-_id indexes and non-shard key indexes dropped for collection';
  return { reply: modelReply({ nIndexesWas: indexes.length, msg }).body, answeredBy: 'model' };
}
