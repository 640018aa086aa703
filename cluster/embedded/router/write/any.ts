/**
 * A write of one document when several shards may hold a match, or of a new document whose place its query does not tell: the server's
 * two-phase write (src/mongo/s/commands/cluster_query_without_shard_key_cmd.cpp).
 */
import { field } from '../../wire/bson.ts';
import type { RoutingTable } from '../routing.ts';
import { insertNew } from './insert-new.ts';
import { NOTHING } from './outcome.ts';
import { pick, selectionOf } from './pick.ts';
import { type Result, record, sendTo, type Write } from './shards.ts';
import { type Statement, withoutUpsert } from './statement.ts';

/** Changes or deletes exactly one match, wherever it is; an upsert inserts where there is none. */
export async function sendToAny(
  index: number,
  { shards, statement }: { shards: readonly string[]; statement: Statement },
  table: RoutingTable,
  write: Write,
): Promise<void> {
  write.outcome.answeredBy = 'model';
  const changed = await changeFirst(index, await bestFirst(shards, statement, write), statement, write);
  if (changed || !statement.upsert) return record(changed ?? { done: NOTHING, errors: [] }, [index], write);
  record(await insertNew({ index, shards, statement }, table, write), [index], write);
}

/** Asks one shard after the other: no document is changed twice, and none changes shards meanwhile. */
async function changeFirst(
  index: number,
  shards: readonly string[],
  statement: Statement,
  write: Write,
): Promise<Result | undefined> {
  const sent = withoutUpsert(statement);
  for (const shard of shards) {
    const result = await sendTo(shard, [index], write, [sent]);
    if (result.done.n > 0 || result.errors.length > 0) return result;
  }
  return undefined;
}

/** With a sort (of `findAndModify`, and of updateOne since 8.0) the shard that holds the first match comes first. */
export async function bestFirst(
  shards: readonly string[],
  statement: Statement,
  { catalog, command }: Pick<Write, 'catalog' | 'command'>,
): Promise<readonly string[]> {
  if (!field(statement.bytes, 'sort') || shards.length === 1) return shards;
  const best = await pick(catalog, shards, selectionOf(command, statement));
  return best ? [best.shard, ...shards.filter((shard) => shard !== best.shard)] : shards;
}
