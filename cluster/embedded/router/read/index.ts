/** The commands that read. */
import type { CommandHandler } from '../command.ts';

export const readCommands: Readonly<Record<string, CommandHandler>> = {};
