/** The folder of fetched servers: `<version>-<machine>/mongod` and `mongos`. An entry is there whole or not at all. */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Cache, cacheFolders, isWhole } from '../cache.ts';
import { makeFolder } from '../folder.ts';
import { cacheProblem } from './errors.ts';

/** What is cached. */
export interface CachedServers {
  /** `8.0.4` */
  version: string;
  /** What they run on: `linux-x64-debian-12`. */
  machine: string;
  /** Of both programs together. */
  bytes: number;
  /** The folder that holds `mongod` and `mongos`, absolute. */
  path: string;
}

/** Begins the name of what is being made; its own name and `~` follow. */
const MAKING = '.making-';
const PROGRAMS = ['mongod', 'mongos'] as const;
/** More than a download may take, in milliseconds: two hours. */
const MAKING_LIMIT_MS = 2 * 3_600_000;
/** `8.0.4-linux-x64-debian-12`, `9.0.0-rc1-darwin-arm64` */
const ENTRY = /^(\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)[\w.]*)?)-([a-z].*)$/;

/** See the file's comment. */
export class Store {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * @param environment MONGOMS_DOWNLOAD_DIR names the folder. The default is one beside shardlab's cache that only this user may write to
   * @throws CacheUnusableError when others may write to the default folder, or it cannot be made
   */
  static async open(environment: NodeJS.ProcessEnv): Promise<Store> {
    if (environment.MONGOMS_DOWNLOAD_DIR) return new Store(resolve(environment.MONGOMS_DOWNLOAD_DIR));
    const { value: beside } = await cacheFolders().next();
    const { folder } = await Cache.open(`${beside}-mongodb`); // not in it: that one forgets what is not used for a week
    return new Store(folder);
  }

  /** All that is cached, by version and machine. */
  async list(): Promise<CachedServers[]> {
    const names = await readdir(this.folder).catch(() => []); // there is none yet
    const entries = await Promise.all(names.sort().map((name) => this.#read(name)));
    return entries.filter((entry) => entry !== undefined);
  }

  /** Where an entry is, or will be. */
  place(version: string, machine: string): string {
    return join(this.folder, `${version}-${machine}`);
  }

  /**
   * Makes an entry. Whoever calls this holds the entry's lock.
   * @param fill writes the programs to the folder `programs`, and whatever else it needs to the folder `scratch`
   * @throws what `fill` throws; the file system's error. Nothing of the entry is left then
   */
  async make(place: string, fill: (programs: string, scratch: string) => Promise<void>): Promise<void> {
    await this.#forgetUnfinished(place);
    const scratch = await mkdtemp(join(this.folder, unfinished(place)));
    try {
      const programs = join(scratch, 'programs');
      await mkdir(programs);
      await fill(programs, scratch);
      await rm(place, { recursive: true, force: true }); // one that lost a file
      await rename(programs, place);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** Takes an entry out that turned out to be wrong. */
  async remove(place: string): Promise<void> {
    await rm(place, { recursive: true, force: true });
  }

  /** Reads a file that {@link keep} wrote, with its age in milliseconds; undefined when there is none. */
  async kept(name: string): Promise<{ text: string; ageMs: number } | undefined> {
    const path = join(this.folder, name);
    try {
      return { text: await readFile(path, 'utf8'), ageMs: Date.now() - (await stat(path)).mtimeMs };
    } catch {
      return undefined;
    }
  }

  /**
   * Writes a small file, which is whole at any moment.
   * @throws Obstacle when the folder cannot be written
   */
  async keep(name: string, text: string): Promise<void> {
    await this.prepare();
    const draft = join(this.folder, `${MAKING}${name}~${randomUUID()}`);
    try {
      await writeFile(draft, text);
      await rename(draft, join(this.folder, name));
    } catch (error) {
      await rm(draft, { force: true });
      throw cacheProblem(this.folder, error);
    }
  }

  /**
   * Makes the folder where it does not exist.
   * @throws Obstacle when it cannot be made
   */
  async prepare(): Promise<void> {
    await makeFolder(this.folder, 0o700).catch((error: unknown) => {
      throw cacheProblem(this.folder, error);
    });
  }

  async #read(name: string): Promise<CachedServers | undefined> {
    const [, version, machine] = ENTRY.exec(name) ?? [];
    const path = join(this.folder, name);
    if (!version || !machine || !(await hasPrograms(path))) return undefined;
    return { version, machine, bytes: await sizeOf(path), path };
  }

  /** What killed processes were making: of this entry, whose lock is ours, and of others as soon as it is too old to be under way. */
  async #forgetUnfinished(place: string): Promise<void> {
    const names = (await readdir(this.folder)).filter((name) => name.startsWith(MAKING));
    await Promise.all(
      names.map(async (name) => {
        const path = join(this.folder, name);
        const isOver = name.startsWith(unfinished(place)) || (await ageOf(path)) > MAKING_LIMIT_MS;
        if (isOver) await rm(path, { recursive: true, force: true });
      }),
    );
  }
}

/** Whether both programs are there. That they cannot be run, on a disk mounted noexec say, is no reason to fetch them again. */
export function hasPrograms(place: string): Promise<boolean> {
  return isWhole(place, PROGRAMS);
}

/** In milliseconds; 0 of what is gone meanwhile. */
async function ageOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found ? Date.now() - found.mtimeMs : 0;
}

async function sizeOf(place: string): Promise<number> {
  const sizes = await Promise.all(PROGRAMS.map(async (program) => (await stat(join(place, program))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function unfinished(place: string): string {
  return `${MAKING}${basename(place)}~`;
}
