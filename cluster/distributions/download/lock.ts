/** One process at a time makes a thing; the others wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Obstacle } from './errors.ts';

/** A holder shows that it lives once a second; one that has not for this long, in milliseconds, is dead. */
const DEAD_AFTER_MS = 15_000;
const LIFE_SIGN_MS = 1_000;
/** Between two looks at a lock that somebody holds, in milliseconds. */
const LOOK_AGAIN_MS = 200;

/** How {@link withLock} waits. */
export interface Waiting {
  /** Asked before each try; waiting ends when it says yes. */
  isDone: () => Promise<boolean>;
  /** Told once, when somebody else holds the lock. */
  onWait: () => void;
  /** Milliseconds. */
  limitMs: number;
  signal: AbortSignal | undefined;
}

/**
 * Does `work` while holding the lock that belongs to `path`, unless somebody else has done it meanwhile. A dead process's lock is taken over.
 * @param path its lock is the folder `<path>.lock`; need not exist itself
 * @throws what `work` throws; Obstacle when the others take longer than the limit; the signal's reason; the file system's error
 */
export async function withLock(path: string, waiting: Waiting, work: () => Promise<void>): Promise<void> {
  const since = performance.now();
  let told = false;
  while (!(await waiting.isDone())) {
    const release = await tryLock(path);
    if (release) return holding(release, waiting, work);
    if (!told) waiting.onWait();
    told = true;
    if (performance.now() - since > waiting.limitMs) throw tooLong(path, waiting.limitMs);
    await pause(waiting.signal);
  }
}

async function holding(release: () => Promise<void>, { isDone }: Waiting, work: () => Promise<void>): Promise<void> {
  try {
    if (!(await isDone())) await work();
  } finally {
    await release().catch(() => {}); // somebody took this process for dead, while it was suspended say: the lock is theirs now
  }
}

function tooLong(path: string, ms: number): Obstacle {
  return new Obstacle(`another process has held ${path}.lock for ${ms / 1000} s`);
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await sleep(LOOK_AGAIN_MS, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
}

async function tryLock(path: string): Promise<(() => Promise<void>) | undefined> {
  const { default: lockfile } = await import('proper-lockfile'); // it listens to signals from then on
  try {
    return await lockfile.lock(path, {
      realpath: false,
      stale: DEAD_AFTER_MS,
      update: LIFE_SIGN_MS,
      onCompromised: () => {}, // two may then make the same thing, each in a folder of its own; the later replaces the earlier
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOCKED') return undefined;
    throw error;
  }
}
