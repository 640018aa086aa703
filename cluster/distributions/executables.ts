/** Makes a folder with the executables `mongod` and `mongos`: one bundled JavaScript file each, and a shell wrapper that runs it. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { BUILD_INFO_VARIABLE, ENGINE_VARIABLE } from '../embedded/build-info.ts';
import { EmbeddedUnavailableError } from '../embedded/unavailable.ts';

/** The engine's `buildInfo` beside the executables, as canonical Extended JSON. */
export const BUILD_INFO_FILE = 'build-info.json';
/** What {@link makeExecutables} leaves in the folder. */
export const EXECUTABLES_FILES = ['mongod', 'mongod.mjs', 'mongos', 'mongos.mjs', BUILD_INFO_FILE] as const;
/** npm packages that end up in the bundles. */
const BUNDLED_PACKAGES = ['bson'] as const;
const THIS_FILE = fileURLToPath(import.meta.url);
/** This code runs as TypeScript (`.ts`) and as built JavaScript (`.js`): its neighbours have the same ending. */
const ENDING = extname(THIS_FILE);
const SOURCES = fileURLToPath(new URL('../embedded', import.meta.url));
const PROBE_LIMIT_MS = 30_000;

/** What is to be made, and where. */
export interface ExecutablesOrder {
  /** The folder to fill. */
  making: string;
  /** Where the folder will be found later. */
  final: string;
  /** Path of the engine's native module. */
  library: string;
}

/** A name for the executables that changes with everything they are made of. */
export function executablesKey(library: string, engineIdentity: string): string {
  const hash = createHash('sha256');
  for (const part of [library, engineIdentity, process.execPath, process.version]) hash.update(`${part}\0`);
  const { resolve } = createRequire(import.meta.url);
  for (const name of BUNDLED_PACKAGES) hash.update(readFileSync(resolve(name))); // its version is not to be had: "exports" hides package.json
  hash.update(readFileSync(THIS_FILE)); // it writes the wrappers
  for (const file of sourceFiles()) hash.update(`${file}\0`).update(readFileSync(join(SOURCES, file)));
  return hash.digest('hex').slice(0, 16);
}

function sourceFiles(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith(ENDING) && !/\.(test|fixture|d)\.\w+$/.test(file)).sort();
}

/**
 * Bundles the programs, lets the engine say what it is, and writes the wrappers.
 * @throws EmbeddedUnavailableError when the engine does not load or does not open a data directory here
 */
export async function makeExecutables({ making, final, library }: ExecutablesOrder): Promise<void> {
  await bundle(making);
  await writeFile(join(making, BUILD_INFO_FILE), await probe(making, library));
  await Promise.all(['mongod', 'mongos'].map((program) => writeWrapper(program, { making, final, library })));
}

async function bundle(folder: string): Promise<void> {
  const { buildSync } = await import('esbuild'); // slow to load, and not needed when the executables are there
  const { metafile } = buildSync({
    entryPoints: ['mongod', 'mongos', 'shard/probe'].map((entry) => ({
      in: join(SOURCES, `${entry}${ENDING}`),
      out: basename(entry),
    })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    metafile: true,
    absWorkingDir: SOURCES,
    logLevel: 'silent', // a failure is thrown with its messages
  });
  checkInputs(Object.keys(metafile.inputs));
}

/** What {@link executablesKey} does not cover must not be in a bundle, or a change to it would go unnoticed. */
function checkInputs(inputs: readonly string[]): void {
  const strays = inputs.filter(
    (input) => input.startsWith('..') && !BUNDLED_PACKAGES.some((name) => isFrom(name, input)),
  );
  if (strays.length > 0) throw new Error(`the bundles hold files that their key does not cover: ${strays.join(', ')}`);
}

function isFrom(packageName: string, input: string): boolean {
  return join(SOURCES, input).includes(`node_modules/${packageName}/`); // installed itself, it stands beside that package
}

/** Runs the engine once, in a process of its own, through a wrapper like the later ones: shows that programs run from this folder. */
async function probe(folder: string, library: string): Promise<string> {
  const data = join(folder, 'probe-data');
  await mkdir(data);
  await writeWrapper('probe', { making: folder, final: folder, library });
  const result = await execa(join(folder, 'probe'), [data], { reject: false, timeout: PROBE_LIMIT_MS });
  if (result.code === 'EACCES') throw result.cause ?? result;
  if (result.failed || !result.stdout) throw doesNotLoad(result.stderr ?? '', result.shortMessage);
  for (const name of ['probe', 'probe.mjs', 'probe-data']) await rm(join(folder, name), { recursive: true });
  return result.stdout;
}

function doesNotLoad(stderr: string, fallback: string | undefined): EmbeddedUnavailableError {
  const words = /^\w*Error: (.+)$/m.exec(stderr)?.[1] ?? fallback ?? 'it said nothing';
  return new EmbeddedUnavailableError(`its engine does not start (${words})`);
}

async function writeWrapper(program: string, { making, final, library }: ExecutablesOrder): Promise<void> {
  const lines = [
    '#!/bin/sh',
    'unset NODE_OPTIONS',
    `export ${ENGINE_VARIABLE}=${quote(library)} ${BUILD_INFO_VARIABLE}=${quote(join(final, BUILD_INFO_FILE))}`,
    `exec ${quote(process.execPath)} ${quote(join(final, `${program}.mjs`))} "$@"`,
  ];
  await writeFile(join(making, program), `${lines.join('\n')}\n`, { mode: 0o755 });
}

/** A word for the shell, whatever is in it. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
