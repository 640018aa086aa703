/** The embedded distribution: makes the executables `mongod` and `mongos` out of this project's code and the npm package's engine. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BSON } from 'bson';
import { adaptEngine, findEngine, type InstalledEngine, type Machine, thisMachine } from '../embedded/shard/library.ts';
import { EmbeddedUnavailableError } from '../embedded/unavailable.ts';
import { Cache, CacheUnusableError, cacheFolders } from './cache.ts';
import { BUILD_INFO_FILE, EXECUTABLES_FILES, executablesKey, makeExecutables } from './executables.ts';

/** The pair of executables and the version of the engine in them. */
export interface EmbeddedExecutables {
  /** Absolute path. */
  mongod: string;
  /** Absolute path, in the same folder. */
  mongos: string;
  /** What the engine's `buildInfo` says, `9.0.0-alpha0`. */
  version: string;
}

/**
 * Makes the executables in the user's cache, or finds them there (about 30 ms). Needs no network and starts no server.
 * @throws EmbeddedUnavailableError when the engine does not exist for this machine, is not installed, or does not load;
 * when neither the cache nor the temporary folder can hold executables
 */
export async function resolveEmbedded(machine: Machine = thisMachine()): Promise<EmbeddedExecutables> {
  const engine = findEngine(machine);
  const problems: CacheUnusableError[] = [];
  for await (const folder of cacheFolders()) {
    try {
      return await resolveIn(await Cache.open(folder), engine, machine);
    } catch (error) {
      if (!(error instanceof CacheUnusableError)) throw error;
      problems.push(error);
    }
  }
  const reason = `no folder can hold its executables (${problems.map(({ message }) => message).join('; ')})`;
  throw new EmbeddedUnavailableError(reason, { cause: problems[0] });
}

async function resolveIn(cache: Cache, engine: InstalledEngine, machine: Machine): Promise<EmbeddedExecutables> {
  const library = await libraryIn(cache, engine, machine);
  const entry = { name: `executables-${executablesKey(library, engine.identity)}`, files: EXECUTABLES_FILES };
  const folder = await cache.entry(entry, (making, final) => makeExecutables({ making, final, library }));
  const mongod = join(folder, 'mongod');
  const mongos = join(folder, 'mongos');
  await cache.checkExecutable(mongod);
  return { mongod, mongos, version: await versionIn(folder) };
}

async function libraryIn(cache: Cache, engine: InstalledEngine, machine: Machine): Promise<string> {
  if (!engine.needsAdapting) return engine.path;
  const entry = {
    name: `engine-${engine.version}-${engine.identity}`,
    files: engine.files.map((file) => basename(file)),
  };
  const folder = await cache.entry(entry, (making) => adaptEngine(engine, machine, making));
  const library = join(folder, basename(engine.path));
  await cache.checkExecutable(library); // known at once, before anything is bundled
  return library;
}

async function versionIn(folder: string): Promise<string> {
  const info = BSON.EJSON.parse(await readFile(join(folder, BUILD_INFO_FILE), 'utf8')) as { version: string };
  return info.version;
}
