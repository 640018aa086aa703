/**
 * What an update would make of documents, found out on an engine: they are copied to a collection of the router's own, updated there
 * and read back. So the router knows a new shard key before it changes anything, in every form of update a server has.
 */
import { documentOf, elements, encode, rawValue, without } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import type { DocumentSequence } from '../../wire/message.ts';
import { findAll } from '../ask.ts';
import { accepted } from '../refused.ts';
import { commandFor, type WriteCommand } from './command.ts';
import { type Statement, withFields } from './statement.ts';

/** On a shard, `config` is no database of any user. */
const SCRATCH = { db: 'config', collection: 'shardlab_scratch' } as const;

/** A hint names an index that the copies do not have. */
const NO_INDEX: ReadonlySet<string> = new Set(['hint']);

/** What came of a trial. */
export interface Trial {
  /** The engine's reply to the update. */
  reply: Buffer;
  /** The documents afterwards, in the order they were given; of an upsert of none the new one. */
  documents: readonly Buffer[];
}

/** The command that tries an update out. @param upsert whether it is to make a new document, of none */
export function scratchUpdate(
  { shared }: Pick<WriteCommand, 'shared'>,
  { bytes }: Statement,
  upsert = false,
): ReturnType<typeof commandFor> {
  const statement = withFields(without(bytes, NO_INDEX), [{ name: 'upsert', ...rawValue(upsert) }]);
  return commandFor({ kind: 'update', ...SCRATCH, ordered: true, shared }, [statement]);
}

/** The command that tries a `findAndModify` out. @param upsert as in {@link scratchUpdate} */
export function scratchFindAndModify(body: Buffer, upsert: boolean): ReturnType<typeof commandFor> {
  const [, ...rest] = elements(without(body, NO_INDEX));
  const kept = rest.filter(({ name }) => name !== 'upsert' && name !== '$db');
  const command = [
    { name: 'findAndModify', ...rawValue(SCRATCH.collection) },
    ...kept,
    { name: 'upsert', ...rawValue(upsert) },
    { name: '$db', ...rawValue(SCRATCH.db) },
  ];
  return { body: documentOf(command), sequences: [] };
}

/** One trial at a time per shard. */
const turns = new WeakMap<Peer, Promise<unknown>>();

/**
 * Runs a command on copies of documents.
 * @param command addressed to {@link SCRATCH}
 * @throws Refused when the engine refuses the command as a whole
 */
export function tryOut(
  peer: Peer,
  documents: readonly Buffer[],
  command: { body: Buffer; sequences: readonly DocumentSequence[] },
): Promise<Trial> {
  const turn = (turns.get(peer) ?? Promise.resolve()).then(() => trial(peer, documents, command));
  turns.set(
    peer,
    turn.catch(() => {}),
  );
  return turn;
}

async function trial(peer: Peer, documents: readonly Buffer[], command: Parameters<typeof tryOut>[2]): Promise<Trial> {
  await clear(peer); // of what a router that was killed has left
  try {
    if (documents.length > 0) await put(peer, documents);
    const reply = accepted(await peer.send(command.body, command.sequences));
    return { reply, documents: await findAll(peer, SCRATCH.db, { find: SCRATCH.collection }) };
  } finally {
    await clear(peer);
  }
}

async function clear(peer: Peer): Promise<void> {
  accepted(await peer.send(encode({ delete: SCRATCH.collection, deletes: [{ q: {}, limit: 0 }], $db: SCRATCH.db })));
}

async function put(peer: Peer, documents: readonly Buffer[]): Promise<void> {
  const body = encode({ insert: SCRATCH.collection, ordered: true, $db: SCRATCH.db });
  accepted(await peer.send(body, [{ name: 'documents', bytes: Buffer.concat(documents) }]));
}
