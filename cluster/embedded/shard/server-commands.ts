/** Commands about the process itself, which the engine inside it does not know. */
import { arch, cpus, hostname, platform, release, totalmem } from 'node:os';
import type { Document } from 'bson';
import { linesWritten, recentLines } from '../log.ts';
import { CommandError, modelReply, type Reply } from '../router/command.ts';
import { field, text, truthy } from '../wire/bson.ts';
import type { Command, LocalCommand, Mongod } from './context.ts';

const OPERATION_FAILED = 96;

/** By name. */
export const SERVER_COMMANDS: Readonly<Record<string, LocalCommand>> = {
  ping: () => modelReply(),
  buildInfo: (_, { buildInfo }) => modelReply(buildInfo),
  buildinfo: (_, { buildInfo }) => modelReply(buildInfo),
  whatsmyuri: ({ connection }) => modelReply({ you: connection.remote }),
  connectionStatus,
  getCmdLineOpts: (_, mongod) => modelReply({ argv: ['mongod', ...mongod.options.argv], parsed: parsed(mongod) }),
  hostInfo: () => modelReply(hostInfo()),
  getLog,
  shutdown,
};

function parsed({ options }: Mongod): Document {
  return {
    net: { bindIp: options.bindIp.join(','), port: options.port },
    ...(options.replSet ? { replication: { replSet: options.replSet } } : {}),
    ...(options.role ? { sharding: { clusterRole: options.role } } : {}),
    storage: { dbPath: options.dbpath },
  };
}

function hostInfo(): Document {
  const processors = cpus();
  const megabytes = Math.floor(totalmem() / 1024 / 1024);
  return {
    system: {
      currentTime: new Date(),
      hostname: hostname(),
      cpuAddrSize: 64,
      memSizeMB: megabytes,
      memLimitMB: megabytes,
      numCores: processors.length,
      cpuArch: arch() === 'x64' ? 'x86_64' : arch(),
      numaEnabled: false,
    },
    os: { type: platform() === 'darwin' ? 'Darwin' : 'Linux', name: platform(), version: release() },
    extra: { cpuString: processors[0]?.model ?? '' },
  };
}

/** Nobody is logged in: there is no authentication. */
function connectionStatus({ request }: Command): Reply {
  const privileges = truthy(field(request.body, 'showPrivileges')) ? { authenticatedUserPrivileges: [] } : {};
  return modelReply({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [], ...privileges } });
}

/** There are no startup warnings, so that log is empty. */
function getLog({ request }: Command): Reply {
  const which = text(field(request.body, 'getLog'));
  if (which === '*') return modelReply({ names: ['global', 'startupWarnings'] });
  if (which === 'global') return modelReply({ totalLinesWritten: linesWritten(), log: recentLines() });
  if (which === 'startupWarnings') return modelReply({ totalLinesWritten: 0, log: [] });
  throw new CommandError(OPERATION_FAILED, `No log named '${which}'`);
}

function shutdown(_: Command, mongod: Mongod): Promise<Reply> {
  mongod.shutdown();
  return new Promise(() => {}); // a server breaks the connection instead of answering
}
