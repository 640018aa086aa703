/** Tells a command that a `mongos` has and the embedded one lacks from one that no server has. */
import { UNMODELLED_COMMANDS } from '../known-commands.ts';
import { notModelled } from '../not-modelled.ts';
import { CommandError } from './command.ts';

const COMMAND_NOT_FOUND = 59;

/** Commands of a mongos of the 9.0 line, those answered elsewhere left out (src/mongo/s/commands/, src/mongo/db/global_catalog/ddl/). */
const UNMODELLED_ON_ROUTER: ReadonlySet<string> = new Set([
  ...UNMODELLED_COMMANDS,
  'abortMoveCollection',
  'abortReshardCollection',
  'abortRewriteCollection',
  'abortUnshardCollection',
  'analyze',
  'checkMetadataConsistency',
  'cleanupReshardCollection',
  'commitReshardCollection',
  'commitShardRemoval',
  'currentOp',
  'fsync',
  'fsyncUnlock',
  'killOp',
  'listCommands',
  'moveCollection',
  'movePrimary',
  'multicast',
  'netstat',
  'planCacheClear',
  'planCacheClearFilters',
  'planCacheListFilters',
  'planCacheSetFilter',
  'removeShard',
  'repairShardedCollectionChunksHistory',
  'resetPlacementHistory',
  'reshardCollection',
  'rewriteCollection',
  'shardDrainingStatus',
  'startShardDraining',
  'stopShardDraining',
  'transitionToDedicatedConfigServer',
  'unshardCollection',
  'validateDBMetadata',
]);

/** The refusal of a command that nobody answers here: 59 for one that no server knows. */
export function refusalOf(name: string): CommandError {
  return isUnmodelled(name) ? notModelled(name) : new CommandError(COMMAND_NOT_FOUND, `no such cmd: ${name}`);
}

/** Whether a real router would know what to do. */
export function isUnmodelled(name: string): boolean {
  return UNMODELLED_ON_ROUTER.has(name);
}
