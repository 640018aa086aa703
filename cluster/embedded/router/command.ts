/** The words that every part of the router shares: a command as it came, its answer, and an error as a server words it. */
import type { Document } from 'bson';
import { encode } from '../wire/bson.ts';
import type { DocumentSequence } from '../wire/message.ts';
import type { Connection, Traffic } from '../wire/server.ts';
import type { Catalog, Metadata } from './catalog.ts';
import type { CursorRegistry } from './cursors.ts';
import type { OpCounters } from './op-counters.ts';
import type { RetryableWrites } from './sessions.ts';

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

/** Answers one command; throws a {@link CommandError} to refuse it. */
export type CommandHandler = (call: Call, router: Router) => Promise<Reply>;

/** What every command handler works on. A process holds one. */
export interface Router {
  /** `host:port` that it serves, and its name in `config.mongos` and `config.changelog`. */
  readonly address: string;
  /** The connection string of the config server, `<replica set>/<host:port>`. */
  readonly configdb: string;
  /** The arguments the process was started with. */
  readonly argv: readonly string[];
  /** Its `--setParameter` values. */
  readonly setParameters: ReadonlyMap<string, string>;
  /** What `buildInfo` says, without `ok`: the engine's version, with `shardlab-model` among the modules. */
  readonly buildInfo: Document;
  /** The engine's `hello` limits: sizes and wire versions. */
  readonly limits: Document;
  readonly startedAt: Date;
  /** Of every port it listens on. */
  traffic(): Traffic;
  readonly opCounters: OpCounters;
  /** Whether it has a handler for a command of this name. */
  answers(command: string): boolean;
  /** Ends the process as a signal does. */
  shutdown(): void;
  readonly catalog: Catalog;
  /** The same catalog with what changes it. */
  readonly metadata: Metadata;
  readonly cursors: CursorRegistry;
  readonly retries: RetryableWrites;
}

/** The cursors that clients hold open at this router (cursors.ts). */
export interface Cursors {
  /**
   * Takes over a cursor that one shard opened for a client, so that the client's `getMore` and `killCursors` find it.
   * @param reply the shard's reply; one without a cursor, or whose cursor is exhausted, comes back as it is
   * @param shard the shard's name, `config` for the config server
   * @param reads the other collections that the cursor reads, as `db.coll`
   * @returns the reply to send to the client
   */
  adopt(reply: Buffer, shard: string, call: Call, reads?: readonly string[]): Buffer;
  /**
   * Reads the open cursors over a collection to their end and keeps what they still hold, so that its documents may move:
   * what a cursor was to return it returns, and an orphan never. Called inside {@link Catalog.changing} of the same collection.
   */
  drain(ns: string): Promise<void>;
}
