/** Which commands leave the cluster as it is. */
import type { RawExchange } from '../transcript.ts';

const READS: ReadonlySet<string> = new Set([
  ...['find', 'getMore', 'killCursors', 'count', 'distinct', 'explain', 'listIndexes', 'listCollections'],
  ...['listDatabases', 'listShards', 'collStats', 'dbStats', 'dataSize', 'validate', 'dbHash', 'currentOp'],
  ...['hello', 'isMaster', 'ismaster', 'ping', 'buildInfo', 'serverStatus', 'getParameter', 'getShardVersion'],
]);

/** Whether a command only reads. One that is not known may do anything. */
export function changesNothing({ command }: Pick<RawExchange, 'command'>): boolean {
  const [name = ''] = Object.keys(command);
  return READS.has(name) || (name === 'aggregate' && !writesItsResult(command.pipeline));
}

function writesItsResult(pipeline: unknown): boolean {
  const last = Array.isArray(pipeline) ? pipeline.at(-1) : undefined;
  return last !== undefined && ('$out' in last || '$merge' in last);
}
