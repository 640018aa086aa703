/** Statements sent to shards, and what came of them. */
import { documentOf, encode, field, type RawElement, rawValue, Type } from '../../wire/bson.ts';
import { PeerError } from '../../wire/client.ts';
import type { Catalog, Metadata } from '../catalog.ts';
import { type Call, CommandError } from '../command.ts';
import { accepted } from '../refused.ts';
import type { History } from '../sessions.ts';
import { commandFor, type WriteCommand } from './command.ts';
import { type Done, doneIn, errorsIn, NOTHING, type Outcome, type WriteError } from './outcome.ts';

const HOST_UNREACHABLE = 6;

/** One write command under way. */
export interface Write {
  /** The client's command where {@link command} is all of it, so that it may be passed on as it came. */
  whole: Call | undefined;
  /** How many statements the client sent together. */
  size: number;
  /** The name by which a server speaks of the operation. */
  operation: 'update' | 'findAndModify';
  command: WriteCommand;
  catalog: Metadata;
  /** Of a retryable write. */
  history: History | undefined;
  outcome: Outcome;
}

/** What one shard did with some statements. */
export interface Result {
  done: Done;
  errors: readonly WriteError[];
  /** The connection broke while the shard was at it: nobody knows whether it did it. */
  isUnknown?: boolean;
}

/**
 * Sends some of the command's statements to one shard.
 * @param indexes their places in the command
 * @param statements in the form that is to be sent
 * @throws Refused when the shard refuses the command as a whole
 */
export function sendTo(
  shard: string,
  indexes: readonly number[],
  write: Write,
  statements: readonly Buffer[] = indexes.map((index) => write.command.statements[index] as Buffer),
): Promise<Result> {
  return send(shard, indexes, write.command, statements, write.catalog);
}

/** Sends the client's command as it came, when all of it is for one shard; the shard's reply then is the reply. */
export function sendWhole(shard: string, { body, sequences }: Call, write: Write): Promise<Result> {
  const { command, outcome, catalog } = write;
  const indexes = command.statements.map((_, index) => index);
  return exchange(shard, indexes, command, async () => {
    outcome.passed = await catalog.peer(shard).send(body, sequences);
    return outcome.passed;
  });
}

/** Replaces a document, known by its `_id`, by what an update has made of it. */
export function replaceOn(shard: string, index: number, document: Buffer, write: Write): Promise<Result> {
  const u: RawElement = { name: 'u', type: Type.object, bytes: document };
  return send(shard, [index], { ...write.command, kind: 'update' }, [documentOf([byId(document), u])], write.catalog);
}

/** Inserts a document that an update has made. */
export function insertInto(
  shard: string,
  index: number,
  document: Buffer,
  { command, catalog }: Write,
): Promise<Result> {
  const shared = command.shared.filter(({ name }) => name !== 'let');
  return send(shard, [index], { ...command, kind: 'insert', shared }, [document], catalog);
}

/** Deletes a document, known by its `_id`. */
export function deleteFrom(
  shard: string,
  index: number,
  document: Buffer,
  { command, catalog }: Write,
): Promise<Result> {
  const statement = documentOf([byId(document), { name: 'limit', ...rawValue(1) }]);
  const shared = command.shared.filter(({ name }) => name !== 'bypassDocumentValidation');
  return send(shard, [index], { ...command, kind: 'delete', shared }, [statement], catalog);
}

function byId(document: Buffer): RawElement {
  const id = { name: '$eq', ...(field(document, '_id') ?? rawValue(null)) };
  return {
    name: 'q',
    type: Type.object,
    bytes: documentOf([{ name: '_id', type: Type.object, bytes: documentOf([id]) }]),
  };
}

function send(
  shard: string,
  indexes: readonly number[],
  command: Parameters<typeof commandFor>[0],
  statements: readonly Buffer[],
  catalog: Catalog,
): Promise<Result> {
  const { body, sequences } = commandFor(command, statements);
  return exchange(shard, indexes, command, () => catalog.peer(shard).send(body, sequences));
}

async function exchange(
  shard: string,
  indexes: readonly number[],
  { ordered }: Pick<WriteCommand, 'ordered'>,
  ask: () => Promise<Buffer>,
): Promise<Result> {
  try {
    const reply = accepted(await ask());
    return { done: doneIn(reply, indexes), errors: errorsIn(reply, indexes) };
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    const failed = ordered ? indexes.slice(0, 1) : indexes;
    return { done: NOTHING, errors: unreachable(shard, error, failed), isUnknown: !wasRefused(error) };
  }
}

/** Whether there was no connection at all, so that nothing was sent. */
function wasRefused({ cause }: PeerError): boolean {
  return (cause as NodeJS.ErrnoException).code === 'ECONNREFUSED';
}

function unreachable(shard: string, { message }: PeerError, indexes: readonly number[]): WriteError[] {
  const text = `Write results unavailable from failing to target a host in the shard ${shard} :: caused by :: ${message}`;
  return indexes.map((index) => writeError(index, new CommandError(HOST_UNREACHABLE, text)));
}

/** Takes the result of statements that one shard has carried out into the outcome and the session's memory. */
export function record(
  { done, errors }: Result,
  indexes: readonly number[],
  { command, history, outcome }: Write,
): void {
  outcome.add(done);
  outcome.fail(...errors);
  history?.remember(executed(indexes, errors, command.ordered), { done });
}

/** The statements that were carried out: of an ordered batch those before the first error. */
function executed(indexes: readonly number[], errors: readonly WriteError[], ordered: boolean): number[] {
  const failed = new Set(errors.map(({ index }) => index));
  const end = ordered ? indexes.findIndex((index) => failed.has(index)) : -1;
  return indexes.filter((index, i) => !failed.has(index) && (end < 0 || i < end));
}

/** An entry of `writeErrors` that the router itself makes. */
export function writeError(index: number, { code, message, extra }: CommandError): WriteError {
  return { index, bytes: encode({ index, code: code ?? 8, errmsg: message, ...extra }) };
}

/** An error that the server's update stage throws on the shard, in the words that reach the client (8.0+). */
export function stageError({ operation }: Write, code: number, message: string): CommandError {
  return new CommandError(code, `Plan executor error during ${operation} :: caused by :: ${message}`);
}
