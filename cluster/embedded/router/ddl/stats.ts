/** `collStats`, `dbStats` and `dataSize` over several shards (src/mongo/s/commands/cluster_coll_stats_cmd.cpp, src/mongo/db/shard_role/shard_catalog/cluster_db_stats_cmd.cpp, src/mongo/s/commands/cluster_data_size_cmd.cpp). */
import type { Document } from 'bson';
import { decodePlain, documentOf, elements, field, rawValue, text } from '../../wire/bson.ts';
import { throwIfRefused } from '../ask.ts';
import { type Call, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { ON_CONFIG_SERVER } from '../internal-databases.ts';
import { passThrough } from '../pass-through.ts';
import { collectionNamespace, splitNamespace } from './namespace.ts';

const COLLECTION_SUMS = ['count', 'size', 'storageSize', 'totalIndexSize', 'totalSize'] as const;
/** In the order of the reply, `scaleFactor` before the last two. */
const DATABASE_SUMS = [
  'dataSize',
  'storageSize',
  'freeStorageSize',
  'indexes',
  'indexSize',
  'indexFreeStorageSize',
  'totalSize',
  'totalFreeStorageSize',
] as const;
const DISK_SUMS = ['fsUsedSize', 'fsTotalSize'] as const;

export const statsCommands: Readonly<Record<string, CommandHandler>> = { collStats, dbStats, dataSize };

/** What each shard answered, by the shard's name. */
type Answers = ReadonlyMap<string, Document>;

async function ask(shards: readonly string[], body: Buffer, { catalog }: Router): Promise<Answers> {
  const replies = await Promise.all(shards.map((shard) => catalog.peer(shard).send(body)));
  for (const reply of replies) throwIfRefused(reply);
  return new Map(shards.map((shard, i) => [shard, decodePlain(replies[i] as Buffer)]));
}

function sum(answers: Answers, name: string): number {
  return [...answers.values()].reduce((total, answer) => total + Number(answer[name] ?? 0), 0);
}

async function collStats(call: Call, router: Router): Promise<Reply> {
  const { ns } = collectionNamespace(call);
  return router.catalog.using(ns, async () => {
    const routing = router.catalog.routing(ns);
    if (!routing) return unshardedStats(call, router);
    const answers = await ask(routing.owners, call.body, router);
    return modelReply({
      sharded: true,
      ...merged(ns, answers),
      nchunks: routing.chunks.length,
      shards: Object.fromEntries(answers),
    });
  });
}

/** The shard's own answer, and where it came from. */
async function unshardedStats(call: Call, router: Router): Promise<Reply> {
  const { body } = await passThrough(call, router);
  throwIfRefused(body);
  return modelReply({ sharded: false, primary: router.catalog.primaryOf(call.db), ...decodePlain(body) });
}

function merged(ns: string, answers: Answers): Document {
  const all = [...answers.values()];
  const [first] = all;
  const sums = Object.fromEntries(COLLECTION_SUMS.map((name) => [name, sum(answers, name)]));
  const { count, size, ...sizes } = sums as Record<(typeof COLLECTION_SUMS)[number], number>;
  return {
    capped: false,
    wiredTiger: first?.wiredTiger,
    ns,
    count,
    size,
    ...sizes,
    indexSizes: indexSizes(all),
    avgObjSize: count > 0 ? size / count : 0,
    nindexes: Math.max(...all.map(({ nindexes }) => Number(nindexes ?? 0))),
    scaleFactor: first?.scaleFactor,
  };
}

function indexSizes(all: readonly Document[]): Record<string, number> {
  const sizes: Record<string, number> = {};
  for (const answer of all) {
    for (const [name, size] of Object.entries(answer.indexSizes ?? {})) sizes[name] = (sizes[name] ?? 0) + Number(size);
  }
  return sizes;
}

async function dbStats(call: Call, router: Router): Promise<Reply> {
  if (ON_CONFIG_SERVER.has(call.db)) return passThrough(call, router);
  const shards = router.catalog.shards();
  const answers = await ask(
    shards.map(({ id }) => id),
    call.body,
    router,
  );
  return modelReply({
    raw: Object.fromEntries(shards.map(({ id, host }) => [host, answers.get(id)])),
    db: call.db,
    ...sumsOf(['collections', 'views', 'objects'], answers),
    avgObjSize: averageSize([...answers.values()]),
    ...sumsOf(DATABASE_SUMS, answers),
    scaleFactor: [...answers.values()][0]?.scaleFactor,
    ...sumsOf(DISK_SUMS, answers),
  });
}

/** Sums of what shards tell; the free sizes they tell only when asked. */
function sumsOf(names: readonly string[], answers: Answers): Record<string, number> {
  const told = names.filter((name) => [...answers.values()].some((answer) => name in answer));
  return Object.fromEntries(told.map((name) => [name, sum(answers, name)]));
}

/** In bytes whatever the scale, as each shard's is (SERVER-7347). */
function averageSize(answers: readonly Document[]): number {
  const objects = answers.reduce((total, answer) => total + Number(answer.objects), 0);
  const bytes = answers.reduce((total, answer) => total + Number(answer.avgObjSize) * Number(answer.objects), 0);
  return objects === 0 ? 0 : bytes / objects;
}

/** Names its collection in full: `{ dataSize: "db.coll" }`. */
async function dataSize(call: Call, router: Router): Promise<Reply> {
  const { ns, db } = splitNamespace(text(field(call.body, 'dataSize')) ?? '');
  return router.catalog.using(ns, async () => {
    const owners = router.catalog.routing(ns)?.owners ?? [await router.catalog.ensureDatabase(db)];
    const answers = await ask(owners, inDatabase(call.body, db), router);
    const estimate = [...answers.values()].some((answer) => answer.estimate === true);
    return modelReply({
      estimate,
      size: sum(answers, 'size'),
      numObjects: sum(answers, 'numObjects'),
      millis: sum(answers, 'millis'),
    });
  });
}

/** The command sent to the database of the collection it names, whichever it came to. */
function inDatabase(body: Buffer, db: string): Buffer {
  return documentOf(
    elements(body).map((element) => (element.name === '$db' ? { ...element, ...rawValue(db) } : element)),
  );
}
