/**
 * An update that may change shard keys. It runs alone on its collection: what it would do is found out first, then a document whose
 * key is changed is replaced where it is or moved to the shard that owns its new key (src/mongo/db/exec/update_stage.cpp).
 */
import { field, number } from '../../wire/bson.ts';
import { CommandError } from '../command.ts';
import { Refused } from '../refused.ts';
import type { RoutingTable } from '../routing.ts';
import { changeMany } from './change-many.ts';
import { insertNew, type Unmatched } from './insert-new.ts';
import { errorsIn, NOTHING } from './outcome.ts';
import { pick, selectionOf } from './pick.ts';
import { putChanged } from './put-changed.ts';
import { scratchUpdate, tryOut } from './scratch.ts';
import { type Result, record, sendTo, type Write, writeError } from './shards.ts';
import { isExactId, type Statement, withoutUpsert } from './statement.ts';

/** MaxTimeMSExpired, CursorKilled, ExceededTimeLimit, InterruptedAtShutdown, Interrupted (the category of src/mongo/base/error_codes.yml). */
const INTERRUPTIONS: ReadonlySet<number> = new Set([50, 237, 262, 11600, 11601]);

/** Runs one update inside {@link Catalog.changing} of its collection. */
export async function runAlone(index: number, statement: Statement, table: RoutingTable, write: Write): Promise<void> {
  const { shards } = table.targets(statement.q, statement.collation);
  write.outcome.answeredBy = 'model';
  record(await resultOf({ index, shards, statement }, table, write), [index], write);
}

async function resultOf(asked: Unmatched, table: RoutingTable, write: Write): Promise<Result> {
  const { index, shards, statement } = asked;
  try {
    const result = await (statement.multi ? changeMany(asked, table, write) : changeOne(asked, table, write));
    if (result) return result;
    if (statement.upsert) return await insertNew(asked, table, write);
  } catch (error) {
    if (error instanceof CommandError) return { done: NOTHING, errors: [writeError(index, error)] };
    if (!(error instanceof Refused) || isInterruption(error)) throw error;
  }
  // Nothing matches, or no shard understands the query: the engine says which.
  return sendTo(shards[0] as string, [index], write, [withoutUpsert(statement)]);
}

/** What was only interrupted would be done where it is sent again, whatever key it gives a document. */
function isInterruption({ reply }: Refused): boolean {
  return INTERRUPTIONS.has(number(field(reply, 'code')) ?? 0);
}

/** Changes the one document; `undefined` when there is none. */
async function changeOne(asked: Unmatched, table: RoutingTable, write: Write): Promise<Result | undefined> {
  const { index, shards, statement } = asked;
  const { catalog, command } = write;
  const found = await pick(catalog, shards, selectionOf(command, statement));
  if (!found) return undefined;
  const trial = await tryOut(catalog.peer(found.shard), [found.document], scratchUpdate(command, statement));
  const errors = errorsIn(trial.reply, [index]);
  const [after] = trial.documents;
  if (errors.length > 0 || !after) return { done: NOTHING, errors };
  // A two-phase write runs in a transaction of the server's own.
  const isInTransaction = shards.length > 1 && !isExactId(statement);
  return putChanged({ index, ...found, after, isInTransaction }, table, write);
}
