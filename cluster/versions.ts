/** Where versions of MongoDB are driven, and answer, differently: each difference once, with its source. Pure. */
import type { Binary, Document } from 'mongodb';
import semver from 'semver';
import { serverVersion } from './distributions/version.ts';
import type { KeyRange, ShardCount } from './sharding.ts';

/**
 * Moves one whole chunk; the reply comes when the donor has deleted its documents. `moveRange` came with 6.0
 * (https://www.mongodb.com/docs/manual/reference/command/moveRange/); before it, `moveChunk` with the chunk's bounds
 * (src/mongo/s/commands/cluster_move_chunk_cmd.cpp).
 */
export function moveCommand(version: string, ns: string, { min, max }: KeyRange, toShard: string): Document {
  if (isSince(version, '6.0.0')) return { moveRange: ns, min, max, toShard, waitForDelete: true };
  return { moveChunk: ns, bounds: [min, max], to: toShard, _waitForDelete: true };
}

/**
 * Which entries of `config.collections` are of sharded collections. 4.4 keeps those of dropped ones (`dropped`,
 * src/mongo/s/catalog/type_collection.h); from 8.0 on there are those of unsharded ones that are tracked (`unsplittable`,
 * src/mongo/s/catalog/type_collection.idl).
 */
export const OF_SHARDED = { dropped: { $ne: true }, unsplittable: { $ne: true } } as const;

/**
 * Which documents of `config.chunks` are a collection's: by `ns` until 4.4, by `uuid` from 5.0, when `ns` went
 * (src/mongo/s/catalog/type_chunk.h).
 * @param entry the collection's in `config.collections`
 */
export function chunkFilter(version: string, entry: { _id: string; uuid?: Binary }): Document {
  return isSince(version, '5.0.0') ? { uuid: entry.uuid } : { ns: entry._id };
}

/**
 * Keeps the balancer away from one collection. A command does it from feature compatibility version 8.1 on (SERVER-78849); before, the
 * shell writes to `config.collections` itself, by the same rule (`disableBalancing` in src/mongo/shell/collection.js). Servers of 5.3 to
 * 8.0 have the command and pass over the field (src/mongo/s/request_types/configure_collection_balancing.idl, `strict: false`).
 * @param fcv the feature compatibility version
 * @returns undefined where it is `noBalance: true` in the collection's entry
 */
export function balancingOffCommand(fcv: string, ns: string): Document | undefined {
  return isSince(fcv, '8.1.0') ? { configureCollectionBalancing: ns, enableBalancing: false } : undefined;
}

/**
 * What a `find` returned from each shard that was asked, out of its `explain` with `executionStats` through a router: by name of the shard.
 * 4.4 to 9.0 put it in the same place, whether one shard was asked or several and whichever engine ran there (`buildExecStats` in
 * src/mongo/s/query/cluster_explain.cpp, later src/mongo/s/query/planner/cluster_explain.cpp).
 */
export function countsInExplain(explained: Document): ShardCount[] {
  const shards: Document[] = explained.executionStats?.executionStages?.shards ?? [];
  return shards
    .map(({ shardName, nReturned }) => ({ shard: shardName, count: nReturned }))
    .sort((a, b) => (a.shard < b.shard ? -1 : 1));
}

/**
 * What a server of a throw-away cluster is told, so that nothing waits for what only a cluster in use needs. Each can be set while the
 * server runs, and only one that has it is told: at the start, a name that a version does not know makes it refuse to start.
 * They change how long something takes and never what comes of it.
 */
export const WAITS: Readonly<Record<string, number>> = {
  // Every version. A chunk that was moved without waiting leaves its documents on the donor for 900 s; 1 in the server's own tests
  // (src/mongo/db/s/sharding_runtime_d_params.idl; buildscripts/resmokelib/testing/fixtures/standalone.py).
  orphanCleanupDelaySecs: 1,
  // Every version. On a slow machine a migration fails after 500 ms of waiting for a lock; 30,000 in jstests/libs/shardingtest.js.
  migrationLockAcquisitionMaxWaitMS: 30_000,
  // From 5.0. A resharding takes 300,000 ms at least; 0 in many of jstests/sharding (src/mongo/db/s/resharding/resharding_server_parameters.idl).
  reshardingMinimumOperationDurationMillis: 0,
  // From 5.0. On a slow machine a resharding fails after 5,000 ms in its critical section; 86,400 in standalone.py.
  reshardingCriticalSectionTimeoutMillis: 86_400,
  // From 8.1. To be lowered together with the minimum, says its description.
  reshardingDelayBeforeRemainingOperationTimeQueryMillis: 0,
};

function isSince(version: string, since: string): boolean {
  return semver.gte(serverVersion(version), since);
}
