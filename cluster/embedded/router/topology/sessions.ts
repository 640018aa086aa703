/** The commands that begin and end sessions. */
import { UUID } from 'bson';
import { field } from '../../wire/bson.ts';
import { type CommandHandler, modelReply } from '../command.ts';

const TIMEOUT_MINUTES = 30;

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
};
