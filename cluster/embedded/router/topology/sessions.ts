/** The commands that begin and end sessions. */
import { UUID } from 'bson';
import { type CommandHandler, modelReply } from '../command.ts';

const TIMEOUT_MINUTES = 30;

export const sessionCommands: Readonly<Record<string, CommandHandler>> = {
  startSession: async () => modelReply({ id: { id: new UUID() }, timeoutMinutes: TIMEOUT_MINUTES }),
  endSessions: async () => modelReply(),
  refreshSessions: async () => modelReply(),
  killSessions: async () => modelReply(),
  killAllSessions: async () => modelReply(),
  killAllSessionsByPattern: async () => modelReply(),
};
