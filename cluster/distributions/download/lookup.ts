/** Which archive holds a version for a machine, by `mongodb-download-url`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import semver from 'semver';
import { cacheProblem, Obstacle } from './errors.ts';
import { distroHint, type Machine, machineText } from './machine.ts';
import { nearestTo, type Release, series } from './versions.ts';

/** A release in MongoDB's list of versions (https://downloads.mongodb.org/full.json), as far as it is used here. */
export interface ListedRelease extends Release {
  downloads: readonly ListedBuild[];
}

/** One build of a release. */
export interface ListedBuild {
  edition: string;
  target?: string;
  arch?: string;
  archive: { url: string };
}

/**
 * @returns the address of the archive, as the list has it
 * @throws Obstacle when the release has no build for the machine, with the nearest release that has; when the build is no tar archive
 */
export async function archiveFor(
  release: ListedRelease,
  machine: Machine,
  releases: readonly ListedRelease[],
): Promise<string> {
  const url = await buildFor(release, machine);
  if (!url) throw await noBuild(release, machine, releases);
  if (url.endsWith('.tgz')) return url;
  throw new Obstacle(
    `its archive for ${machineText(machine)} is no .tgz, the only kind that is unpacked here; install it and use --mongodb system, or --mongodb with its folder`,
  );
}

async function noBuild(
  release: ListedRelease,
  machine: Machine,
  releases: readonly ListedRelease[],
): Promise<Obstacle> {
  const nearest = await nearestWithBuild(release, machine, releases);
  const instead = nearest ? `the nearest version that has one is ${nearest.version}` : 'nor has any other version';
  return new Obstacle(`${release.version} has no build for ${machineText(machine)}; ${instead}`);
}

/** The newest release of each series is looked at, nearest first. */
async function nearestWithBuild(
  { version }: ListedRelease,
  machine: Machine,
  releases: readonly ListedRelease[],
): Promise<ListedRelease | undefined> {
  const oldestFirst = [...releases].sort((a, b) => semver.compare(a.version, b.version));
  const newest = new Map(oldestFirst.map((release) => [series(release.version), release])); // the last of a series stays
  for (const release of nearestTo(version, [...newest.values()])) {
    if (await buildFor(release, machine)) return release;
  }
  return undefined;
}

async function buildFor(release: ListedRelease, machine: Machine): Promise<string | undefined> {
  const own = await lookUp(release, machine);
  const emulated = machine.platform === 'darwin' && machine.arch === 'arm64'; // by Rosetta: builds for arm64 began with 6.0
  return own ?? (emulated ? lookUp(release, { ...machine, arch: 'x64' }) : undefined);
}

/**
 * The library keeps one list in its memory, and fetches one by itself when it can read none from the file that it is told: it knows neither proxies
 * nor deadlines. So each look-up gets a file of its own that never grows old, an address it cannot fetch from, and the library to itself.
 */
async function lookUp(release: ListedRelease, machine: Machine): Promise<string | undefined> {
  const { clearCache, getDownloadURL } = await import('mongodb-download-url'); // slow to load, and not needed when the servers are cached
  const { version } = release;
  const { platform, arch } = machine;
  const distro = distroHint(machine, targetsOf(release, arch));
  return alone(async () => {
    await using list = await listFile([release]);
    await clearCache('');
    const options = {
      version,
      platform,
      arch,
      cachePath: list.path,
      cacheTimeMs: Number.POSITIVE_INFINITY,
      versionListUrl: '',
    };
    const found = getDownloadURL(distro === undefined ? options : { ...options, distro });
    return await found.then(({ url }) => url, undefinedIfNone); // before the file goes
  });
}

/** @throws what is no answer of the library: a file that it could not read, say */
function undefinedIfNone(error: Error): undefined {
  if (NONE.test(error.message)) return;
  throw error;
}

/** It finds none, or does not know the Linux distribution, not even by the command `lsb_release`. */
const NONE = /^Could not (find|figure out)|lsb_release/;

let before: Promise<unknown> = Promise.resolve();

/** One look-up at a time. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const result = before.then(work);
  before = result.catch(() => {});
  return result;
}

async function listFile(versions: readonly ListedRelease[]): Promise<AsyncDisposable & { path: string }> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'shardlab-list-'));
    const path = join(folder, 'full.json.gz');
    await writeFile(path, await promisify(gzip)(JSON.stringify({ versions })), { mode: 0o600 });
    return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
  } catch (error) {
    throw cacheProblem(tmpdir(), error, 'TMPDIR');
  }
}

/** The names of processors in the list. */
const ARCHITECTURES: Readonly<Record<string, readonly string[]>> = {
  x64: ['x86_64', 'x64'],
  arm64: ['arm64', 'aarch64'],
};

function targetsOf({ downloads }: ListedRelease, arch: string): string[] {
  const fitting = downloads.filter(
    (build) => build.edition === 'targeted' && (ARCHITECTURES[arch] ?? [arch]).includes(build.arch ?? ''),
  );
  return fitting.flatMap(({ target }) => target ?? []);
}
