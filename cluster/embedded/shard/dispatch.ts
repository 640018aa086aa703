/** Decides for every command who answers it: the engine, this process, or nobody. */
import { bytesFor } from '../marking.ts';
import { databaseOf, errorReply } from '../refusals.ts';
import { CommandError, type Reply } from '../router/command.ts';
import { firstName } from '../wire/bson.ts';
import { ProtocolError, type Request } from '../wire/message.ts';
import type { Connection } from '../wire/server.ts';
import type { Command, LocalCommand, Mongod } from './context.ts';
import { askEngine, ENGINE_COMMANDS } from './engine-commands.ts';
import { HANDSHAKE_COMMANDS } from './handshake.ts';
import { refusalOf } from './known-commands.ts';
import { REPLICA_SET_COMMANDS } from './replica-set-commands.ts';
import { SERVER_COMMANDS } from './server-commands.ts';
import { SESSION_COMMANDS } from './sessions.ts';

const INTERNAL_ERROR = 1;
const UNAUTHORIZED = 13;
const INVALID_BSON = 22;
const UNSUPPORTED_OP_QUERY = 352;

const LOCAL_COMMANDS: ReadonlyMap<string, LocalCommand> = new Map(
  Object.entries({ ...HANDSHAKE_COMMANDS, ...SESSION_COMMANDS, ...REPLICA_SET_COMMANDS, ...SERVER_COMMANDS }),
);

/** Of the local ones, those that servers run on `admin` alone. */
const ADMIN_COMMANDS: ReadonlySet<string> = new Set([
  ...Object.keys(REPLICA_SET_COMMANDS),
  '_flushRoutingTableCacheUpdates',
  'flushRouterConfig',
  'getCmdLineOpts',
  'getLog',
  'hostInfo',
  'killAllSessions',
  'killAllSessionsByPattern',
  'shutdown',
]);

/** Answers one command with the reply's BSON, whatever happens. */
export async function dispatch(request: Request, connection: Connection, mongod: Mongod): Promise<Buffer> {
  const reply = await answer(request, connection, mongod).catch((error) => errorReply(commandError(error)));
  return bytesFor(connection, reply);
}

async function answer(request: Request, connection: Connection, mongod: Mongod): Promise<Reply> {
  const command: Command = { name: firstName(request.body), db: databaseOf(request), request, connection };
  const { name, db } = command;
  if (request.legacy && !Object.hasOwn(HANDSHAKE_COMMANDS, name)) throw unsupportedQuery(name);
  if (ADMIN_COMMANDS.has(name) && db !== 'admin') {
    throw new CommandError(UNAUTHORIZED, `${name} may only be run against the admin database.`);
  }
  const local = LOCAL_COMMANDS.get(name);
  if (local) return local(command, mongod);
  if (ENGINE_COMMANDS.has(name)) return mongod.writes.note(name, askEngine(command, mongod));
  throw refusalOf(name);
}

/** Since 5.1 OP_QUERY is understood for the handshake alone. */
function unsupportedQuery(name: string): CommandError {
  const problem = `Unsupported OP_QUERY command: ${name}. The client driver may require an upgrade.`;
  return new CommandError(UNSUPPORTED_OP_QUERY, problem);
}

/** What is no command error is a fault of ours, and the client is told its words. */
function commandError(thrown: unknown): CommandError {
  if (thrown instanceof CommandError) return thrown;
  return new CommandError(thrown instanceof ProtocolError ? INVALID_BSON : INTERNAL_ERROR, (thrown as Error).message);
}
