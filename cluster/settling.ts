/**
 * What a new cluster would still do by itself later, done or set before anything is measured. The order is that of the server's own test
 * clusters (jstests/libs/shardingtest.js).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { type Router, shardCollection } from './sharding.ts';
import { WAITS } from './versions.ts';
import { allOrFirstFailure } from './waiting.ts';

/** For a migration that is under way to end, in milliseconds. */
const MIGRATION_LIMIT_MS = 30_000;
const LOOK_AGAIN_MS = 50;

/** No such parameter, of those that were asked for. */
const INVALID_OPTIONS = 72;
const NO_SUCH_COMMAND = 59;

/**
 * Sets those of {@link WAITS} that the server has.
 * @param except names that the user has set
 * @throws the first refusal, once the others are set
 */
export async function shortenWaits(client: MongoClient, except: readonly string[]): Promise<void> {
  const admin = client.db('admin');
  const wanted = Object.keys(WAITS).filter((name) => !except.includes(name));
  const asked = Object.fromEntries(wanted.map((name) => [name, 1]));
  const there = await admin.command({ getParameter: 1, ...asked }).catch(unless(INVALID_OPTIONS));
  const known = wanted.filter((name) => there && name in there);
  const set = known.map((name) => admin.command({ setParameter: 1, [name]: WAITS[name] }));
  await allOrFirstFailure(set, () => {});
}

/**
 * Shards `config.system.sessions`, which the config server would do by itself within five minutes, in the middle of an experiment. A test
 * cluster has it done by `refreshLogicalSessionCacheNow`, which a server only knows under `enableTestCommands`; what that does is this
 * (src/mongo/db/s/sessions_collection_config_server.cpp), and it is the one collection of `config` that anybody may shard
 * (jstests/sharding/shard_config_db_collections.js). It needs a shard.
 */
export async function shardSessions(router: Router): Promise<void> {
  await shardCollection(router, 'config.system.sessions', { _id: 1 });
}

/** A shard learns of the sessions collection now and not with the first session that it writes down. */
export async function refreshShard(client: MongoClient): Promise<void> {
  const refresh = { _flushRoutingTableCacheUpdates: 'config.system.sessions' };
  await client.db('admin').command(refresh).catch(unless(NO_SUCH_COMMAND));
}

/** The router forgets what it knew of a cluster without shards (https://www.mongodb.com/docs/manual/reference/command/flushRouterConfig/). */
export async function refreshRouter({ client }: Pick<Router, 'client'>): Promise<void> {
  await client.db('admin').command({ flushRouterConfig: 1 });
}

/**
 * @param shards direct connections
 * @throws Error when migrations have not ended in time, with what is still under way
 */
export async function untilNothingMoves(
  router: Pick<Router, 'client'>,
  shards: readonly MongoClient[],
  limitMs: number = MIGRATION_LIMIT_MS,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const moving = await whatMoves(router, shards);
    if (!moving) return;
    if (performance.now() > deadline) throw new Error(`after ${limitMs / 1000} s there is still ${moving}`);
    await sleep(LOOK_AGAIN_MS);
  }
}

/** `config.migrations` is the balancer's list until 6.0, `config.migrationCoordinators` a donor's own from 4.4 on; a version without them has none. */
async function whatMoves(
  { client }: Pick<Router, 'client'>,
  shards: readonly MongoClient[],
): Promise<string | undefined> {
  const { mode, inBalancerRound } = await client.db('admin').command({ balancerStatus: 1 });
  if (mode !== 'off') return `a balancer that is on (mode ${mode})`;
  if (inBalancerRound) return 'a round of the balancer';
  const listed = await firstNamespace(client, 'migrations');
  if (listed) return `a migration of ${listed}`;
  const donors = await Promise.all(shards.map((shard) => firstNamespace(shard, 'migrationCoordinators')));
  const donated = donors.find(Boolean);
  return donated && `a migration of ${donated} that its donor has not finished`;
}

/** Of the first document, where there is one. */
async function firstNamespace(client: MongoClient, collection: string): Promise<string | undefined> {
  const found = await client.db('config').collection<{ ns?: string; nss?: string }>(collection).findOne();
  return found ? (found.ns ?? found.nss ?? 'a collection') : undefined;
}

/** For a rejection: passes over this code, throws anything else. */
function unless(code: number) {
  return (error: { code?: unknown }): undefined => {
    if (error.code !== code) throw error;
  };
}
