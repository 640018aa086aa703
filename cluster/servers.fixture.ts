/** Executables for tests: `mongod` and `mongos` that misbehave as a test wants, in a folder whose path has spaces. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the two programs do; shell code, `$*` are their arguments. `--version` is answered before. */
export interface FakeServers {
  mongod?: string;
  mongos?: string;
  /** Default 8.0.0. */
  version?: string;
  mongosVersion?: string;
}

/** A folder that is removed at the end of the scope. */
export interface TestFolder extends AsyncDisposable {
  path: string;
}

/** Waits as long as anybody lets it. */
export const FOR_EVER = 'while :; do sleep 1; done';

/** A new folder of its own, its name with spaces in it. */
export async function testFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), 'shardlab test '));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Writes the two executables to a new folder inside `folder`. @returns that folder's path */
export async function fakeServers(folder: string, servers: FakeServers): Promise<string> {
  const { mongod = FOR_EVER, mongos = FOR_EVER, version = '8.0.0', mongosVersion = version } = servers;
  const bin = join(folder, 'bin dir');
  await mkdir(bin);
  await writeProgram(join(bin, 'mongod'), `db version v${version}`, mongod);
  await writeProgram(join(bin, 'mongos'), `mongos version v${mongosVersion}`, mongos);
  return bin;
}

async function writeProgram(path: string, versionLine: string, body: string): Promise<void> {
  const lines = ['#!/bin/sh', `if [ "$1" = --version ]; then echo '${versionLine}'; exit 0; fi`, body];
  await writeFile(path, `${lines.join('\n')}\n`);
  await chmod(path, 0o755);
}
