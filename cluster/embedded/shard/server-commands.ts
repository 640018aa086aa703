/** Commands about the process itself, which the engine inside it does not know. */
import type { Document } from 'bson';
import { connectionStatus, hostInfo, loggedLines } from '../process-info.ts';
import { modelReply, type Reply } from '../router/command.ts';
import type { Command, LocalCommand, Mongod } from './context.ts';
import { dropTemporaryCollections } from './recovery.ts';

/** By name. */
export const SERVER_COMMANDS: Readonly<Record<string, LocalCommand>> = {
  ping: () => modelReply(),
  buildInfo: (_, { buildInfo }) => modelReply(buildInfo),
  buildinfo: (_, { buildInfo }) => modelReply(buildInfo),
  whatsmyuri: ({ connection }) => modelReply({ you: connection.remote }),
  connectionStatus: ({ request }) => modelReply(connectionStatus(request.body)),
  getCmdLineOpts: (_, mongod) => modelReply({ argv: ['mongod', ...mongod.options.argv], parsed: parsed(mongod) }),
  hostInfo: () => modelReply(hostInfo()),
  getLog: ({ request }) => modelReply(loggedLines(request.body)),
  // Nothing of where documents belong is kept here, so there is nothing to forget.
  flushRouterConfig: () => modelReply({ flushed: true }),
  _flushRoutingTableCacheUpdates: () => modelReply(),
  shutdown,
  shardlabClearUp: clearUp,
};

function parsed({ options }: Mongod): Document {
  return {
    net: { bindIp: options.bindIp.join(','), port: options.port },
    ...(options.replSet ? { replication: { replSet: options.replSet } } : {}),
    ...(options.role ? { sharding: { clusterRole: options.role } } : {}),
    storage: { dbPath: options.dbpath },
  };
}

/** Of no server: what a router asks before it takes over from one that was killed. */
async function clearUp(_: Command, { writes, engine }: Mongod): Promise<Reply> {
  await writes.settled();
  await dropTemporaryCollections(engine);
  return modelReply();
}

function shutdown(_: Command, mongod: Mongod): Promise<Reply> {
  mongod.shutdown();
  return new Promise(() => {}); // a server breaks the connection instead of answering
}
