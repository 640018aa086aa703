/**
 * Retryable writes: a driver that got no answer sends a write again under the same session, transaction number and statement, and is
 * answered from memory instead of having it done twice. A server keeps this in `config.transactions` and the oplog; here it ends with
 * the process.
 */
import { elements, field, number, type RawValue, Type } from '../wire/bson.ts';
import { type Call, CommandError } from './command.ts';
import type { Done } from './write/outcome.ts';

const TRANSACTION_TOO_OLD = 225;
/** What is remembered in all, in bytes; the sessions that have written longest ago are forgotten first. */
const CAPACITY_BYTES = 16 * 1024 * 1024;
/** What one statement takes, about, beside a whole reply. */
const STATEMENT_BYTES = 100;
/** What a session takes, about, whatever it remembers. */
const SESSION_BYTES = 500;
/** The digest of no user, which every session of a cluster without authentication belongs to (`LogicalSessionId::uid`). */
const NO_USER = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/** What statements that were sent to a shard together did; of a `findAndModify` the whole reply. */
export type Remembered = { done: Done } | { reply: Buffer };

/** What one retryable command has done before, by statement. */
export class History {
  readonly #stmtIds: readonly number[];
  readonly #executed: Map<number, Remembered>;
  readonly #onGrowth: (bytes: number) => void;
  readonly #offset: number;

  /** @param stmtIds the statements' ids, or the first one's from which they count up */
  constructor(
    stmtIds: readonly number[],
    executed: Map<number, Remembered>,
    onGrowth: (bytes: number) => void,
    offset = 0,
  ) {
    this.#stmtIds = stmtIds;
    this.#executed = executed;
    this.#onGrowth = onGrowth;
    this.#offset = offset;
  }

  /** The history of a part of the command. @param offset where it begins */
  from(offset: number): History {
    return new History(this.#stmtIds, this.#executed, this.#onGrowth, this.#offset + offset);
  }

  /** The statement's id within its transaction number. @param index its place in the command, or its part */
  stmtId(index: number): number {
    const place = this.#offset + index;
    if (this.#stmtIds.length === 1) return (this.#stmtIds[0] as number) + place;
    return this.#stmtIds[place] ?? place;
  }

  /** What the statement did when it was done; `undefined` when it was not. */
  recall(index: number): Remembered | undefined {
    return this.#executed.get(this.stmtId(index));
  }

  /** Keeps what these statements did together. */
  remember(indexes: readonly number[], what: Remembered): void {
    for (const index of indexes) this.#executed.set(this.stmtId(index), what);
    this.#onGrowth(indexes.length * STATEMENT_BYTES + ('reply' in what ? what.reply.length : 0));
  }
}

function stmtIdsOf({ body }: Call): number[] {
  const ids = field(body, 'stmtIds');
  if (ids?.type === Type.array) return elements(ids.bytes).map((id) => number(id) ?? 0);
  return [number(field(body, 'stmtId')) ?? 0];
}

interface Session {
  key: string;
  txnNumber: bigint;
  executed: Map<number, Remembered>;
  bytes: number;
  /** Ends when the session's last command so far does. */
  queue: Promise<void>;
}

/** See the file's comment. */
export class RetryableWrites {
  /** By `lsid`, those that wrote last at the end. */
  readonly #sessions = new Map<string, Session>();
  #bytes = 0;

  /**
   * Runs a write: with its history, after every earlier command of its session, when it carries a transaction number; else as it is.
   * @throws CommandError 225 when the session has already begun a newer write
   */
  run<T>(call: Call, work: (history?: History) => Promise<T>): Promise<T> {
    const lsid = field(call.body, 'lsid');
    const txnNumber = field(call.body, 'txnNumber');
    if (lsid?.type !== Type.object || txnNumber?.type !== Type.long) return work();
    const session = this.#session(lsid.bytes.toString('latin1'));
    const result = session.queue.then(() =>
      work(this.#history(session, txnNumber.bytes.readBigInt64LE(0), lsid, call)),
    );
    session.queue = result.then(
      () => {},
      () => {},
    );
    return result;
  }

  /** Forgets sessions that their client has ended. @param lsids a command's array of them */
  end(lsids: RawValue | undefined): void {
    if (lsids?.type === Type.array)
      for (const { bytes } of elements(lsids.bytes)) this.#forget(bytes.toString('latin1'));
  }

  /** The session, now the last that wrote. */
  #session(key: string): Session {
    const session = this.#sessions.get(key) ?? this.#begin(key);
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    return session;
  }

  #begin(key: string): Session {
    this.#bytes += SESSION_BYTES;
    return { key, txnNumber: -1n, executed: new Map(), bytes: SESSION_BYTES, queue: Promise.resolve() };
  }

  #history(session: Session, txnNumber: bigint, lsid: RawValue, call: Call): History {
    if (txnNumber < session.txnNumber) throw tooOld(txnNumber, session.txnNumber, lsid);
    if (txnNumber > session.txnNumber) {
      session.txnNumber = txnNumber;
      session.executed = new Map();
      this.#grow(session, SESSION_BYTES - session.bytes);
    }
    return new History(stmtIdsOf(call), session.executed, (bytes) => this.#grow(session, bytes));
  }

  #grow(session: Session, bytes: number): void {
    if (this.#sessions.get(session.key) !== session) return; // forgotten meanwhile
    session.bytes += bytes;
    this.#bytes += bytes;
    for (const key of this.#sessions.keys()) {
      if (this.#bytes <= CAPACITY_BYTES || key === session.key) return;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#sessions.get(key)?.bytes ?? 0;
    this.#sessions.delete(key);
  }
}

/** The shard's words (src/mongo/db/transaction/transaction_participant.cpp). */
function tooOld(asked: bigint, active: bigint, lsid: RawValue): CommandError {
  const id = field(lsid.bytes, 'id')?.bytes.subarray(5).toString('hex') ?? '';
  const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const text =
    `Retryable write with txnNumber ${asked} is prohibited on session ${uuid} - ${NO_USER} -  -  because a newer retryable write ` +
    `with txnNumber ${active} has already started on this session.`;
  return new CommandError(TRANSACTION_TOO_OLD, text);
}
