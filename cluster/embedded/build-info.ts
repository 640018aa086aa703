/** What the engine says of its build, read once when the executables are made and handed to them as a file. */
import { readFileSync } from 'node:fs';
import { BSON, type Document } from 'bson';
import type { Program } from './flags.ts';

/** Set by the executables' wrappers: the engine's `buildInfo` reply as canonical Extended JSON. */
export const BUILD_INFO_VARIABLE = 'SHARDLAB_BUILD_INFO';
/** Set by the executables' wrappers: the engine's library. */
export const ENGINE_VARIABLE = 'SHARDLAB_ENGINE';

/**
 * The `buildInfo` reply of this installation's engine, without `ok`.
 * @throws Error when the process was not started through a wrapper of `resolveEmbedded`
 */
export function readBuildInfo(): Document {
  return BSON.EJSON.parse(readFileSync(environment(BUILD_INFO_VARIABLE), 'utf8'), { relaxed: false }) as Document;
}

/**
 * The path of the engine's library.
 * @throws Error when the process was not started through a wrapper of `resolveEmbedded`
 */
export function engineLibrary(): string {
  return environment(ENGINE_VARIABLE);
}

function environment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: start the executable that resolveEmbedded() returns`);
  return value;
}

/** What `--version` prints, in the servers' shape (`VersionInfoInterface::logBuildInfo`, src/mongo/util/version.cpp). */
export function versionText(program: Program, info: Document): string {
  const head = program === 'mongod' ? 'db version' : 'mongos version';
  const { version, gitVersion, modules, allocator, buildEnvironment } = info;
  const environment = { distarch: buildEnvironment?.distarch, target_arch: buildEnvironment?.target_arch };
  return `${head} v${version}\nBuild Info: ${JSON.stringify({ version, gitVersion, modules, allocator, environment }, undefined, 4)}\n`;
}
