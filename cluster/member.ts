/** One server process, from its start to its end. */
import type { ChildProcess } from 'node:child_process';
import { LineSplitter, LogTail, saysPortTaken, saysReady } from './log-lines.ts';
import { bounded } from './waiting.ts';

/** For the last lines to be read after a process has ended, in milliseconds: a child of its own may hold the pipe open. */
const LAST_LINES_MS = 2_000;
/** For the operating system to end a killed process, in milliseconds: one that writes to a slow disk ends when that is done. */
const KILL_LIMIT_MS = 30_000;

/** A process that was really started. */
export type Child = ChildProcess & { pid: number };

export function isRunning<T extends ChildProcess>(child: T): child is T & { pid: number } {
  return child.pid !== undefined;
}

/** A member that accepts connections. */
export interface RunningMember {
  readonly member: Member;
  /** `127.0.0.1:<port>` */
  readonly host: string;
}

/** See the file's comment. */
export class Member {
  readonly name: string;
  readonly pid: number;
  /** Resolves when the process has ended, with how, said of the member: `exited with code 14`, `was killed by SIGKILL`. */
  readonly ended: Promise<string>;
  /** What {@link ended} resolved with. */
  ending: string | undefined;
  /** Resolves when it says that it accepts connections. */
  readonly ready: Promise<void>;
  /** It said that its port belongs to somebody else. */
  portTaken = false;
  readonly #tail = new LogTail();
  #sayReady: () => void = () => {};

  /**
   * @param child just spawned, `detached`, so that it leads a process group; its stdout and stderr are pipes
   * @param onLine told of every line of stdout and stderr
   */
  constructor(name: string, child: Child, onLine: (line: string) => void) {
    this.name = name;
    this.pid = child.pid;
    this.ready = new Promise((resolve) => {
      this.#sayReady = resolve;
    });
    this.#readLines(child, onLine);
    this.ended = endingOf(child).then((ending) => {
      this.ending = ending;
      return ending;
    });
  }

  /** What it said last: error lines, oldest first; of one that has ended or hangs, lines of any kind where there are none. */
  lastWords(hangs = false): string[] {
    return hangs || this.ending !== undefined ? this.#tail.lastWords() : this.#tail.errorLines();
  }

  /**
   * Kills the process and what it has started, at once: a throw-away server has nothing to save, and asking a replica set's only member
   * to shut down takes seconds.
   * @returns whether it has ended
   */
  async kill(): Promise<boolean> {
    if (this.ending !== undefined) return true;
    killGroup(this.pid);
    return bounded(this.ended, KILL_LIMIT_MS).then(
      () => true,
      () => false,
    );
  }

  #readLines({ stdout, stderr }: Child, onLine: (line: string) => void): void {
    for (const stream of [stdout, stderr]) {
      const lines = new LineSplitter((line) => {
        this.#tail.push(line);
        this.portTaken ||= saysPortTaken(line);
        if (saysReady(line)) this.#sayReady();
        onLine(line);
      });
      stream?.setEncoding('utf8').on('data', (chunk: string) => lines.push(chunk));
      stream?.on('end', () => lines.end());
    }
  }
}

async function endingOf(child: Child): Promise<string> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ending = await new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? `was killed by ${signal}` : `exited with code ${code}`));
  });
  killGroup(child.pid); // a wrapper script may have died and left the server it started
  await bounded(closed, LAST_LINES_MS).catch(() => {}); // then without the lines that are still to come
  return ending;
}

/** Kills a process that was started `detached`, and what it has started. */
export function killGroup(leader: number): void {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
