/** The public library: a sharded MongoDB cluster on this machine, for as long as a test or an experiment needs it. */
export type {
  Cluster,
  ClusterOptions,
  DistributionInfo,
  ProgressStep,
  Shard,
  StopReport,
} from './cluster.ts';
export { startCluster } from './cluster.ts';
export { DownloadError } from './distributions/download/errors.ts';
export { EmbeddedUnavailableError } from './embedded/unavailable.ts';
export { ClusterStartError, InputError, MemberDiedError } from './errors.ts';
export type { ServerArguments } from './extra-args.ts';
export type { DirectShard, KeyRange, PlacedChunk, Router, ShardCount } from './sharding.ts';
export {
  addShardToZone,
  countsByShard,
  countsThroughRouter,
  enableSharding,
  moveRange,
  placement,
  shardCollection,
  splitAt,
  startBalancer,
  stopBalancer,
  updateZoneKeyRange,
} from './sharding.ts';
