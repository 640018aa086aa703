/** The commands that read. */
import type { CommandHandler } from '../command.ts';
import { dataCommand } from '../data-command.ts';
import { explain } from '../explain.ts';
import { aggregate } from './aggregate.ts';
import { count } from './count.ts';
import { distinct } from './distinct.ts';
import { find } from './find.ts';

export const readCommands: Readonly<Record<string, CommandHandler>> = {
  aggregate: dataCommand(aggregate),
  explain: dataCommand(explain),
  find: dataCommand(find),
  count: dataCommand(count),
  distinct: dataCommand(distinct),
  getMore: dataCommand((call, { cursors }) => cursors.getMore(call)),
  killCursors: (call, { cursors }) => cursors.killCursors(call),
};
