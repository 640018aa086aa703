/** The document that an upsert inserts when nothing matches, on the shard where it belongs. */
import { field, rawValue } from '../../wire/bson.ts';
import { CommandError } from '../command.ts';
import type { RoutingTable } from '../routing.ts';
import { changedShardKeyError } from './key-change-errors.ts';
import { errorsIn, NOTHING } from './outcome.ts';
import { scratchUpdate, tryOut } from './scratch.ts';
import { insertInto, type Result, stageError, type Write, writeError } from './shards.ts';
import type { Statement } from './statement.ts';

const ILLEGAL_OPERATION = 20;

/** An upsert that matched nothing on the shards it was sent to. */
export interface Unmatched {
  index: number;
  shards: readonly string[];
  statement: Statement;
}

/** Has an engine make the document, as the update says, and inserts it. */
export async function insertNew(
  { index, shards, statement }: Unmatched,
  table: RoutingTable,
  write: Write,
): Promise<Result> {
  const peer = write.catalog.peer(shards[0] as string);
  const { reply, documents } = await tryOut(peer, [], scratchUpdate(write.command, statement, true));
  const [document] = documents;
  if (!document) return { done: NOTHING, errors: errorsIn(reply, [index]) };
  try {
    return await insertWhereItBelongs(document, { index, shards }, table, write);
  } catch (error) {
    if (error instanceof CommandError) return { done: NOTHING, errors: [writeError(index, error)] };
    throw error;
  }
}

/**
 * Inserts the document that an upsert has made.
 * @throws CommandError 61 when there is an array in the shard key; 20 when the one shard that was asked is not the owner and the write
 * not retryable
 */
export async function insertWhereItBelongs(
  document: Buffer,
  { index, shards }: Pick<Unmatched, 'index' | 'shards'>,
  table: RoutingTable,
  write: Write,
): Promise<Result> {
  const owner = table.chunkOf(table.keyOf(document)).shard;
  const isElsewhere = shards.length === 1 && owner !== shards[0];
  if (isElsewhere && !write.history) {
    throw stageError(
      write,
      ILLEGAL_OPERATION,
      'The upsert document could not be inserted onto the shard targeted by the query, since its shard key belongs on a different ' +
        'shard. Cross-shard upserts are only allowed when running in a transaction or with retryWrites: true.',
    );
  }
  const { errors } = await insertInto(owner, index, document, write);
  if (errors.length > 0) return { done: NOTHING, errors: isElsewhere ? errors.map(changedShardKeyError) : errors };
  const id = field(document, '_id') ?? rawValue(null);
  return { done: { n: 1, nModified: 0, upserted: [{ index, id }] }, errors };
}
