/** Servers that are fetched from MongoDB's archives: looked up, checked, unpacked, and kept for the next time. */
import { join } from 'node:path';
import { InputError } from '../errors.ts';
import { CacheUnusableError } from './cache.ts';
import { parseChecksum, verifyChecksum } from './download/checksum.ts';
import { cacheProblem, DownloadError, Obstacle } from './download/errors.ts';
import { releaseList } from './download/list.ts';
import { withLock } from './download/lock.ts';
import { archiveFor } from './download/lookup.ts';
import { type Machine, machineName, thisMachine } from './download/machine.ts';
import { addressAt, sourceOf } from './download/source.ts';
import { type CachedServers, hasPrograms, Store } from './download/store.ts';
import { extent, type Progress, transfer } from './download/transfer.ts';
import { unpack } from './download/unpack.ts';
import { checkAsked, isExact, newestOf, releaseFor } from './download/versions.ts';
import { type Limits, Web } from './download/web.ts';
import type { Distribution } from './index.ts';
import { resolveFolder } from './system.ts';

/** How a download is to go. */
export interface DownloadOptions {
  /** Of this process: proxies, MONGOMS_DOWNLOAD_DIR and MONGOMS_DOWNLOAD_MIRROR are read in it; the servers get it when they are asked for their version. */
  environment: NodeJS.ProcessEnv;
  /** Told of what takes time, in lines for people. */
  say: (line: string) => void;
  /** Ends it with its reason. */
  signal?: AbortSignal | undefined;
  /** Nothing is looked up or fetched. */
  offline?: boolean;
  machine?: Machine;
  limits?: Limits;
}

/** Between two lines of progress, in milliseconds. */
const PROGRESS_MS = 3_000;

/**
 * The newest servers that `asked` means: from the cache, or fetched into it.
 * @param asked a version (`8.0.4`), a range (`8.0`, `7`, `>=6 <8`) or `latest`
 * @throws InputError when that is none, or too old for the driver; when a proxy or a mirror has no address
 * @throws DownloadError when the servers cannot be had; nothing half-made is left
 * @throws the signal's reason
 */
export async function resolveDownload(asked: string, options: DownloadOptions): Promise<Distribution> {
  return explained(asked, async () => (await open(asked, options)).resolve());
}

/**
 * As {@link resolveDownload}, but never looks further than the cache.
 * @returns undefined when it holds none that can be used
 */
export async function resolveCached(asked: string, environment: NodeJS.ProcessEnv): Promise<Distribution | undefined> {
  const offline = resolveDownload(asked, { environment, offline: true, say: () => {} });
  return offline.catch((error: unknown) => {
    if (error instanceof DownloadError) return undefined;
    throw error;
  });
}

/**
 * What is cached, whoever fetched it.
 * @throws DownloadError when others may write to the default folder
 */
export async function cachedServers(
  environment: NodeJS.ProcessEnv,
): Promise<{ folder: string; servers: CachedServers[] }> {
  const store = await explained('from the cache', () => Store.open(environment));
  return { folder: store.folder, servers: await store.list() };
}

/** One build of one version. */
export interface Build {
  /** `8.0.4` */
  version: string;
  /** Where its archive can be fetched. */
  url: string;
}

/**
 * The newest build for this machine that `asked` means; nothing but the list of versions is fetched.
 * @throws as {@link resolveDownload}
 */
export async function findBuild(asked: string, options: DownloadOptions): Promise<Build> {
  return explained(asked, async () => (await open(asked, options)).newest());
}

/**
 * The newest version in the cache that `asked` means, whether its programs run or not.
 * @throws as {@link resolveDownload}
 */
export async function cachedVersion(asked: string, options: DownloadOptions): Promise<string | undefined> {
  return explained(asked, async () => (await open(asked, options)).cached());
}

async function open(asked: string, options: DownloadOptions): Promise<Download> {
  checkAsked(asked);
  const { environment, machine = await thisMachine() } = options;
  return new Download(asked, options, await Store.open(environment), machine);
}

async function explained<T>(asked: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Obstacle) throw new DownloadError(asked, error.message, { cause: error });
    if (!(error instanceof CacheUnusableError)) throw error;
    throw new DownloadError(asked, `${error.message}; MONGOMS_DOWNLOAD_DIR can name another folder`, { cause: error });
  }
}

