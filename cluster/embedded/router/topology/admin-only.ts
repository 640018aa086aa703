/** Commands that the server takes in the database `admin` alone. */
import { type Call, CommandError, type CommandHandler } from '../command.ts';

const UNAUTHORIZED = 13;

/** `handler`, refusing every other database. */
export function adminOnly(handler: CommandHandler): CommandHandler {
  return async (call, router) => {
    requireAdmin(call);
    return handler(call, router);
  };
}

/** @throws CommandError 13 */
function requireAdmin({ db, name }: Call): void {
  if (db !== 'admin') throw new CommandError(UNAUTHORIZED, `${name} may only be run against the admin database.`);
}
