/** `config.changelog`: what happened to the cluster's metadata, in the server's shape (src/mongo/db/sharding_environment/sharding_logging.cpp). */
import { ObjectId } from 'bson';
import type { Change } from './commit.ts';
import { compose } from './compose.ts';

/**
 * One entry, as a change to be committed with what it tells of.
 * @param server `host:port` of who did it
 * @param details by value, see {@link compose}
 */
export function logChange(
  server: string,
  what: string,
  ns: string,
  details: Readonly<Record<string, unknown>>,
): Change {
  const time = new Date();
  return {
    insert: 'changelog',
    document: compose({
      _id: `${server}-${time.toISOString().replace('Z', '+00:00')}-${new ObjectId()}`,
      server,
      shard: 'config',
      clientAddr: '',
      time,
      what,
      ns,
      details,
    }),
  };
}
