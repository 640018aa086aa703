/** Answers to reads of a database that does not exist, which no shard is asked for. */
import { rawValue } from '../../wire/bson.ts';
import type { Reply } from '../command.ts';
import { cursorReply, EMPTY_BATCH, EXHAUSTED } from './batch.ts';

/** An exhausted cursor over nothing. @param ns `db.coll` */
export function emptyCursor(ns: string): Reply {
  const body = cursorReply('firstBatch', { id: EXHAUSTED, ns: rawValue(ns), batch: EMPTY_BATCH });
  return { body, answeredBy: 'model' };
}
