/** Changes to `config.*`, made by one command: once it is sent the config server carries it out whether or not this router lives on. */
import type { Document } from 'bson';
import { arrayOf, decodePlain, field, number, Type } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { askRaw } from '../ask.ts';
import { CommandError } from '../command.ts';
import { compose, embedded, Raw } from './compose.ts';

/** One write to a collection of `config`. */
export type Change =
  | { insert: string; document: Buffer }
  /** The document takes the place of the one with its `_id`. */
  | { replace: string; document: Buffer }
  | { update: string; filter: Document | Buffer; set: Readonly<Record<string, unknown>>; upsert?: boolean }
  | { delete: string; filter: Document | Buffer };

/**
 * Makes the changes in order, stopping at the first that fails.
 * @throws CommandError with the code and text of the write that failed
 */
export async function commit(config: Peer, changes: readonly Change[]): Promise<void> {
  const collections = [...new Set(changes.map(collectionOf))];
  const ops = changes.map((change) => operation(change, collections.indexOf(collectionOf(change))));
  const command = compose({
    bulkWrite: 1,
    ops: new Raw(arrayOf(ops.map((bytes) => ({ type: Type.object, bytes })))),
    nsInfo: collections.map((collection) => ({ ns: `config.${collection}` })),
    ordered: true,
    errorsOnly: true,
    writeConcern: { w: 1, j: true },
    $db: 'admin',
  });
  const reply = await askRaw(config, command);
  if ((number(field(reply, 'nErrors')) ?? 0) > 0) throw firstError(reply);
}

function collectionOf(change: Change): string {
  if ('insert' in change) return change.insert;
  if ('replace' in change) return change.replace;
  return 'update' in change ? change.update : change.delete;
}

function operation(change: Change, collection: number): Buffer {
  if ('insert' in change) return compose({ insert: collection, document: embedded(change.document) });
  if ('replace' in change) return replacement(collection, change.document);
  const filter = Buffer.isBuffer(change.filter) ? embedded(change.filter) : change.filter;
  if ('delete' in change) return compose({ delete: collection, filter, multi: true });
  return compose({
    update: collection,
    filter,
    updateMods: embedded(compose({ $set: embedded(compose(change.set)) })),
    multi: false,
    upsert: change.upsert,
  });
}

function replacement(collection: number, document: Buffer): Buffer {
  const id = field(document, '_id');
  return compose({
    update: collection,
    filter: { _id: id && new Raw(id) },
    updateMods: embedded(document),
    multi: false,
  });
}

function firstError(reply: Buffer): CommandError {
  const [failed] = decodePlain(reply).cursor.firstBatch;
  return new CommandError(failed.code, failed.errmsg);
}
