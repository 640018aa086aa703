/** The commands that begin and end sessions. */
import { UUID } from 'bson';
import { hasTestCommands } from '../../flags.ts';
import { field } from '../../wire/bson.ts';
import { type CommandHandler, modelReply } from '../command.ts';
import { refusalOf } from '../known-commands.ts';

/** How long a session lives that nobody uses. */
export const TIMEOUT_MINUTES = 30;

export const sessionCommands: Readonly<Record<string, CommandHandler>> = {
  startSession: async () => modelReply({ id: { id: new UUID() }, timeoutMinutes: TIMEOUT_MINUTES }),
  endSessions: async ({ body }, { retries }) => {
    retries.end(field(body, 'endSessions'));
    return modelReply();
  },
  refreshSessions: async () => modelReply(),
  killSessions: async () => modelReply(),
  killAllSessions: async () => modelReply(),
  killAllSessionsByPattern: async () => modelReply(),
  // A command for tests: other routers do not have it (src/mongo/db/commands/refresh_logical_session_cache_now.cpp).
  refreshLogicalSessionCacheNow: async ({ name }, router) => {
    if (hasTestCommands(router)) return modelReply();
    throw refusalOf(name);
  },
};
