/** The private folder of one cluster, and the process that kills the members and removes it should this one die. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { couldNot } from './errors.ts';
import { bounded } from './waiting.ts';

/** Each member has this in its environment, with the folder as its value: so the watcher finds those it was not told of in time. */
const MARK = 'SHARDLAB_CLUSTER';
const PROGRAM = fileURLToPath(new URL('./watcher-process.mjs', import.meta.url));
/** For the watcher to end when it is told to, in milliseconds. */
const END_LIMIT_MS = 10_000;
/** Somebody who kills watchers over and over is not to keep us busy. */
const MOST_REPLACEMENTS = 3;

/**
 * Makes the private folder and starts its watcher, in one go: from then on nothing in it outlives this process.
 * @throws ClusterStartError when either cannot be made
 */
export async function openHome(): Promise<Home> {
  const home = new Home(makeFolder());
  try {
    await home.watched();
  } catch (error) {
    await rm(home.folder, { recursive: true, force: true });
    throw couldNot('the watcher', 'be run', error);
  }
  return home;
}

function makeFolder(): string {
  try {
    return mkdtempSync(join(resolve(tmpdir()), 'shardlab-'));
  } catch (error) {
    throw couldNot('the cluster', 'make its private folder', error);
  }
}

/** See {@link openHome}. */
export class Home {
  /** Only the user can read it. */
  readonly folder: string;
  /**
   * The environment of every member. Options meant for this Node.js are not for servers that happen to run on one, and what a server that
   * is killed leaves among temporary files goes with the folder.
   */
  readonly environment: NodeJS.ProcessEnv;
  #watcher: ChildProcess;
  #lost = 0;
  #closing = false;

  constructor(folder: string) {
    this.folder = folder;
    this.environment = { ...process.env, NODE_OPTIONS: undefined, TMPDIR: folder, [MARK]: folder };
    this.#watcher = this.#startWatcher();
  }

  /**
   * Resolves when the watcher runs.
   * @throws the operating system's error when it cannot be started
   */
  async watched(): Promise<void> {
    await once(this.#watcher, 'spawn');
  }

  /** Puts a member, the leader of a process group, under the watcher's guard. */
  guard(pid: number): void {
    this.#watcher.stdin?.write(`${pid}\n`);
  }

  /**
   * Removes the folder and ends the watcher; all members have ended. Never rejects.
   * @returns what did not go as planned, in sentences
   */
  async close(): Promise<string[]> {
    this.#closing = true;
    const problems: string[] = [];
    if (this.#lost > 0) problems.push('the cluster’s watcher had ended before its time');
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: Error) => {
      problems.push(`the folder ${this.folder} could not be removed: ${error.message}`);
    });
    this.#watcher.stdin?.end('done\n');
    await bounded(endOf(this.#watcher), END_LIMIT_MS).catch(() => {
      problems.push('the cluster’s watcher had to be killed');
      this.#watcher.kill('SIGKILL');
    });
    return problems;
  }

  #startWatcher(): ChildProcess {
    const watcher = spawn(process.execPath, [PROGRAM, this.folder, `${MARK}=${this.folder}`], {
      detached: true, // Ctrl-C in a terminal goes to every process of its group
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env.PATH },
      cwd: tmpdir(),
    });
    watcher.stdin?.on('error', () => {}); // it has ended, which is dealt with below
    watcher.on('error', () => {}); // watched() says so to begin with, close() of a replacement
    watcher.once('exit', () => this.#replaceWatcher());
    watcher.unref();
    (watcher.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    return watcher;
  }

  /** One that was killed leaves the members without a guard. Its successor knows them by their mark: a pid may be another's by now. */
  #replaceWatcher(): void {
    if (this.#closing || ++this.#lost > MOST_REPLACEMENTS) return;
    this.#watcher = this.#startWatcher();
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  const isOver = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  if (!isOver) await once(child, 'exit');
}
