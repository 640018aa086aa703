/** What a data directory needs after its process was killed: the documents are there, but fast counts say 0 until `validate` has run. */
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

/** Counts every collection anew. Takes as long as reading all documents does. */
export async function recount(engine: Engine): Promise<void> {
  log({
    severity: 'W',
    component: 'STORAGE',
    id: 22271,
    message: 'Detected unclean shutdown - Lock file is not empty',
  });
  const { databases } = await ask(engine, { listDatabases: 1, nameOnly: true, $db: 'admin' });
  for (const { name } of databases) await recountDatabase(engine, name);
}

async function recountDatabase(engine: Engine, db: string): Promise<void> {
  const everyName = {
    listCollections: 1,
    nameOnly: true,
    filter: { type: 'collection' },
    cursor: { batchSize: 100_000 },
  };
  const { cursor } = await ask(engine, { ...everyName, $db: db });
  for (const { name } of cursor.firstBatch) await ask(engine, { validate: name, $db: db });
}

/** @throws Error with the engine's words when it refuses */
async function ask(engine: Engine, command: Document): Promise<Document> {
  const reply = decodePlain(await engine.run(encode(command)));
  if (reply.ok !== 1) throw new Error(`${Object.keys(command)[0]} on ${command.$db}: ${reply.errmsg}`);
  return reply;
}
