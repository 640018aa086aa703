/** A folder of things that are made once. An entry is there whole or not at all, whoever makes it and whatever kills them. */
import { constants } from 'node:fs';
import { access, lstat, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { makeFolder } from './folder.ts';

/** An entry nobody has used for this long is removed, in milliseconds: seven days. */
const UNUSED_LIMIT_MS = 7 * 24 * 3_600_000;
/** An entry still being made after this long belongs to a process that was killed, in milliseconds: one hour. */
const MAKING_LIMIT_MS = 3_600_000;
/** Marks the folder of an entry that is being made. */
const MAKING = '.making-';
/** What a file system answers that one may not write to, or that runs no programs. */
const UNUSABLE_CODES: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'ENOTDIR',
  'ENOENT',
]);

/** A folder cannot serve as a cache: it cannot be written, or runs no programs. Another one may. */
export class CacheUnusableError extends Error {
  override readonly name = 'CacheUnusableError';
}

/** Where a cache may lie, best first: the user's cache folder, then a private folder among the temporary ones. */
export async function* cacheFolders(): AsyncGenerator<string> {
  const user = await userCacheFolder();
  if (user && isAbsolute(user)) yield user;
  yield join(tmpdir(), `shardlab-${process.getuid?.() ?? 'user'}`);
}

/** Undefined where the system knows no home folder; env-paths fails while it is loaded then. */
async function userCacheFolder(): Promise<string | undefined> {
  try {
    const { default: envPaths } = await import('env-paths');
    return envPaths('shardlab', { suffix: '' }).cache;
  } catch {
    return undefined;
  }
}

/** What is made once. */
export interface Entry {
  /** Changes with everything it is made of. */
  name: string;
  /** Files that it consists of. */
  files: readonly string[];
}

/** See the file's comment. */
export class Cache {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Creates the folder where it does not exist.
   * @throws CacheUnusableError when it cannot be created, or others may change it
   */
  static async open(folder: string): Promise<Cache> {
    try {
      await makeFolder(folder, 0o700);
    } catch (error) {
      throw new CacheUnusableError(`${folder} cannot be made: ${(error as NodeJS.ErrnoException).code}`, {
        cause: error,
      });
    }
    await checkPrivate(folder);
    return new Cache(folder);
  }

  /**
   * The folder of an entry, made first where it does not exist yet, or where somebody cleared some of its files away.
   * @param make fills the folder `making`, which becomes `final` when it is complete
   * @throws CacheUnusableError when it cannot be written; whatever `make` throws
   */
  async entry({ name, files }: Entry, make: (making: string, final: string) => Promise<void>): Promise<string> {
    const final = join(this.folder, name);
    if (await isWhole(final, files)) {
      await markUsed(final);
      return final;
    }
    const making = await this.#make(final, name, make);
    await publish(making, final, files);
    return final;
  }

  /**
   * Checks that a file in the cache can be run; access(2) looks at the mount's noexec too.
   * @throws CacheUnusableError when it cannot
   */
  async checkExecutable(file: string): Promise<void> {
    await access(file, constants.X_OK).catch((error: unknown) => {
      throw unusable(this.folder, error, 'runs no programs');
    });
  }

  async #make(final: string, name: string, make: (making: string, final: string) => Promise<void>): Promise<string> {
    let making: string | undefined;
    try {
      await this.#removeOld();
      making = await mkdtemp(join(this.folder, `${MAKING}${name}-`));
      await make(making, final);
      return making;
    } catch (error) {
      if (making) await rm(making, { recursive: true, force: true });
      throw unusable(this.folder, error);
    }
  }

  /** Housekeeping: what cannot be removed is left for the next time. */
  async #removeOld(): Promise<void> {
    const names = await readdir(this.folder);
    await Promise.allSettled(
      names.map(async (name) => {
        const path = join(this.folder, name);
        const age = Date.now() - (await stat(path)).mtimeMs;
        if (age > (name.startsWith(MAKING) ? MAKING_LIMIT_MS : UNUSED_LIMIT_MS)) await rm(path, { recursive: true });
      }),
    );
  }
}

/** A cache holds programs that will be run, so nobody else may write to it. */
async function checkPrivate(folder: string): Promise<void> {
  const own = process.getuid?.();
  const { uid, mode } = await stat(folder);
  const link = await lstat(folder); // one of somebody else's could lead anywhere tomorrow
  if (own === undefined || (uid === own && link.uid === own && (mode & 0o022) === 0)) return;
  throw new CacheUnusableError(`${folder} belongs to others or can be written by them`);
}

/** Whether all these files are in the folder. */
export async function isWhole(folder: string, files: readonly string[]): Promise<boolean> {
  const found = await Promise.allSettled(files.map((file) => access(join(folder, file))));
  return found.every(({ status }) => status === 'fulfilled');
}

/** Keeps an entry from being removed as unused; a cache that may only be read needs no such mark. */
async function markUsed(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => {});
}

/** Puts a new entry in its place, unless another process was faster, with the same content. */
async function publish(making: string, final: string, files: readonly string[]): Promise<void> {
  try {
    await rename(making, final);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || (await isWhole(final, files))) {
      await rm(making, { recursive: true });
      if (!(await isWhole(final, files))) throw error;
      return;
    }
    await rm(final, { recursive: true, force: true });
    await rename(making, final);
  }
}

function unusable(folder: string, error: unknown, problem = 'cannot be written'): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (!code || !UNUSABLE_CODES.has(code)) return error;
  return new CacheUnusableError(`${folder} ${problem}: ${code}`, { cause: error });
}
