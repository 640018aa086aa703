/** What ends a script before its work is done: signals, an npm that is gone, a stdout that takes nothing more. */
import { readFileSync } from 'node:fs';
import { InputError } from '../cluster/index.ts';

/** Why a script ends before its work is done. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
const SIGPIPE = 13;
/** npm passes on the Ctrl-C that the terminal has already sent us: within this time, in milliseconds, it is the same one. */
const SAME_SIGNAL_MS = 1_000;
/** How often it is seen whether npm is still there, in milliseconds. */
const NPM_CHECK_MS = 500;

/**
 * Aborted with an {@link Interrupted} by the first signal, the end of the npm that runs this script, or a closed stdout; with an InputError
 * when stdout cannot be written to. A later signal ends the process at once; the cluster's watcher then cleans up.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  onSignal((message, exitCode) => controller.abort(new Interrupted(message, exitCode)));
  onEndOfNpm(() => controller.abort(new Interrupted('stopped: npm has ended', 128 + SIGNALS.SIGHUP)));
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const nobodyReads = error.code === 'EPIPE'; // and nothing is to be said
    const reason = new InputError(`stdout cannot be written to: ${error.message}`, { cause: error });
    controller.abort(nobodyReads ? new Interrupted('', 128 + SIGPIPE) : reason);
  });
  process.stderr.on('error', () => {}); // nobody can be told; results still go to stdout
  return controller.signal;
}

function onSignal(first: (message: string, exitCode: number) => void): void {
  let ends = Number.POSITIVE_INFINITY;
  for (const [name, number] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (performance.now() > ends) process.exit(128 + number);
      ends = Math.min(ends, performance.now() + SAME_SIGNAL_MS);
      first(`stopped by ${name}`, 128 + number);
    });
  }
}

/** `kill` of npm, such as that of a shell script which has started it with `&`, reaches npm and its shell but not what that runs. */
function onEndOfNpm(ended: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const before = ancestry();
  const timer = setInterval(() => {
    if (ancestry() === before) return;
    clearInterval(timer);
    ended();
  }, NPM_CHECK_MS);
  timer.unref();
}

/** The pid of the parent and, where that is a shell between npm and us (which some shells replace by what they run), of its parent. */
function ancestry(): string {
  const [, command, grandparent] = /^\d+ \((.*)\) \S (\d+)/s.exec(statOf(process.ppid)) ?? [];
  return command === 'sh' ? `${process.ppid} ${grandparent}` : `${process.ppid}`;
}

/** proc(5); '' where there is none (macOS). */
function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
