/** The commands that write documents. */
import type { Call, CommandHandler, Reply, Router } from '../command.ts';
import { dataCommand } from '../data-command.ts';
import { CONFIG, SESSIONS } from '../internal-databases.ts';
import { namespaceOf, passThrough } from '../pass-through.ts';
import { parseWrite, type WriteKind } from './command.ts';
import { findAndModify } from './find-and-modify.ts';
import { run } from './run.ts';
import { bulkWrite } from './run-bulk.ts';

export const writeCommands: Readonly<Record<string, CommandHandler>> = {
  insert: dataCommand((call, router) => write('insert', call, router)),
  update: dataCommand((call, router) => write('update', call, router)),
  delete: dataCommand((call, router) => write('delete', call, router)),
  findAndModify: dataCommand(findAndModify),
  bulkWrite: dataCommand(bulkWrite),
  findandmodify: dataCommand(findAndModify),
};

/** A command that is not well formed goes to a shard, which refuses it; what is on the config server is written there. */
async function write(kind: WriteKind, call: Call, router: Router): Promise<Reply> {
  const command = isOnConfigServer(call, router) ? undefined : parseWrite(kind, call);
  return command ? run(command, call, router) : passThrough(call, router);
}

function isOnConfigServer(call: Call, { catalog }: Router): boolean {
  return catalog.primaryOf(call.db) === CONFIG && namespaceOf(call) !== SESSIONS;
}
