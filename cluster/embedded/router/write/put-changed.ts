/** A document that an update has changed, put where its shard key belongs. */
import { Type } from '../../wire/bson.ts';
import { CommandError } from '../command.ts';
import { compareKeys } from '../compare.ts';
import type { RoutingTable, ShardKeyValues } from '../routing.ts';
import { valueAt } from '../shard-key.ts';
import { moveDocument } from './move-document.ts';
import { type Result, replaceOn, stageError, type Write } from './shards.ts';

const ILLEGAL_OPERATION = 20;
const NOT_SINGLE_VALUE_FIELD = 54;
const INVALID_OPTIONS = 72;

/** A document before and after an update. */
export interface Change {
  /** The update's place in the command. */
  index: number;
  /** Where the document is. */
  shard: string;
  document: Buffer;
  after: Buffer;
  isInTransaction: boolean;
}

/**
 * Replaces the document on its shard, or moves it to the shard that owns its new key.
 * @throws CommandError 54, 20 or 72, in this order, when the server would not change the key
 */
export async function putChanged(change: Change, table: RoutingTable, write: Write): Promise<Result> {
  const before = table.keyOf(change.document);
  const after = keyAfter(table, change.after, write);
  if (compareKeys(before, after) === 0) return replaceOn(change.shard, change.index, change.after, write);
  if (!write.history && !change.isInTransaction) {
    throw stageError(
      write,
      ILLEGAL_OPERATION,
      'Must run update to shard key field in a multi-statement transaction or with retryWrites: true.',
    );
  }
  const owner = table.chunkOf(after).shard;
  return owner === change.shard ? replaceOn(owner, change.index, change.after, write) : move(change, owner, write);
}

/**
 * The shard key of a document after an update.
 * @throws CommandError 54 when there is an array in it
 */
export function keyAfter(table: RoutingTable, after: Buffer, write: Write): ShardKeyValues {
  const array = table.fields.find(({ path }) => valueAt(after, path)?.type === Type.array);
  if (!array) return table.keyOf(after);
  throw stageError(
    write,
    NOT_SINGLE_VALUE_FIELD,
    `After applying the update to the document, the field '${array.path}' was found to be an array or array descendant.`,
  );
}

function move(change: Change, owner: string, write: Write): Promise<Result> {
  if (write.size === 1) return moveDocument(change, owner, write);
  throw new CommandError(
    INVALID_OPTIONS,
    'Document shard key value updates that cause the doc to move shards must be sent with write batch of size 1',
  );
}
