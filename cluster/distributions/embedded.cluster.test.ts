import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { thisMachine } from '../embedded/shard/library.ts';
import { resolveEmbedded } from './embedded.ts';

const run = promisify(execFile);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shardlab test ')); // every path in it has to be quoted
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  vi.stubEnv('TMPDIR', folder);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test('two executables that say the version, made once and whole although four ask at the same time', async () => {
  const resolved = await Promise.all([1, 2, 3, 4].map(() => resolveEmbedded()));
  const [{ mongod, mongos, version }] = resolved as [(typeof resolved)[0]];
  expect(new Set(resolved.map((each) => each.mongod)).size).toBe(1);
  expect(dirname(mongos)).toBe(dirname(mongod));
  expect((await run(mongod, ['--version'])).stdout).toContain(`db version v${version}\nBuild Info: {\n`);
  const { stdout } = await run(mongos, ['--version'], { env: { ...process.env, NODE_OPTIONS: '--no-such-option' } });
  expect(stdout).toContain(`mongos version v${version}\n`);
  expect(stdout).toContain('"shardlab-model"');
  expect((await readdir(dirname(mongod))).sort()).toEqual([
    'build-info.json',
    'mongod',
    'mongod.mjs',
    'mongos',
    'mongos.mjs',
  ]);
  expect((await readdir(dirname(dirname(mongod)))).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('a cache that cannot be written is replaced by a private temporary folder', async () => {
  await writeFile(join(folder, 'cache'), 'a file is in the way');
  const { mongod } = await resolveEmbedded();
  const cache = dirname(dirname(mongod));
  expect(dirname(cache)).toBe(folder);
  expect((await stat(cache)).mode & 0o777).toBe(0o700);
});

test('with neither, one sentence says why and what to use instead', async () => {
  await writeFile(join(folder, 'cache'), 'a file is in the way');
  await mkdir(join(folder, `shardlab-${process.getuid?.()}`), { mode: 0o777 });
  await run('chmod', ['777', join(folder, `shardlab-${process.getuid?.()}`)]);
  await expect(resolveEmbedded()).rejects.toThrow(
    /^The embedded MongoDB cannot run here: no folder can hold its executables \(.*cannot be made: E\w+; .*can be written by them\); use real MongoDB instead, with --mongodb system .*\.$/,
  );
});

test('a machine the engine does not exist for is told so before anything is made', async () => {
  await expect(resolveEmbedded({ ...thisMachine(), platform: 'win32' })).rejects.toThrow('it is not built for win32');
  expect(await readdir(folder)).toEqual([]);
});
