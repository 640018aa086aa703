// @ts-check
/**
 * The watcher of one cluster, a process of its own and plain JavaScript so that it is up at once. It reads lines on stdin: the pid of
 * each member as it is started, `done` when the cluster has been stopped. When stdin ends without `done` the parent is gone, however it
 * died: every member is killed and the folder removed. It needs /proc (Linux) or ps (macOS); on Windows only an orderly stop ends a cluster.
 *
 *   node watcher-process.mjs <private folder> <NAME=value in the environment of every member>
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const [folder, mark] = /** @type {[string, string]} */ (process.argv.slice(2));

/** When each member was born, by pid: a pid that was given to another process since is left alone. @type {Map<number, string>} */
const members = new Map();
let stopped = false;

// Signals to a whole group or session are meant for the parent; this process ends with its stdin.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const lines = createInterface({ input: process.stdin });
process.stdin.on('error', () => lines.close());
lines.on('line', (line) => {
  if (line === 'done') stopped = true;
  else members.set(Number(line), birthOf(Number(line)));
});
lines.on('close', async () => {
  if (!stopped) await cleanUp();
  process.exit();
});

/** Kills until three looks in a row found nobody: a process that the parent had just begun to start is seen a little later. */
async function cleanUp() {
  const deadline = Date.now() + 4000;
  for (let looks = 0; looks < 3 && Date.now() < deadline; looks++) {
    if (killSurvivors() > 0) looks = -1;
    await sleep(50);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

function killSurvivors() {
  const leaders = [...members].filter(([pid, birth]) => birth !== '' && birthOf(pid) === birth).map(([pid]) => pid);
  const marked = markedProcesses();
  for (const pid of leaders) kill(-pid); // each member leads a process group
  for (const pid of [...leaders, ...marked]) kill(pid);
  return leaders.length + marked.length;
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone by itself, or no group
  }
}

/**
 * What tells a process from a later one with the same pid; '' when there is none, or only a zombie.
 * @param {number} pid
 */
function birthOf(pid) {
  return process.platform === 'linux' ? birthFromProc(pid) : birthFromPs(pid);
}

/** proc(5): behind the name in parentheses, the state is field 3 and the start time field 22. @param {number} pid */
function birthFromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? '' : (fields[19] ?? '');
  } catch {
    return '';
  }
}

/** @param {number} pid */
function birthFromPs(pid) {
  const [state = 'Z', ...started] = ps('-o', 'stat=,lstart=', '-p', String(pid)).trim().split(/\s+/);
  return state.startsWith('Z') ? '' : started.join(' ');
}

/** Pids of all processes with the cluster's mark in their environment, which children inherit. */
function markedProcesses() {
  return process.platform === 'linux' ? markedInProc() : markedInPs();
}

function markedInProc() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => environmentOf(pid).split('\0').includes(mark));
}

/** @param {number} pid */
function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return ''; // another user's, or gone
  }
}

/** `-E` shows the environment behind the command (macOS). */
function markedInPs() {
  return ps('-axEww', '-o', 'pid=,command=')
    .split('\n')
    .filter((line) => `${line} `.includes(` ${mark} `))
    .map((line) => Number.parseInt(line, 10));
}

/** @param {string[]} args */
function ps(...args) {
  try {
    return execFileSync('ps', args, {
      encoding: 'utf8',
      timeout: 1000,
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return ''; // ps exits with 1 when it finds nothing
  }
}
