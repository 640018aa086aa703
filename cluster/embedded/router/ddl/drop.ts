/** `drop` and `dropDatabase`: metadata first, then every shard, journalled between (src/mongo/db/global_catalog/ddl/drop_collection_coordinator.cpp). */

import { ObjectId } from 'bson';
import { field, number } from '../../wire/bson.ts';
import { all } from '../all.ts';
import { ask } from '../ask.ts';
import type { Metadata } from '../catalog.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { ON_CONFIG_SERVER } from '../internal-databases.ts';
import { type DropEntry, done, recorded, unfinished } from '../journal/entries.ts';
import { logChange } from '../metadata/changelog.ts';
import type { Change } from '../metadata/commit.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { collectionNamespace } from './namespace.ts';

const BAD_VALUE = 2;
const ILLEGAL_OPERATION = 20;
const NAMESPACE_NOT_FOUND = 26;

export const dropCommands: Readonly<Record<string, CommandHandler>> = { drop, dropDatabase };

async function drop(call: Call, router: Router): Promise<Reply> {
  const { ns, db, collection } = collectionNamespace(call);
  if (ON_CONFIG_SERVER.has(db)) {
    throw new CommandError(ILLEGAL_OPERATION, `Cannot drop collection in '${db}' database in sharded cluster`);
  }
  const { metadata, address } = router;
  const primary = metadata.primaryOf(db);
  if (primary === undefined) return modelReply({ info: 'database does not exist' });
  await metadata.changing(ns, async () => {
    const sharded = metadata.sharded(ns);
    const entry: DropEntry = { id: new ObjectId(), kind: 'drop', db, collection };
    const author = { server: address, shard: primary };
    const details = sharded ? { collectionUUID: { uuid: sharded.entry.uuid } } : {};
    const log = [logChange(author, 'dropCollection.start', ns, details), logChange(author, 'dropCollection', ns, {})];
    const changes = [...(sharded ? removal(sharded) : []), zonesRemoval(ns), ...log];
    await carryOut(entry, changes, () => metadata.forget(ns), metadata);
  });
  return modelReply();
}

async function dropDatabase(call: Call, router: Router): Promise<Reply> {
  const { db } = call;
  checkDatabase(call);
  const { metadata, address } = router;
  await metadata.changingDatabase(db, async () => {
    const primary = metadata.primaryOf(db);
    if (primary === undefined) return;
    const author = { server: address, shard: primary };
    const sharded = metadata.shardedIn(db);
    const entry: DropEntry = { id: new ObjectId(), kind: 'drop', db, collection: undefined };
    const changes: Change[] = [
      logChange(author, 'dropDatabase.start', db, {}),
      ...sharded.flatMap(removal),
      ...sharded.map(({ entry: { ns } }) => zonesRemoval(ns)),
      { delete: 'databases', filter: { _id: db } },
      logChange(author, 'dropDatabase', db, {}),
    ];
    const forget = (): void => {
      for (const { entry: gone } of sharded) metadata.forget(gone.ns);
      metadata.forgetDatabase(db);
    };
    await carryOut(entry, changes, forget, metadata);
  });
  return modelReply();
}

function checkDatabase({ db, body }: Call): void {
  if (ON_CONFIG_SERVER.has(db)) {
    throw new CommandError(ILLEGAL_OPERATION, `Cannot drop the ${db} database`);
  }
  if (number(field(body, 'dropDatabase')) !== 1) {
    throw new CommandError(BAD_VALUE, "Must pass 1 as the 'dropDatabase' parameter");
  }
}

/** The metadata and, written down with it, the rest. Where nobody knows whether it was, that is found out before the name is used again. */
async function carryOut(
  entry: DropEntry,
  changes: readonly Change[],
  forget: () => void,
  metadata: Metadata,
): Promise<void> {
  const name = entry.collection === undefined ? entry.db : `${entry.db}.${entry.collection}`;
  try {
    await metadata.commit([recorded(entry), ...changes], forget);
  } catch (error) {
    metadata.leave(name, () => finishIfRecorded(entry, metadata));
    throw error;
  }
  await metadata.seeThrough(name, () => finishDrop(entry, metadata));
}

async function finishIfRecorded(entry: DropEntry, metadata: Metadata): Promise<void> {
  const left = await unfinished(metadata.config);
  if (left.some(({ id }) => id.equals(entry.id))) await finishDrop(entry, metadata);
}

/** The collection before its chunks: without it they mean nothing. */
function removal({ entry: { ns, uuid } }: ShardedCollection): Change[] {
  return [
    { delete: 'collections', filter: { _id: ns } },
    { delete: 'chunks', filter: { uuid } },
  ];
}

function zonesRemoval(ns: string): Change {
  return { delete: 'tags', filter: { ns } };
}

/** Drops on every shard what a journal entry names, and crosses the entry out. */
export async function finishDrop(entry: DropEntry, metadata: Metadata): Promise<void> {
  const { db, collection } = entry;
  const command = collection === undefined ? { dropDatabase: 1 } : { drop: collection };
  await all(
    metadata.shards().map(async ({ id }) => {
      try {
        await ask(metadata.peer(id), db, command);
      } catch (error) {
        if (!(error instanceof CommandError) || error.code !== NAMESPACE_NOT_FOUND) throw error;
      }
    }),
  );
  await metadata.commit([done(entry)], () => {});
}
