/** What each shard holds, as far as the router lets it be seen: numbers and indexes of the documents that the shards own. */
import type { Document } from 'mongodb';
import { countsThroughRouter, type Router, type ShardCount } from '../../../cluster/sharding.ts';
import { type Moment, since } from './moment.ts';
import { asking, isShown, type SeenShard, type ShardSight } from './seen.ts';

/** @param shards every shard's name, in order */
export function routerSight(router: Router, shards: readonly string[]): ShardSight {
  const of = async (database: string, collection: string, moment: Moment | undefined) => {
    await caughtUp(router, database, collection, moment);
    return held(router, shards, database, collection);
  };
  return {
    contents: (database, moment) =>
      asking('the router', async () => {
        const listed = await router.client.db(database).listCollections({}, { nameOnly: true }).toArray();
        const content = listed
          .filter(isShown)
          .map(async ({ name }) => [name, await of(database, name, moment)] as const);
        return new Map(await Promise.all(content));
      }),
    documents: (database, { collection }, moment) => asking('the router', () => of(database, collection, moment)),
  };
}

/** Plans are not made with `afterClusterTime`; once every document was read with it, each shard shows what was committed. */
async function caughtUp({ client }: Router, database: string, name: string, moment: Moment | undefined): Promise<void> {
  if (!moment) return;
  await since(moment, client, (session) =>
    client
      .db(database)
      .collection(name)
      .countDocuments({}, session && { session }),
  );
}

async function held(router: Router, shards: readonly string[], database: string, name: string): Promise<SeenShard[]> {
  const [counts, indexes] = await Promise.all([
    countsThroughRouter(router, `${database}.${name}`),
    indexesByShard(
      router.client
        .db(database)
        .collection(name)
        .aggregate([{ $indexStats: {} }]),
    ),
  ]);
  return inOrder(counts, shards).map((one) => ({ ...one, indexes: indexes.get(one.shard) ?? [] }));
}

/** `$indexStats` names the shard and gives the specification since 4.4 (https://www.mongodb.com/docs/manual/reference/operator/aggregation/indexStats/). */
async function indexesByShard(stats: { toArray(): Promise<Document[]> }): Promise<Map<string, Document[]>> {
  const byShard = new Map<string, Document[]>();
  for (const { shard, spec } of await stats.toArray()) byShard.set(shard, [...(byShard.get(shard) ?? []), spec]);
  return byShard;
}

/**
 * What the router counted, in the order of the shards' names: one that it did not ask has nothing, one that is none of ours and has something
 * stands behind.
 */
export function inOrder(counts: readonly ShardCount[], names: readonly string[]): ShardCount[] {
  const others = counts.filter(({ shard, count }) => count > 0 && !names.includes(shard));
  const countOn = (name: string) => counts.find(({ shard }) => shard === name)?.count ?? 0;
  return [...names.map((shard) => ({ shard, count: countOn(shard) })), ...others];
}
