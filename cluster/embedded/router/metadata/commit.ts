/**
 * Changes to `config.*`, made by one command: once it is sent the config server carries it out whether or not this router lives on. Its
 * engine has no transactions, so a commit of several changes is written down whole before the first of them.
 */
import { type Document, ObjectId } from 'bson';
import { log } from '../../log.ts';
import { arrayOf, decodePlain, field, number, Type } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { askRaw, findAll } from '../ask.ts';
import { CommandError } from '../command.ts';
import { compose, embedded, Raw } from './compose.ts';

/** One write to a collection of `config`. */
export type Change =
  | { insert: string; document: Buffer }
  /** The document takes the place of the one with its `_id`. */
  | { replace: string; document: Buffer; upsert?: boolean }
  | {
      update: string;
      filter: Document | Buffer;
      set: Readonly<Record<string, unknown>>;
      unset?: readonly string[];
      upsert?: boolean;
    }
  | { delete: string; filter: Document | Buffer };

/** Where a commit of several changes stands from before the first of them until behind the last. */
const COMMITS = 'shardlab.commits';

/**
 * Makes the changes in order, stopping at the first that fails. A config server that dies in between has kept what it was to do
 * ({@link redo}).
 * @throws CommandError with the code and text of the write that failed; PeerError when nobody knows whether they were made
 */
export async function commit(config: Peer, changes: readonly Change[]): Promise<void> {
  const [kept, done] = changes.length > 1 ? keeping(changes) : [];
  const refused = await write(config, [...(kept ? [kept] : []), ...changes, ...(done ? [done] : [])]);
  if (!refused) return;
  if (done) await write(config, [done]);
  throw refused;
}

/**
 * Makes all changes of the commits that the config server was killed in; nobody else may be at work on them.
 * @throws PeerError when it cannot be reached
 */
export async function redo(config: Peer): Promise<void> {
  for (const left of await findAll(config, 'config', { find: COMMITS, sort: { _id: 1 } })) {
    const { _id, command } = decodePlain(left);
    const refused = await send(config, Buffer.from(command.buffer));
    if (refused) logRefusal(refused);
    await write(config, [{ delete: COMMITS, filter: { _id } }]);
  }
}

/** What is written before the changes, and behind them. */
function keeping(changes: readonly Change[]): [Change, Change] {
  const _id = new ObjectId();
  const command = commandFor(changes.map(repeatable));
  return [
    { insert: COMMITS, document: compose({ _id, command }) },
    { delete: COMMITS, filter: { _id } },
  ];
}

/** A change that does no harm where it has been made. */
function repeatable(change: Change): Change {
  return 'insert' in change ? { replace: change.insert, document: change.document, upsert: true } : change;
}

function write(config: Peer, changes: readonly Change[]): Promise<CommandError | undefined> {
  return send(config, commandFor(changes));
}

/** @returns the first write that was refused */
async function send(config: Peer, command: Buffer): Promise<CommandError | undefined> {
  const reply = await askRaw(config, command);
  return (number(field(reply, 'nErrors')) ?? 0) > 0 ? firstError(reply) : undefined;
}

function commandFor(changes: readonly Change[]): Buffer {
  const collections = [...new Set(changes.map(collectionOf))];
  const ops = changes.map((change) => operation(change, collections.indexOf(collectionOf(change))));
  return compose({
    bulkWrite: 1,
    ops: new Raw(arrayOf(ops.map((bytes) => ({ type: Type.object, bytes })))),
    nsInfo: collections.map((collection) => ({ ns: `config.${collection}` })),
    ordered: true,
    errorsOnly: true,
    writeConcern: { w: 1, j: true },
    $db: 'admin',
  });
}

function collectionOf(change: Change): string {
  if ('insert' in change) return change.insert;
  if ('replace' in change) return change.replace;
  return 'update' in change ? change.update : change.delete;
}

function operation(change: Change, collection: number): Buffer {
  if ('insert' in change) return compose({ insert: collection, document: embedded(change.document) });
  if ('replace' in change) return replacement(collection, change);
  const filter = Buffer.isBuffer(change.filter) ? embedded(change.filter) : change.filter;
  if ('delete' in change) return compose({ delete: collection, filter, multi: true });
  return compose({
    update: collection,
    filter,
    updateMods: { $set: embedded(compose(change.set)), $unset: unsetOf(change.unset) },
    multi: false,
    upsert: change.upsert,
  });
}

function unsetOf(names: readonly string[] | undefined): Record<string, number> | undefined {
  return names && Object.fromEntries(names.map((name) => [name, 1]));
}

function replacement(collection: number, { document, upsert }: Extract<Change, { replace: string }>): Buffer {
  const id = field(document, '_id');
  return compose({
    update: collection,
    filter: { _id: id && new Raw(id) },
    updateMods: embedded(document),
    multi: false,
    upsert,
  });
}

function firstError(reply: Buffer): CommandError {
  const [failed] = decodePlain(reply).cursor.firstBatch;
  return new CommandError(failed.code, failed.errmsg);
}

/** Somebody else has written to `config.*` what forbids it. */
function logRefusal({ code, message: errmsg }: CommandError): void {
  const attributes = { error: { code, errmsg } };
  const message = 'A commit that was cut short cannot be made';
  log({ severity: 'W', component: 'SHARDING', id: 9_990_006, context: 'mongosMain', message, attributes });
}
