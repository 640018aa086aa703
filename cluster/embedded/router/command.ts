/** The words that every part of the router shares: a command as it came, its answer, and an error as a server words it. */
import type { Document } from 'bson';
import { encode } from '../wire/bson.ts';
import type { DocumentSequence } from '../wire/message.ts';
import type { Connection } from '../wire/server.ts';

/** One command that a client sent. */
export interface Call {
  /** The command's name as sent (`find`, `shardCollection` …). */
  name: string;
  /** `$db`. */
  db: string;
  /** The whole command body as sent. */
  body: Buffer;
  sequences: readonly DocumentSequence[];
  connection: Connection;
}

/**
 * Who answered: `engine` when the reply is the bytes one shard's engine answered, or a plain merge of several (concatenated
 * cursor batches, summed counts, joined write errors); `model` when this router decided any of it.
 */
export type AnsweredBy = 'engine' | 'model';

/** A reply and where it came from. */
export interface Reply {
  body: Buffer;
  answeredBy: AnsweredBy;
}

/** The model's answer made of plain fields; `ok: 1` is added. */
export function modelReply(fields: Document = {}): Reply {
  return { body: encode({ ...fields, ok: 1 }), answeredBy: 'model' };
}

/** A command error as the server words it. Thrown anywhere in the router, it becomes the reply `{ ok: 0, errmsg, code, codeName }`. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** The server's number; `undefined` for the old-style errors of mongos that have none. */
  readonly code: number | undefined;
  /** Further fields of the reply (`keyPattern`, `writeErrors` …). */
  readonly extra: Document;

  constructor(code: number | undefined, message: string, extra: Document = {}) {
    super(message);
    this.code = code;
    this.extra = extra;
  }
}
