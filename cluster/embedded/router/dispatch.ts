/** From a message to its answer: finds the command's handler, words its errors, and says who answered to those who ask. */
import type { Document } from 'bson';
import { notModelledReply } from '../not-modelled.ts';
import { append, encode, field, firstName, rawValue, text } from '../wire/bson.ts';
import { PeerError } from '../wire/client.ts';
import type { Request } from '../wire/message.ts';
import type { Connection } from '../wire/server.ts';
import { mergeCommands } from './chunks/merge.ts';
import { splitCommands } from './chunks/split.ts';
import { codeName } from './codes.ts';
import { type Call, CommandError, type CommandHandler, type Reply, type Router } from './command.ts';
import { ddlCommands } from './ddl/index.ts';
import { UNMODELLED_COMMANDS } from './known-commands.ts';
import { moveCommands } from './moves/commands.ts';
import { readCommands } from './read/index.ts';
import { wantsMarks } from './topology/hello.ts';
import { topologyCommands } from './topology/index.ts';
import { writeCommands } from './write/index.ts';

const HOST_UNREACHABLE = 6;
const ILLEGAL_OPERATION = 20;
const INVALID_NAMESPACE = 73;
const COMMAND_NOT_FOUND = 59;

const NO_DATABASE = 40571;
const VALID_DATABASE = /^[^\0/\\. "$]{1,63}$/;

const COMMANDS: ReadonlyMap<string, CommandHandler> = new Map(
  Object.entries({
    ...topologyCommands,
    ...ddlCommands,
    ...splitCommands,
    ...mergeCommands,
    ...moveCommands,
    ...readCommands,
    ...writeCommands,
  }),
);

/** Answers one message; whatever goes wrong becomes an error reply. */
export async function answer(router: Router, request: Request, connection: Connection): Promise<Buffer> {
  const reply = await replyTo(router, request, connection);
  if (!wantsMarks(connection)) return reply.body;
  return append(reply.body, [{ name: '$shardlab', ...rawValue({ answeredBy: reply.answeredBy }) }]);
}

async function replyTo(router: Router, request: Request, connection: Connection): Promise<Reply> {
  try {
    return await run(callOf(request, connection), router);
  } catch (error) {
    return { body: errorReply(error, router), answeredBy: 'model' };
  }
}

function callOf({ body, sequences, legacy }: Request, connection: Connection): Call {
  const db = text(field(body, '$db')) ?? (legacy ? 'admin' : undefined);
  if (db === undefined) throw new CommandError(NO_DATABASE, 'OP_MSG requests require a $db argument');
  if (db === 'local') throw new CommandError(ILLEGAL_OPERATION, "Can't use 'local' database through mongos");
  if (!VALID_DATABASE.test(db)) throw new CommandError(INVALID_NAMESPACE, `Invalid database name: '${db}'`);
  return { name: firstName(body), db, body, sequences, connection };
}

async function run(call: Call, router: Router): Promise<Reply> {
  const handler = COMMANDS.get(call.name);
  if (handler) return handler(call, router);
  if (UNMODELLED_COMMANDS.has(call.name)) return { body: notModelledReply(call.name), answeredBy: 'model' };
  throw new CommandError(COMMAND_NOT_FOUND, `no such cmd: ${call.name}`);
}

/** The reply to a command that failed, in the server's shape. */
function errorReply(error: unknown, router: Router): Buffer {
  if (error instanceof CommandError) return encode(errorFields(error));
  if (error instanceof PeerError)
    return encode(errorFields(new CommandError(HOST_UNREACHABLE, unreachable(error, router))));
  throw error;
}

function errorFields({ code, message, extra }: CommandError): Document {
  return { ok: 0, errmsg: message, ...(code === undefined ? {} : { code, codeName: codeName(code) }), ...extra };
}

/** Names the shard beside the address, as nobody knows ports by heart. */
function unreachable(error: PeerError, router: Router): string {
  const shard = router.catalog.shards().find(({ host }) => host.includes(error.address));
  const who = shard ? `shard ${shard.id}` : 'the config server';
  return `${who} could not be reached :: caused by :: ${error.message}`;
}
