/** What both programs refuse in the same way, and how a refusal is written. */
import { codeName } from './router/codes.ts';
import { CommandError, type Reply } from './router/command.ts';
import { encode, field, text } from './wire/bson.ts';
import type { Request } from './wire/message.ts';

const INVALID_NAMESPACE = 73;
const NO_DATABASE = 40571;
/** `DatabaseName::isValid` (src/mongo/db/database_name.h). */
const VALID_DATABASE = /^[^\0/\\. "$]{1,63}$/;

/**
 * The database a command is for; an OP_QUERY, which is only understood for the handshake, needs to name none.
 * @throws CommandError 40571 when it names none, 73 when it names it as no server accepts it
 */
export function databaseOf({ body, legacy }: Request): string {
  const db = text(field(body, '$db')) ?? (legacy ? 'admin' : undefined);
  if (db === undefined) throw new CommandError(NO_DATABASE, 'OP_MSG requests require a $db argument');
  if (!VALID_DATABASE.test(db)) throw new CommandError(INVALID_NAMESPACE, `Invalid database name: '${db}'`);
  return db;
}

/** The reply to a command that failed, in the server's shape. */
export function errorReply({ code, message, extra }: CommandError): Reply {
  const named = code === undefined ? {} : { code, codeName: extra.codeName ?? codeName(code) };
  return { body: encode({ ok: 0, errmsg: message, ...named, ...extra }), answeredBy: 'model' };
}