/** One thing asked for. */
class Download {
  readonly #asked: string;
  readonly #options: DownloadOptions;
  readonly #store: Store;
  readonly #machine: Machine;

  constructor(asked: string, options: DownloadOptions, store: Store, machine: Machine) {
    this.#asked = asked;
    this.#options = options;
    this.#store = store;
    this.#machine = machine;
  }

  async resolve(): Promise<Distribution> {
    const cached = await this.cached();
    if (cached && (this.#options.offline || isExact(this.#asked))) return this.#use(cached);
    if (this.#options.offline) {
      throw new Obstacle(`none is in ${this.#store.folder} for this machine, and nothing may be fetched`);
    }
    await using web = await this.#web();
    const build = await this.#newest(web).catch((error: unknown) => {
      if (!(cached && error instanceof Obstacle)) throw error;
      this.#sayNotLookedFor(cached, error);
      return { version: cached, url: undefined };
    });
    if (build.url && build.version !== cached) await this.#fetch(build.version, build.url, web);
    return this.#use(build.version);
  }

  /** The newest version in the cache that is meant. */
  async cached(): Promise<string | undefined> {
    const machine = machineName(this.#machine);
    const entries = (await this.#store.list()).filter((entry) => entry.machine === machine);
    const releases = entries.map(({ version }) => ({ version, production_release: true }));
    return newestOf(this.#asked, releases)?.version;
  }

  /** The newest build there is. */
  async newest(): Promise<Build> {
    await using web = await this.#web();
    return await this.#newest(web); // before the web is closed
  }

  #web(): Promise<Web> {
    const { environment, limits, signal } = this.#options;
    return Web.open(environment, limits, signal);
  }

  async #newest(web: Web): Promise<Build> {
    const source = sourceOf(this.#options.environment);
    const releases = await releaseList(this.#asked, { store: this.#store, source, web });
    const release = releaseFor(this.#asked, releases);
    return { version: release.version, url: addressAt(source, await archiveFor(release, this.#machine, releases)) };
  }

  #sayNotLookedFor(cached: string, { message }: Obstacle): void {
    this.#options.say(
      `MongoDB ${cached} is taken from the cache; whether there is a newer ${this.#asked} is not known: ${message}`,
    );
  }

  async #fetch(version: string, url: string, web: Web): Promise<void> {
    const place = this.#store.place(version, machineName(this.#machine));
    await this.#store.prepare();
    const waiting = {
      isDone: () => hasPrograms(place),
      onWait: () => this.#options.say(`Another process fetches MongoDB ${version}; waiting for it`),
      limitMs: web.limits.total,
      signal: this.#options.signal,
    };
    const fill = (programs: string, scratch: string) =>
      this.#fill(version, { url, web, programs, archive: join(scratch, 'archive.tgz') });
    try {
      await withLock(place, waiting, () => this.#store.make(place, fill));
    } catch (error) {
      throw cacheProblem(this.#store.folder, error);
    }
  }

  async #fill(
    version: string,
    { url, web, programs, archive }: { url: string; web: Web; programs: string; archive: string },
  ): Promise<void> {
    const { say, signal } = this.#options;
    const expected = parseChecksum(await web.text(`${url}.sha256`), `${url}.sha256`);
    say(`Fetching MongoDB ${version} from ${url}`);
    await transfer(url, archive, {
      web,
      signal,
      onProgress: everyFew(PROGRESS_MS, (progress) => say(`  ${extent(progress)}`)),
    });
    await verifyChecksum(archive, expected, url);
    await unpack(archive, programs);
    say(`MongoDB ${version} is in ${this.#store.folder}`);
  }

  /** @throws Obstacle when the servers do not run, or are of another version than the archive's name says */
  async #use(version: string): Promise<Distribution> {
    const place = this.#store.place(version, machineName(this.#machine));
    const found = await resolveFolder(place, this.#options.environment).catch((error: unknown) => {
      throw error instanceof InputError ? new Obstacle(error.message, { cause: error }) : error;
    });
    if (found.version === version) return { ...found, kind: 'download' };
    await this.#store.remove(place);
    throw new Obstacle(
      `what was fetched as ${version} says of itself that it is ${found.version}; it was removed from ${this.#store.folder}`,
    );
  }
}

function everyFew(ms: number, tell: (progress: Progress) => void): (progress: Progress) => void {
  let last = performance.now();
  return (progress) => {
    if (performance.now() - last < ms) return;
    last = performance.now();
    tell(progress);
  };
}
