/** What a client is told when a document could not follow its changed shard key (src/mongo/s/commands/document_shard_key_update_util.cpp). */
import { decode, encode } from '../../wire/bson.ts';
import type { WriteError } from './outcome.ts';

const DUPLICATE_KEY = 11000;
const DUPLICATE_ID =
  "Failed to update document's shard key field. There is either an orphan for this document or _id for this collection is not globally unique.";
const OTHER =
  'Update operation was converted into a distributed transaction because the document being updated would move shards and that ' +
  'transaction failed.';
const STAGE = 'During insert stage of updating a shard key';

/** The error of the insert on the new shard, in the words of the update that caused it. */
export function changedShardKeyError({ index, bytes }: WriteError): WriteError {
  const cause = decode(bytes);
  const why = Number(cause.code) === DUPLICATE_KEY && '_id' in (cause.keyPattern ?? {}) ? DUPLICATE_ID : OTHER;
  return {
    index,
    bytes: encode({ ...cause, errmsg: `${why} :: caused by :: ${STAGE} :: caused by :: ${cause.errmsg}` }),
  };
}
