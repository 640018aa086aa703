/** Commands about the router process itself. */
import { type Document, Long } from 'bson';
import { connectionStatus, hostInfo, loggedLines } from '../../process-info.ts';
import { CommandError, type CommandHandler, modelReply, type Router } from '../command.ts';
import { maxChunkBytes } from '../moves/jumbo.ts';
import { adminOnly } from './admin-only.ts';

export const processCommands: Readonly<Record<string, CommandHandler>> = {
  ping: async () => modelReply(),
  buildInfo: async (_call, { buildInfo }) => modelReply(buildInfo),
  buildinfo: async (_call, { buildInfo }) => modelReply(buildInfo),
  whatsmyuri: async ({ connection }) => modelReply({ you: connection.remote }),
  connectionStatus: async ({ body }) => modelReply(connectionStatus(body)),
  getCmdLineOpts: adminOnly(async (_call, router) => modelReply(commandLine(router))),
  hostInfo: async () => modelReply(hostInfo()),
  getLog: adminOnly(async ({ body }) => modelReply(loggedLines(body))),
  serverStatus: async (_call, router) => modelReply(await serverStatus(router)),
  // src/mongo/s/commands/cluster_repl_set_get_status_cmd.cpp
  replSetGetStatus: adminOnly(async () => {
    throw new CommandError(undefined, 'replSetGetStatus is not supported through mongos', { info: 'mongos' });
  }),
  // A server breaks the connection instead of answering.
  shutdown: adminOnly((_call, router) => {
    router.shutdown();
    return new Promise(() => {});
  }),
};

function commandLine({ argv, configdb, address }: Router): Document {
  const [bindIp, port] = address.split(':');
  return {
    argv: ['mongos', ...argv],
    parsed: { net: { bindIp, port: Number(port) }, sharding: { configDB: configdb } },
  };
}

/** What can be counted of a server's status; nothing is made up for the rest. */
async function serverStatus(router: Router): Promise<Document> {
  const { address, buildInfo, startedAt, configdb, catalog } = router;
  const { current, totalCreated, ...network } = router.traffic();
  const uptimeMillis = Date.now() - startedAt.getTime();
  return {
    host: address,
    version: buildInfo.version,
    process: 'mongos',
    pid: process.pid,
    uptime: uptimeMillis / 1000,
    uptimeMillis,
    localTime: new Date(),
    connections: { current, totalCreated },
    network: longs(network),
    opcounters: longs(router.opCounters.all),
    mem: { bits: 64, resident: Math.round(process.memoryUsage.rss() / 1024 / 1024) },
    sharding: { configsvrConnectionString: configdb, maxChunkSizeInBytes: await maxChunkBytes(catalog.config) },
  };
}

function longs(counts: Readonly<Record<string, number>>): Document {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Long.fromNumber(count)]));
}
