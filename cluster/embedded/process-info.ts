/** What both programs say of their process, and of those who are logged in, whatever they serve. */
import { arch, cpus, hostname, platform, release, totalmem } from 'node:os';
import type { Document } from 'bson';
import { linesWritten, recentLines } from './log.ts';
import { CommandError } from './router/command.ts';
import { field, text, truthy } from './wire/bson.ts';

const OPERATION_FAILED = 96;

/** The reply to `hostInfo`. */
export function hostInfo(): Document {
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

/** The reply to `connectionStatus`. Nobody is logged in: there is no authentication. */
export function connectionStatus(body: Buffer): Document {
  const privileges = truthy(field(body, 'showPrivileges')) ? { authenticatedUserPrivileges: [] } : {};
  return { authInfo: { authenticatedUsers: [], authenticatedUserRoles: [], ...privileges } };
}

/**
 * The reply to `getLog`. There are no startup warnings, so that log is empty.
 * @throws CommandError 96 for a log that servers do not have
 */
export function loggedLines(body: Buffer): Document {
  const which = text(field(body, 'getLog'));
  if (which === '*') return { names: ['global', 'startupWarnings'] };
  if (which === 'global') return { totalLinesWritten: linesWritten(), log: recentLines() };
  if (which === 'startupWarnings') return { totalLinesWritten: 0, log: [] };
  throw new CommandError(OPERATION_FAILED, `No log named '${which}'`);
}
