/** Commands of the router's own to a server, as documents: for metadata and DDL, where bytes need not be spared. */
import type { Document } from 'bson';
import { decodePlain, documentOf, elements, encode, field, number, type RawElement, text } from '../wire/bson.ts';
import type { Peer } from '../wire/client.ts';
import { CommandError } from './command.ts';

/**
 * Runs a command and returns the reply with plain JavaScript numbers.
 * @throws CommandError with the server's code and text when it answers `ok: 0` or with a write error
 * @throws PeerError when the server cannot be reached
 */
export async function ask(peer: Peer, db: string, command: Document): Promise<Document> {
  return decodePlain(await askRaw(peer, encode({ ...command, $db: db })));
}

/** As {@link ask}, with the command and the reply as bytes. */
export async function askRaw(peer: Peer, body: Buffer): Promise<Buffer> {
  const reply = await peer.send(body);
  throwIfRefused(reply);
  return reply;
}

/** @throws CommandError when a reply says `ok: 0` or holds a write error */
export function throwIfRefused(reply: Buffer): void {
  if (number(field(reply, 'ok')) !== 1) throw errorOf(decodePlain(reply));
  const writeErrors = field(reply, 'writeErrors');
  if (writeErrors) throw errorOf(decodePlain(writeErrors.bytes)[0]);
}

/** With the `codeName` the server gave, which may be one that the router itself never says. */
function errorOf({ code, errmsg, ok: _, ...extra }: Document): CommandError {
  return new CommandError(code, errmsg, extra);
}

/**
 * Every document that a cursor command (`find`, `aggregate`, `listIndexes` …) finds, as bytes.
 * @throws CommandError when the server refuses
 */
export async function findAll(peer: Peer, db: string, command: Document): Promise<Buffer[]> {
  let reply = await askRaw(peer, encode({ ...command, $db: db }));
  const found = batchOf(reply);
  for (let next = getMoreOf(reply, db); next; next = getMoreOf(reply, db)) {
    reply = await askRaw(peer, next);
    found.push(...batchOf(reply));
  }
  return found;
}

function cursorOf(reply: Buffer): Buffer {
  const cursor = field(reply, 'cursor');
  if (!cursor) throw new CommandError(1, 'a server answered a cursor command without a cursor');
  return cursor.bytes;
}

function batchOf(reply: Buffer): Buffer[] {
  const cursor = cursorOf(reply);
  const batch = field(cursor, 'firstBatch') ?? field(cursor, 'nextBatch');
  return batch ? elements(batch.bytes).map(({ bytes }) => bytes) : [];
}

/** The `getMore` for what follows, `undefined` when the cursor is exhausted. */
function getMoreOf(reply: Buffer, db: string): Buffer | undefined {
  const cursor = cursorOf(reply);
  const id = field(cursor, 'id');
  if (!id || number(id) === 0) return undefined;
  const ns = text(field(cursor, 'ns')) ?? '';
  const collection = ns.slice(ns.indexOf('.') + 1);
  const getMore: RawElement = { name: 'getMore', ...id };
  return documentOf([getMore, ...elements(encode({ collection, $db: db }))]);
}
