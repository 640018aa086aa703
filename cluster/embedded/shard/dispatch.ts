/** Decides for every command who answers it: the engine, this process, or nobody. */
import { codeName } from '../router/codes.ts';
import { CommandError, type Reply } from '../router/command.ts';
import { append, encode, field, firstName, rawValue, text } from '../wire/bson.ts';
import { ProtocolError, type Request } from '../wire/message.ts';
import type { Connection } from '../wire/server.ts';
import type { Command, LocalCommand, Mongod } from './context.ts';
import { askEngine, ENGINE_COMMANDS } from './engine-commands.ts';
import { HANDSHAKE_COMMANDS, isMarked } from './handshake.ts';
import { refuse } from './known-commands.ts';
import { REPLICA_SET_COMMANDS } from './replica-set-commands.ts';
import { SERVER_COMMANDS } from './server-commands.ts';
import { SESSION_COMMANDS } from './sessions.ts';

const INTERNAL_ERROR = 1;
const UNAUTHORIZED = 13;
const INVALID_BSON = 22;
const NO_DATABASE = 40571;
const INVALID_NAMESPACE = 73;
const UNSUPPORTED_OP_QUERY = 352;

const LOCAL_COMMANDS: ReadonlyMap<string, LocalCommand> = new Map(
  Object.entries({ ...HANDSHAKE_COMMANDS, ...SESSION_COMMANDS, ...REPLICA_SET_COMMANDS, ...SERVER_COMMANDS }),
);

/** Of the local ones, those that servers run on `admin` alone. */
const ADMIN_COMMANDS: ReadonlySet<string> = new Set([
  ...Object.keys(REPLICA_SET_COMMANDS),
  'getCmdLineOpts',
  'getLog',
  'hostInfo',
  'killAllSessions',
  'killAllSessionsByPattern',
  'shutdown',
]);

/** Answers one command with the reply's BSON, whatever happens. */
export async function dispatch(request: Request, connection: Connection, mongod: Mongod): Promise<Buffer> {
  const reply = await answer(request, connection, mongod).catch(errorReply);
  return isMarked(connection) ? mark(reply) : reply.body;
}

async function answer(request: Request, connection: Connection, mongod: Mongod): Promise<Reply> {
  const name = firstName(request.body);
  const command: Command = { name, db: databaseOf(request, name), request, connection };
  if (ADMIN_COMMANDS.has(name) && command.db !== 'admin') {
    throw new CommandError(UNAUTHORIZED, `${name} may only be run against the admin database.`);
  }
  const local = LOCAL_COMMANDS.get(name);
  if (local) return local(command, mongod);
  return ENGINE_COMMANDS.has(name) ? askEngine(command, mongod) : refuse(name);
}

/** @throws CommandError when a message names no database, or names it as no server accepts it */
function databaseOf(request: Request, name: string): string {
  if (request.legacy) return legacyDatabase(name);
  const db = text(field(request.body, '$db'));
  if (db === undefined) throw new CommandError(NO_DATABASE, 'OP_MSG requests require a $db argument');
  if (!/^[^\0/\\. "$]{1,63}$/.test(db)) throw new CommandError(INVALID_NAMESPACE, `Invalid database name: '${db}'`);
  return db;
}

/** OP_QUERY is only understood for the handshake (src/mongo/rpc/op_legacy_integration… since 5.1). */
function legacyDatabase(name: string): string {
  if (name in HANDSHAKE_COMMANDS) return 'admin';
  throw new CommandError(
    UNSUPPORTED_OP_QUERY,
    `Unsupported OP_QUERY command: ${name}. The client driver may require an upgrade.`,
  );
}

function errorReply(thrown: unknown): Reply {
  const { code, message, extra } = commandError(thrown);
  const named = code === undefined ? {} : { code, codeName: codeName(code) };
  return { body: encode({ ok: 0, errmsg: message, ...named, ...extra }), answeredBy: 'model' };
}

/** What is no command error is a fault of ours, and the client is told its words. */
function commandError(thrown: unknown): CommandError {
  if (thrown instanceof CommandError) return thrown;
  return new CommandError(thrown instanceof ProtocolError ? INVALID_BSON : INTERNAL_ERROR, (thrown as Error).message);
}

function mark({ body, answeredBy }: Reply): Buffer {
  return append(body, [{ name: '$shardlab', ...rawValue({ answeredBy }) }]);
}
