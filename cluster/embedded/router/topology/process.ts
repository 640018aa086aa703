/** Commands about the router process itself. */
import type { Document } from 'bson';
import { connectionStatus, hostInfo, loggedLines } from '../../process-info.ts';
import { elements, field, text } from '../../wire/bson.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { maxChunkBytes } from '../moves/jumbo.ts';
import { adminOnly } from './admin-only.ts';

const INVALID_OPTIONS = 72;
/** What `getParameter` says; nothing here can be set to another value. */
const PARAMETERS: Readonly<Document> = { logLevel: 0, quiet: false, enableTestCommands: false };

export const processCommands: Readonly<Record<string, CommandHandler>> = {
  ping: async () => modelReply(),
  buildInfo: async (_call, { buildInfo }) => modelReply(buildInfo),
  buildinfo: async (_call, { buildInfo }) => modelReply(buildInfo),
  whatsmyuri: async ({ connection }) => modelReply({ you: connection.remote }),
  connectionStatus: async ({ body }) => modelReply(connectionStatus(body)),
  getCmdLineOpts: adminOnly(async (_call, router) => modelReply(commandLine(router))),
  hostInfo: async () => modelReply(hostInfo()),
  getLog: adminOnly(async ({ body }) => modelReply(loggedLines(body))),
  getParameter: adminOnly(async (call) => getParameter(call)),
  setParameter: adminOnly(async (call) => setParameter(call)),
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

function getParameter({ body }: Call): Reply {
  if (text(field(body, 'getParameter')) === '*') return modelReply(PARAMETERS);
  const found = asked(body).filter((name) => Object.hasOwn(PARAMETERS, name));
  if (found.length === 0) throw new CommandError(INVALID_OPTIONS, 'no option found to get');
  return modelReply(Object.fromEntries(found.map((name) => [name, PARAMETERS[name]])));
}

function setParameter({ body }: Call): Reply {
  const [name] = asked(body);
  if (name === undefined)
    throw new CommandError(INVALID_OPTIONS, 'no option found to set, use help:true to see options ');
  if (!Object.hasOwn(PARAMETERS, name)) {
    throw new CommandError(
      INVALID_OPTIONS,
      `attempted to set unrecognized parameter [${name}], use help:true to see options `,
    );
  }
  return modelReply({ was: PARAMETERS[name] });
}

/** The parameters a command names: its fields but the first and those every command may carry. */
function asked(body: Buffer): string[] {
  const names = elements(body)
    .slice(1)
    .map(({ name }) => name);
  return names.filter((name) => !name.startsWith('$') && name !== 'lsid' && name !== 'comment');
}

async function serverStatus({ address, buildInfo, startedAt, configdb, catalog }: Router): Promise<Document> {
  const uptimeMillis = Date.now() - startedAt.getTime();
  return {
    host: address,
    version: buildInfo.version,
    process: 'mongos',
    pid: process.pid,
    uptime: uptimeMillis / 1000,
    uptimeMillis,
    localTime: new Date(),
    mem: { bits: 64, resident: Math.round(process.memoryUsage.rss() / 1024 / 1024) },
    sharding: { configsvrConnectionString: configdb, maxChunkSizeInBytes: await maxChunkBytes(catalog.config) },
  };
}
