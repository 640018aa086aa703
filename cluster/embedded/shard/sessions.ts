/** Session commands, answered here because the engine dies on them. It has no sessions, so there is nothing to end or to refresh. */
import { Binary } from 'bson';
import { hasTestCommands } from '../flags.ts';
import { modelReply, type Reply } from '../router/command.ts';
import type { Command, LocalCommand, Mongod } from './context.ts';
import { refusalOf } from './known-commands.ts';

/** By name. */
export const SESSION_COMMANDS: Readonly<Record<string, LocalCommand>> = {
  startSession: () =>
    modelReply({ id: { id: new Binary(crypto.getRandomValues(new Uint8Array(16)), 4) }, timeoutMinutes: 30 }),
  endSessions: () => modelReply(),
  refreshSessions: () => modelReply(),
  killSessions: () => modelReply(),
  killAllSessions: () => modelReply(),
  killAllSessionsByPattern: () => modelReply(),
  refreshLogicalSessionCacheNow: refreshNow,
};

/** A command for tests: other servers do not have it (src/mongo/db/commands/refresh_logical_session_cache_now.cpp). */
function refreshNow({ name }: Command, { options }: Mongod): Reply {
  if (hasTestCommands(options)) return modelReply();
  throw refusalOf(name);
}
