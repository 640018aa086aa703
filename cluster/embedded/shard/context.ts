/** What the command handlers of one `mongod` work on. */
import type { Document } from 'bson';
import type { MongodOptions } from '../flags.ts';
import type { Reply } from '../router/command.ts';
import type { Request } from '../wire/message.ts';
import type { Connection } from '../wire/server.ts';
import type { Engine } from './engine.ts';
import type { IdleCursors } from './idle-cursors.ts';
import type { ReplicaSet } from './replica-set.ts';
import type { WritesUnderWay } from './writes-under-way.ts';

/** See the file's comment. */
export interface Mongod {
  readonly options: MongodOptions;
  readonly engine: Engine;
  readonly cursors: IdleCursors;
  readonly writes: WritesUnderWay;
  readonly replicaSet: ReplicaSet;
  /** The engine's own answer to `hello`: sizes and wire versions. */
  readonly limits: Document;
  /** The engine's own answer to `buildInfo`. */
  readonly buildInfo: Document;
  /** Ends the process the way a server ends, with exit code 0. */
  shutdown(): void;
}

/** One command as a client sent it. */
export interface Command {
  name: string;
  db: string;
  request: Request;
  connection: Connection;
}

/** Answers one command; throws a `CommandError` to refuse it. */
export type LocalCommand = (command: Command, mongod: Mongod) => Reply | Promise<Reply>;
