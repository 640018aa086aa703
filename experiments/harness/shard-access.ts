/** How it is found out what is on each shard: by asking each, or, where none can be reached, through the router. */
import type { Db, Document, FindCursor, MongoClient } from 'mongodb';
import {
  countsByShard,
  countsThroughRouter,
  type DirectShard,
  type Router,
  type ShardCount,
} from '../../cluster/sharding.ts';
import { inStages } from './plan.ts';
import { inOrder, routerSight } from './state/router-sight.ts';
import type { ShardSight } from './state/seen.ts';
import { shardSight } from './state/shard-sight.ts';
import type { RawExchange } from './transcript.ts';

/** See the file's comment. */
export interface ShardAccess {
  /** @throws NoWayToShard */
  client(shard: string): MongoClient;
  /** In the order of the shards. */
  counts(ns: string, filter?: Document): Promise<ShardCount[]>;
  /** What a report shows of counting. */
  keptOfCounts(exchanges: readonly RawExchange[]): RawExchange[];
  /** @param query makes the cursor on the database it is given */
  explain(database: string, query: (db: Db) => FindCursor): Promise<void>;
  /** What a report shows of explaining. */
  keptOfPlans(exchanges: readonly RawExchange[]): RawExchange[];
  /** What is looked at between the steps. */
  readonly sight: ShardSight;
}

/** An experiment needs a shard itself, and only the router can be reached: it is skipped. */
export class NoWayToShard extends Error {
  override readonly name = 'NoWayToShard';
}

/** Each shard is asked. Orphans are seen. */
export function pastTheRouter(shards: readonly DirectShard[]): ShardAccess {
  const names = shards.map(({ name }) => name);
  return {
    client: (shard) => clientOf(shard, shards),
    counts: (ns, filter) => countsByShard(shards, ns, filter),
    keptOfCounts: (exchanges) => exchanges.toSorted((one, other) => names.indexOf(one.to) - names.indexOf(other.to)),
    explain: async (database, query) => {
      for (const { client } of shards) await query(client.db(database)).explain('queryPlanner');
    },
    keptOfPlans: inStages,
    sight: shardSight(shards),
  };
}

/** The router explains what it reads from each shard. Orphans are not seen. */
export function throughTheRouter(router: Router, shards: readonly string[]): ShardAccess {
  return {
    client: (shard) => {
      throw new NoWayToShard(`it needs to ask shard ${shard} past the router, and only the router can be reached here`);
    },
    counts: async (ns, filter) => inOrder(await countsThroughRouter(router, ns, filter), shards),
    keptOfCounts: (exchanges) => exchanges.map(inCounts),
    explain: async (database, query) => {
      await query(router.client.db(database)).explain('queryPlanner');
    },
    keptOfPlans: inStages,
    sight: routerSight(router, shards),
  };
}

function clientOf(name: string, shards: readonly DirectShard[]): MongoClient {
  const shard = shards.find((one) => one.name === name);
  if (!shard)
    throw new Error(
      `there is no shard ${name}; lab.shards has their names: ${shards.map((one) => one.name).join(', ')}`,
    );
  return shard.client;
}

/** A reply to `explain` cut down to what each shard gave. A refusal is left as it is. */
function inCounts(exchange: RawExchange): RawExchange {
  const shards: Document[] | undefined = exchange.reply?.executionStats?.executionStages?.shards;
  if (!shards) return exchange;
  const given = shards.map(({ shardName, nReturned }) => ({ shardName, nReturned })).sort(byShard);
  return { ...exchange, reply: { executionStats: { executionStages: { shards: given } } }, isExcerpt: true };
}

function byShard(one: { shardName: string }, other: { shardName: string }): number {
  return one.shardName < other.shardName ? -1 : 1;
}
