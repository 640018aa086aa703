/** What tests look at afterwards: processes and folders of a run. A port may be another's as soon as its process is gone. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a run left behind; all empty when nothing did. */
export interface Leftovers {
  /** Command lines. */
  processes: string[];
  /** Names inside the folder that served the run as temporary folder. */
  files: string[];
}

/**
 * What is left of all clusters that were started with `temporary` as their temporary folder, once nothing is or 60 s have passed: it may take
 * some time after the sudden death of the parent.
 */
export async function leftovers(temporary: string): Promise<Leftovers> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const files = readdirSync(temporary).filter((name) => !CACHE.test(name));
    const left = { processes: processesOf(temporary), files };
    if (left.processes.length + left.files.length === 0 || Date.now() > deadline) return left;
    await sleep(50);
  }
}

/** The compiler's cache, and our own where there is no home folder. */
const CACHE = new RegExp(`^tsx-|^shardlab-${process.getuid?.()}$`);

/** Command lines of members and watchers of clusters whose private folder is in `temporary`. */
export function processesOf(temporary: string): string[] {
  return ownProcesses(temporary).map(({ command }) => command);
}

/** The pid of a `mongod` of the only cluster in `temporary`. */
export function pidOf(temporary: string, replicaSet: string): number {
  return pidWith(temporary, `--replSet ${replicaSet} `);
}

/** The pid of the watcher of the only cluster in `temporary`. */
export function watcherPid(temporary: string): number {
  return pidWith(temporary, 'watcher-process.mjs');
}

function pidWith(temporary: string, words: string): number {
  const found = ownProcesses(temporary).find(({ command }) => command.includes(words));
  if (!found) throw new Error(`no process with ${words}`);
  return found.pid;
}

interface RunningProcess {
  pid: number;
  /** With its arguments. */
  command: string;
}

/** A cluster's processes have its private folder in their environment or, the watcher, among their arguments. */
function ownProcesses(temporary: string): RunningProcess[] {
  const mark = `${temporary}/shardlab-`;
  return runningProcesses()
    .filter(({ command, environment }) => `${command} ${environment}`.includes(mark))
    .map(({ pid, command }) => ({ pid, command }));
}

/** Every process of this user that is no zombie. */
function runningProcesses(): (RunningProcess & { environment: string })[] {
  if (process.platform !== 'linux') {
    const table = execFileSync('ps', ['-axEww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 1 << 26 });
    return table.split('\n').map((line) => ({ pid: Number.parseInt(line, 10), command: line, environment: '' }));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), command: readProc(pid, 'cmdline'), environment: readProc(pid, 'environ') }));
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // gone meanwhile, or another user's
  }
}
