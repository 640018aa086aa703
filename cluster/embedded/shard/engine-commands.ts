/** The commands that the engine answers, and what is taken off a command before it goes there. */

import { notModelledReply } from '../not-modelled.ts';
import type { Reply } from '../router/command.ts';
import { field, truthy, without } from '../wire/bson.ts';
import type { Command, Mongod } from './context.ts';

/** Nothing else reaches the engine: it dies with SIGSEGV on some of the commands it lists. */
export const ENGINE_COMMANDS: ReadonlySet<string> = new Set([
  'aggregate',
  'analyze',
  'bulkWrite',
  'collStats',
  'count',
  'create',
  'createIndexes',
  'currentOp',
  'dataSize',
  'dbStats',
  'delete',
  'distinct',
  'drop',
  'dropDatabase',
  'dropIndexes',
  'explain',
  'find',
  'findAndModify',
  'fsync',
  'fsyncUnlock',
  'getMore',
  'getParameter',
  'insert',
  'killCursors',
  'killOp',
  'listCollections',
  'listCommands',
  'listDatabases',
  'listIndexes',
  'lockInfo',
  'planCacheClear',
  'planCacheClearFilters',
  'planCacheListFilters',
  'planCacheSetFilter',
  'reIndex',
  'renameCollection',
  'serverStatus',
  'setParameter',
  'update',
  'validate',
  'validateDBMetadata',
]);

/** The engine refuses a command with any of these (50891), or checks them against clocks it does not keep. */
const SESSION_FIELDS: ReadonlySet<string> = new Set(['lsid', 'txnNumber', 'stmtId', 'stmtIds', '$clusterTime']);

/** Runs a command on the engine. */
export async function askEngine({ request }: Command, { engine }: Mongod): Promise<Reply> {
  const autocommit = field(request.body, 'autocommit');
  if (autocommit && !truthy(autocommit)) {
    return { body: notModelledReply('a multi-document transaction'), answeredBy: 'model' };
  }
  const body = await engine.run(without(request.body, SESSION_FIELDS), request.sequences);
  return { body, answeredBy: 'engine' };
}
