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
import type { Moment } from './state/moment.ts';
import { routerContents } from './state/router-contents.ts';
import type { Contents } from './state/seen.ts';
import { shardContents } from './state/shard-contents.ts';
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
  /**
   * What each shard holds of the collections of a database.
   * @param moment from which on
   * @throws LookError
   */
  contents(database: string, moment: Moment | undefined): Promise<Contents>;
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
    contents: (database, moment) => shardContents(shards, database, moment),
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
    contents: (database) => routerContents(router, shards, database),
  };
}

function clientOf(name: string, shards: readonly DirectShard[]): MongoClient {
  const shard = shards.find((one) => one.name === name);
  if (!shard) throw new Error(`there is no shard ${name}`);
  return shard.client;
}

/** A shard that the router did not ask has nothing; one that is none of ours has its place behind. */
function inOrder(counts: readonly ShardCount[], names: readonly string[]): ShardCount[] {
  const others = counts.filter(({ shard, count }) => count > 0 && !names.includes(shard));
  const countOn = (name: string) => counts.find(({ shard }) => shard === name)?.count ?? 0;
  return [...names.map((shard) => ({ shard, count: countOn(shard) })), ...others];
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
