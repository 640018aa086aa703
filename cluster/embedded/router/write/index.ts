/** The commands that write documents. */
import type { CommandHandler } from '../command.ts';

export const writeCommands: Readonly<Record<string, CommandHandler>> = {};
