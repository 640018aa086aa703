/** What a data directory needs after its process, or somebody who worked on it, was killed. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document } from 'bson';
import { log } from '../log.ts';
import { decodePlain, encode } from '../wire/bson.ts';
import type { Engine } from './engine.ts';

/** Whether the last process on this data directory did not close it: its lock file still holds the process id. */
export async function wasKilled(dbpath: string): Promise<boolean> {
  const lock = await stat(join(dbpath, 'mongod.lock')).catch(() => undefined); // a new directory has none
  return (lock?.size ?? 0) > 0;
}

/** Counts every collection anew: the documents are there, but fast counts say 0 until `validate` has run. Takes as long as reading all of them. */
export async function recount(engine: Engine): Promise<void> {
  log({
    severity: 'W',
    component: 'STORAGE',
    id: 22271,
    message: 'Detected unclean shutdown - Lock file is not empty',
  });
  await onEvery(engine, { type: 'collection' }, 'validate');
}

/**
 * Drops the collections that are of use only to who made them: `$out` collects in one, and so does a router that merges more than one
 * command can carry. A server does so when it becomes primary (`_dropAllTempCollections`,
 * src/mongo/db/repl/replication_coordinator_external_state_impl.cpp).
 */
export async function dropTemporaryCollections(engine: Engine): Promise<void> {
  await onEvery(engine, { 'options.temp': true }, 'drop');
}

/** Runs a command on every collection. @param filter of `listCollections` */
async function onEvery(engine: Engine, filter: Document, command: string): Promise<void> {
  const { databases } = await ask(engine, { listDatabases: 1, nameOnly: true, $db: 'admin' });
  for (const { name: $db } of databases) {
    const { cursor } = await ask(engine, { listCollections: 1, filter, cursor: { batchSize: 100_000 }, $db });
    for (const { name } of cursor.firstBatch) await ask(engine, { [command]: name, $db });
  }
}

/** @throws Error with the engine's words when it refuses */
async function ask(engine: Engine, command: Document): Promise<Document> {
  const reply = decodePlain(await engine.run(encode(command)));
  if (reply.ok !== 1) throw new Error(`${Object.keys(command)[0]} on ${command.$db}: ${reply.errmsg}`);
  return reply;
}
