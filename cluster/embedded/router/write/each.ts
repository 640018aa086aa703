/** A statement that several shards carry out, each on what it holds. */
import { decodePlain } from '../../wire/bson.ts';
import { all } from '../all.ts';
import { CommandError } from '../command.ts';
import type { Done, WriteError } from './outcome.ts';
import { type Result, record, sendTo, type Write, writeError } from './shards.ts';

const MULTIPLE_ERRORS_OCCURRED = 65;

/**
 * Sends a statement to several shards at once and adds up what they did.
 * @param byId whether it is a write of one document by `_id`: where that is retryable the first document found counts alone, though
 * another shard may hold, and change, one of the same `_id` (SPM-3190, `noteWriteWithoutShardKeyWithIdResponse`)
 */
export async function sendToEach(index: number, shards: readonly string[], byId: boolean, write: Write): Promise<void> {
  const results = await all(shards.map((shard) => sendTo(shard, [index], write)));
  const countsOnce = byId && write.history !== undefined;
  if (countsOnce) write.outcome.answeredBy = 'model';
  record({ done: countsOnce ? firstFound(results) : sum(results), errors: joinErrors(index, results) }, [index], write);
}

function firstFound(results: readonly Result[]): Done {
  return (results.find(({ done }) => done.n > 0) ?? (results[0] as Result)).done;
}

function sum(results: readonly Result[]): Done {
  return {
    n: results.reduce((n, { done }) => n + done.n, 0),
    nModified: results.reduce((n, { done }) => n + done.nModified, 0),
    upserted: [],
  };
}

/** One error for the statement: the first where all have one code, else one that holds them all (`combineOpErrors`). */
function joinErrors(index: number, results: readonly Result[]): WriteError[] {
  const errors = results.flatMap((result) => result.errors);
  const causes = errors.map(({ bytes }) => decodePlain(bytes));
  if (new Set(causes.map(({ code }) => code)).size <= 1) return errors.slice(0, 1);
  const text = causes.map(({ errmsg }) => errmsg).join(' :: and :: ');
  return [
    writeError(
      index,
      new CommandError(MULTIPLE_ERRORS_OCCURRED, `multiple errors for op : ${text}`, { errInfo: { causedBy: causes } }),
    ),
  ];
}
