/** `enableSharding`. */
import { field, text } from '../../wire/bson.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { checkDatabaseName } from '../metadata/config-catalog.ts';
import { adminOnly } from '../topology/admin-only.ts';

const SHARD_NOT_FOUND = 70;
const INVALID_NAMESPACE = 73;

export const databaseDdlCommands: Readonly<Record<string, CommandHandler>> = {
  enableSharding: adminOnly(enableSharding),
};

/** Creates the database; there is nothing else to enable since 6.0. */
async function enableSharding({ body }: Call, { catalog }: Router): Promise<Reply> {
  const db = text(field(body, 'enableSharding')) ?? '';
  if (!/^[^\0/\\. "$]{1,63}$/.test(db)) {
    throw new CommandError(INVALID_NAMESPACE, `Invalid database name: '${db}'`);
  }
  checkDatabaseName(db);
  const primary = text(field(body, 'primaryShard'));
  if (primary !== undefined && !catalog.shards().some(({ id }) => id === primary)) {
    throw new CommandError(
      SHARD_NOT_FOUND,
      `Database ${db} could not be created :: caused by :: Shard ${primary} not found`,
    );
  }
  await catalog.ensureDatabase(db, primary);
  return modelReply();
}
