/** The commands that create, shard, change and drop databases, collections and indexes. */
import type { CommandHandler } from '../command.ts';
import { createCommands } from './create.ts';
import { createIndexesCommands } from './create-indexes.ts';
import { databaseDdlCommands } from './databases.ts';
import { dropCommands } from './drop.ts';
import { dropIndexesCommands } from './drop-indexes.ts';
import { listCommands } from './lists.ts';
import { refineCommands } from './refine.ts';
import { shardCollectionCommands } from './shard-collection.ts';
import { statsCommands } from './stats.ts';
import { validateCommands } from './validate.ts';
import { zoneCommands } from './zones.ts';

export const ddlCommands: Readonly<Record<string, CommandHandler>> = {
  ...databaseDdlCommands,
  ...createCommands,
  ...dropCommands,
  ...shardCollectionCommands,
  ...refineCommands,
  ...createIndexesCommands,
  ...dropIndexesCommands,
  ...listCommands,
  ...statsCommands,
  ...validateCommands,
  ...zoneCommands,
};
