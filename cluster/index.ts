/** The public library: a sharded MongoDB cluster on this machine, for as long as a test or an experiment needs it. */
export type { Cluster, ClusterOptions, DistributionInfo, ProgressStep, Shard, StopReport } from './cluster.ts';
export { ClusterStartError, InputError, MemberDiedError } from './errors.ts';
