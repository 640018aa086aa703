/** What clusters of earlier runs left behind. Normally nothing: each has a watcher that cleans up after it. */
import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Finding, ok, warning } from './finding.ts';

/** A process with its arguments. */
export interface RunningProcess {
  pid: number;
  command: string;
}

/** A folder younger than this, in milliseconds, may be one whose watcher is just being started. */
const YOUNG_MS = 10_000;
/** mkdtemp puts six characters behind a cluster's prefix. */
const HOME = /^shardlab-\w{6}$/;
const PS_LIMIT_MS = 5_000;

/** Private folders of clusters among the temporary files, and processes that use them, without a watcher. */
export async function leftoverFindings(): Promise<Finding[]> {
  const [folders, processes] = await Promise.all([oldHomes(tmpdir()), runningProcesses()]);
  const abandoned = abandonedHomes(folders, processes);
  if (abandoned.length === 0) return [ok('Nothing is left of earlier clusters')];
  return abandoned.map(({ folder, pids }) =>
    warning(
      `A cluster whose process was killed, and its watcher too, left ${folder}${pids.length > 0 ? ` and is still running (pid ${pids.join(', ')})` : ''}`,
      [...(pids.length > 0 ? [`kill ${pids.join(' ')}`] : []), `rm -r '${folder}'`].join(' && '),
    ),
  );
}

/**
 * Folders that no watcher looks after, each with the processes that use it; pure.
 * @param folders private folders of clusters
 */
export function abandonedHomes(
  folders: readonly string[],
  processes: readonly RunningProcess[],
): { folder: string; pids: number[] }[] {
  return folders
    .map((folder) => ({ folder, users: processes.filter(({ command }) => command.includes(folder)) }))
    .filter(({ users }) => !users.some(({ command }) => command.includes('watcher-process.mjs')))
    .map(({ folder, users }) => ({ folder, pids: users.map(({ pid }) => pid) }));
}

async function oldHomes(temporary: string): Promise<string[]> {
  const names = (await readdir(temporary)).filter((name) => HOME.test(name));
  const old = await Promise.all(names.map((name) => isOldAndOwn(join(temporary, name))));
  return names.filter((_, index) => old[index]).map((name) => join(temporary, name));
}

async function isOldAndOwn(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined); // gone meanwhile
  return found !== undefined && found.uid === process.getuid?.() && Date.now() - found.mtimeMs > YOUNG_MS;
}

async function runningProcesses(): Promise<RunningProcess[]> {
  if (process.platform === 'linux') return linuxProcesses();
  if (process.platform === 'win32') return [];
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='], {
    maxBuffer: 1 << 26,
    timeout: PS_LIMIT_MS,
  });
  return stdout.split('\n').map((line) => ({ pid: Number.parseInt(line, 10), command: line }));
}

async function linuxProcesses(): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''); // gone meanwhile
      return { pid: Number(pid), command: command.replaceAll('\0', ' ') };
    }),
  );
}
