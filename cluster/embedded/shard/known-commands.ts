/** Tells a command that a `mongod` has and the embedded one lacks from one that no server has. */
import { UNMODELLED_COMMANDS } from '../known-commands.ts';
import { notModelled } from '../not-modelled.ts';
import { CommandError } from '../router/command.ts';

/** Commands of a `mongod` of the 9.0 line, those answered elsewhere left out (https://www.mongodb.com/docs/manual/reference/command/). */
const UNMODELLED_ON_SHARD: ReadonlySet<string> = new Set([
  ...UNMODELLED_COMMANDS,
  'applyOps',
  'checkShardingIndex',
  'cleanupOrphaned',
  'clearLog',
  'cloneCollectionAsCapped',
  'clusterCommitTransaction',
  'dbHash',
  'dbhash',
  'driverOIDTest',
  'features',
  'getChangeStreamState',
  'getDatabaseVersion',
  'getShardMap',
  'getShardVersion',
  'internalRenameIfOptionsAndIndexesMatch',
  'listDatabasesForAllTenants',
  'logApplicationMessage',
  'oidcListKeys',
  'oidcRefreshKeys',
  'prepareTransaction',
  'releaseMemory',
  'removeQuerySettings',
  'replSetAbortPrimaryCatchUp',
  'replSetFreeze',
  'replSetGetRBID',
  'replSetHeartbeat',
  'replSetMaintenance',
  'replSetRequestVotes',
  'replSetResizeOplog',
  'replSetStepUp',
  'replSetSyncFrom',
  'replSetTest',
  'replSetTestEgress',
  'replSetUpdatePosition',
  'setChangeStreamState',
  'setProfilingFilterGlobally',
  'shardingState',
  'splitChunk',
  'splitVector',
  'startRecordingTraffic',
  'stopRecordingTraffic',
  'top',
  'voteAbortIndexBuild',
  'voteCommitIndexBuild',
  'whatsmysni',
]);

/** What servers of a cluster ask each other. */
const INTERNAL_COMMAND = /^_(configsvr|shardsvr|clone|flush|get|recv|transfer|migrate)[A-Z]/;

/** The refusal of a command that nobody answers here: 59 for one that no server knows. */
export function refusalOf(name: string): CommandError {
  if (UNMODELLED_ON_SHARD.has(name) || INTERNAL_COMMAND.test(name)) return notModelled(name);
  return new CommandError(59, `no such command: '${name}'`);
}
