/** Which commands leave the cluster as it is, or all but its documents. */
import type { Document } from 'bson';
import type { RawExchange } from '../transcript.ts';

const READS: ReadonlySet<string> = new Set([
  ...['find', 'getMore', 'killCursors', 'count', 'distinct', 'explain', 'listIndexes', 'listCollections'],
  ...['listDatabases', 'listShards', 'collStats', 'dbStats', 'dataSize', 'validate', 'dbHash', 'currentOp'],
  ...['hello', 'isMaster', 'ismaster', 'ping', 'buildInfo', 'serverStatus', 'getParameter', 'getShardVersion'],
]);
const WRITES: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'findAndModify']);

/** Whether a command only reads. One that is not known may do anything. */
export function changesNothing({ command }: Pick<RawExchange, 'command'>): boolean {
  const name = nameOf(command);
  return READS.has(name) || (name === 'aggregate' && !writesItsResult(command.pipeline));
}

/**
 * The collections whose documents the commands write.
 * @returns undefined where one of them does anything else (shards, moves, creates, commits …), or none writes at all
 */
export function writtenAlone(exchanges: readonly RawExchange[], database: string): string[] | undefined {
  const changes = exchanges.filter((exchange) => !changesNothing(exchange));
  const names = changes.map((one) => (one.database === database ? writtenBy(one) : undefined));
  return changes.length === 0 || names.includes(undefined) ? undefined : names.flatMap((name) => name ?? []);
}

/** The collection whose documents a command writes; undefined where it does anything else. */
export function writtenBy({ command }: Pick<RawExchange, 'command'>): string | undefined {
  const name = nameOf(command);
  return WRITES.has(name) ? String(command[name]) : undefined;
}

/** A command's name is its first field. */
function nameOf(command: Document): string {
  return Object.keys(command)[0] ?? '';
}

function writesItsResult(pipeline: unknown): boolean {
  const last = Array.isArray(pipeline) ? pipeline.at(-1) : undefined;
  return last !== undefined && ('$out' in last || '$merge' in last);
}
