/** From a message to its answer: finds the command's handler, words its errors, and says who answered to those who ask. */
import { log } from '../log.ts';
import { bytesFor } from '../marking.ts';
import { databaseOf, errorReply } from '../refusals.ts';
import { firstName } from '../wire/bson.ts';
import { PeerError } from '../wire/client.ts';
import { ProtocolError, type Request } from '../wire/message.ts';
import type { Connection } from '../wire/server.ts';
import { jumboCommands } from './chunks/clear-jumbo.ts';
import { mergeCommands } from './chunks/merge.ts';
import { mergeAllCommands } from './chunks/merge-all.ts';
import { splitCommands } from './chunks/split.ts';
import { type Call, CommandError, type CommandHandler, type Reply, type Router } from './command.ts';
import { ddlCommands } from './ddl/index.ts';
import { refusalOf } from './known-commands.ts';
import { moveCommands } from './moves/commands.ts';
import { permitCommands } from './moves/permit.ts';
import { readCommands } from './read/index.ts';
import { topologyCommands } from './topology/index.ts';
import { writeCommands } from './write/index.ts';

/** An engine reads it, but what stands in it this router wrote. */
const METADATA = 'config';
const INTERNAL_ERROR = 1;
const HOST_UNREACHABLE = 6;
const ILLEGAL_OPERATION = 20;

const COMMANDS: ReadonlyMap<string, CommandHandler> = new Map(
  Object.entries({
    ...topologyCommands,
    ...ddlCommands,
    ...splitCommands,
    ...mergeCommands,
    ...mergeAllCommands,
    ...jumboCommands,
    ...moveCommands,
    ...permitCommands,
    ...readCommands,
    ...writeCommands,
  }),
);

/** Whether there is a handler for a command. */
export function isAnswered(name: string): boolean {
  return COMMANDS.has(name);
}

/** Answers one message; whatever goes wrong becomes an error reply. */
export async function answer(router: Router, request: Request, connection: Connection): Promise<Buffer> {
  return bytesFor(connection, await replyTo(router, request, connection));
}

async function replyTo(router: Router, request: Request, connection: Connection): Promise<Reply> {
  try {
    const call = callOf(request, connection);
    const reply = await run(call, router);
    return call.db === METADATA ? { ...reply, answeredBy: 'model' } : reply;
  } catch (error) {
    return errorReply(commandError(error, router));
  }
}

function callOf(request: Request, connection: Connection): Call {
  const db = databaseOf(request);
  if (db === 'local') throw new CommandError(ILLEGAL_OPERATION, "Can't use 'local' database through mongos");
  return { name: firstName(request.body), db, body: request.body, sequences: request.sequences, connection };
}

async function run(call: Call, router: Router): Promise<Reply> {
  const handler = COMMANDS.get(call.name);
  if (handler) return counted(handler, call, router);
  throw refusalOf(call.name);
}

async function counted(handler: CommandHandler, call: Call, router: Router): Promise<Reply> {
  router.opCounters.begun(call);
  const reply = await handler(call, router);
  router.opCounters.ended(call, reply.body);
  return reply;
}

function commandError(error: unknown, router: Router): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof PeerError) return new CommandError(HOST_UNREACHABLE, unreachable(error, router));
  if (error instanceof ProtocolError) throw error; // what this client sends cannot be read: its connection ends
  logDefect(error);
  return new CommandError(INTERNAL_ERROR, error instanceof Error ? error.message : String(error));
}

/** A mistake of this program's own must not pass for an answer about the cluster without leaving a trace. */
function logDefect(error: unknown): void {
  const attributes = { error: error instanceof Error ? error.stack : String(error) };
  log({
    severity: 'E',
    component: 'COMMAND',
    id: 9_990_004,
    context: 'conn',
    message: 'Defect of the router',
    attributes,
  });
}

/** Names the shard beside the address, as nobody knows ports by heart. */
function unreachable(error: PeerError, router: Router): string {
  const shard = router.catalog.shards().find(({ host }) => host.split(/[/,]/).includes(error.address));
  const who = shard ? `shard ${shard.id}` : 'the config server';
  return `${who} could not be reached :: caused by :: ${error.message}`;
}
