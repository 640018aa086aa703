/** What tests look at afterwards: processes, ports and folders of a run. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a run left behind; all empty when nothing did. */
export interface Leftovers {
  /** Command lines. */
  processes: string[];
  /** Names inside the folder that served the run as temporary folder. */
  files: string[];
}

/**
 * What is left of all clusters that were started with `temporary` as their temporary folder, once nothing is or 5 s have passed: as long as
 * it may take after the sudden death of the parent.
 */
export async function leftovers(temporary: string): Promise<Leftovers> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    const left = { processes: processesOf(temporary), files: readdirSync(temporary) };
    if (left.processes.length + left.files.length === 0 || Date.now() > deadline) return left;
    await sleep(50);
  }
}

/** Command lines of members and watchers of clusters whose private folder is in `temporary`. */
export function processesOf(temporary: string): string[] {
  const inFolder = (text: string): boolean => text.includes(`${temporary}/shardlab-`);
  return runningProcesses().filter(inFolder);
}

/** Whether anything accepts connections there. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Command and environment of every process of this user that is no zombie. */
function runningProcesses(): string[] {
  if (process.platform !== 'linux') {
    return execFileSync('ps', ['-axEww', '-o', 'command='], { encoding: 'utf8', maxBuffer: 1 << 26 }).split('\n');
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.map((pid) => `${readProc(pid, 'cmdline')} ${readProc(pid, 'environ')}`.replaceAll('\0', ' '));
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // gone meanwhile, or another user's
  }
}
