/** Servers that are installed on this machine: on PATH, beside the `mongod` that MONGOMS_SYSTEM_BINARY names, or in a folder. */
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import semver from 'semver';
import { InputError } from '../errors.ts';
import { isRunning, killGroup } from '../member.ts';
import { bounded, TimeExpired } from '../waiting.ts';
import type { Distribution } from './index.ts';
import { explainLoading } from './loading.ts';
import { serverVersion } from './version.ts';

type Program = 'mongod' | 'mongos';

/** The driver refuses older servers (wire version below 9). */
const OLDEST = '4.4.0';
/** For `--version`, in milliseconds. Real servers answer in 0.1 s, but a new program may be scanned (macOS), or read from a slow disk, before. */
const VERSION_LIMIT_MS = 30_000;

/**
 * `mongod` and `mongos` of this machine.
 * @param environment where PATH and MONGOMS_SYSTEM_BINARY are read; the programs get it too
 * @throws InputError when one is missing, does not run, or is of another version than the other
 */
export async function resolveSystem(environment: NodeJS.ProcessEnv): Promise<Distribution> {
  const named = environment.MONGOMS_SYSTEM_BINARY;
  if (named) return pairAround(resolve(named), environment);
  const [mongod, mongos] = [await onPath('mongod', environment), await onPath('mongos', environment)];
  const missing = [!mongod && 'mongod', !mongos && 'mongos'].filter(Boolean);
  if (!mongod || !mongos) throw new InputError(`there is no ${missing.join(' and no ')} on PATH`);
  return pair(mongod, mongos, environment);
}

async function pairAround(mongod: string, environment: NodeJS.ProcessEnv): Promise<Distribution> {
  try {
    return await pair(mongod, join(dirname(mongod), fileName('mongos')), environment);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`MONGOMS_SYSTEM_BINARY: ${error.message}`, { cause: error });
  }
}

/**
 * @param folder absolute path of a folder that holds both
 * @throws InputError as {@link resolveSystem}
 */
export async function resolveFolder(folder: string, environment: NodeJS.ProcessEnv): Promise<Distribution> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) throw new InputError(`there is no folder ${folder}`);
  if (!found.isDirectory()) throw new InputError(`${folder} is no folder; name the one that holds mongod and mongos`);
  return pair(join(folder, fileName('mongod')), join(folder, fileName('mongos')), environment);
}

async function pair(mongod: string, mongos: string, env: NodeJS.ProcessEnv): Promise<Distribution> {
  const versions = [versionOf('mongod', mongod, env), versionOf('mongos', mongos, env)] as const;
  await Promise.allSettled(versions); // of two faults that of mongod is told, whichever is found first
  const [first, second] = await Promise.all(versions);
  if (first !== second) {
    throw new InputError(`mongod and mongos are of different versions: ${mongod} is ${first}, ${mongos} is ${second}`);
  }
  if (semver.lt(serverVersion(first), OLDEST)) {
    throw new InputError(`${mongod} is MongoDB ${first}; the oldest that can be used is 4.4`);
  }
  return { kind: 'system', mongod, mongos, version: first };
}

async function onPath(program: Program, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    const path = resolve(folder, fileName(program));
    if (folder && (await problemWith(path)) === undefined) return path;
  }
  return undefined;
}

async function versionOf(program: Program, path: string, env: NodeJS.ProcessEnv): Promise<string> {
  const problem = await problemWith(path);
  if (problem) throw new InputError(problem);
  const output = await outputOf(path, env);
  const version = VERSION_LINE[program].exec(output)?.[1];
  if (version && semver.coerce(version)) return version;
  throw new InputError(`${path} does not behave as a ${program}: its --version names no version`);
}

async function outputOf(path: string, env: NodeJS.ProcessEnv): Promise<string> {
  const options = { env, extendEnv: false, detached: true, reject: false, stdin: 'ignore' } as const;
  const subprocess = execa(path, ['--version'], options);
  try {
    const { failed, stdout, stderr, shortMessage } = await bounded(subprocess, VERSION_LIMIT_MS);
    if (failed) throw new InputError(`${path} does not run: ${whyNot(stderr, shortMessage)}`);
    return stdout;
  } catch (error) {
    if (!(error instanceof TimeExpired)) throw error;
    if (isRunning(subprocess)) killGroup(subprocess.pid); // a script waits for what it has started
    throw new InputError(`${path} did not answer --version within ${VERSION_LIMIT_MS / 1000} s`);
  }
}

/** Its own words or, where it had none, those of the system; and what they mean, where that is known. */
function whyNot(stderr = '', shortMessage = ''): string {
  const [said = ''] = (stderr || shortMessage).split('\n', 1);
  const explanation = explainLoading(`${stderr}\n${shortMessage}`);
  return explanation ? `${said}; ${explanation}` : said;
}

/** Both seen on 4.4 (`db version v4.4.0`, `mongos version v4.4.0`); src/mongo/util/version.cpp. */
const VERSION_LINE: Readonly<Record<Program, RegExp>> = {
  mongod: /^db version v(\S+)/m,
  mongos: /^mongos version v(\S+)/m,
};

async function problemWith(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return `there is no ${path}`;
  if (!found.isFile()) return `${path} is no file`;
  const denied = await access(path, constants.X_OK).then(
    () => false,
    () => true,
  );
  if (!denied) return undefined;
  const isProgram = (found.mode & 0o111) !== 0;
  return `${path} ${isProgram ? 'may not be run: its disk is mounted noexec, or it is for other users' : 'is not executable'}`;
}

function fileName(program: Program): string {
  return process.platform === 'win32' ? `${program}.exe` : program;
}
