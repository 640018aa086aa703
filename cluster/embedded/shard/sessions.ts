/** Session commands, answered here because the engine dies on them. It has no sessions, so there is nothing to end or to refresh. */
import { Binary } from 'bson';
import { modelReply } from '../router/command.ts';
import type { LocalCommand } from './context.ts';

/** By name. */
export const SESSION_COMMANDS: Readonly<Record<string, LocalCommand>> = {
  startSession: () =>
    modelReply({ id: { id: new Binary(crypto.getRandomValues(new Uint8Array(16)), 4) }, timeoutMinutes: 30 }),
  endSessions: () => modelReply(),
  refreshSessions: () => modelReply(),
  killSessions: () => modelReply(),
  killAllSessions: () => modelReply(),
  killAllSessionsByPattern: () => modelReply(),
};
