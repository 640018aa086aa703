import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineName, thisMachine } from '../cluster/distributions/download/machine.ts';
import { archiveOf, EVERYWHERE, Mirror } from '../cluster/distributions/download/mirror.fixture.ts';
import { type TestFolder, testFolder } from '../cluster/servers.fixture.ts';

const PROXIES = { HTTP_PROXY: '', http_proxy: '', HTTPS_PROXY: '', https_proxy: '' };

let folder: TestFolder;
let cache: string;
let mirror: Mirror;
let place: string;

beforeEach(async () => {
  folder = await testFolder();
  cache = join(folder.path, 'cache');
  mirror = await Mirror.start();
  mirror.offer('8.0.4', await archiveOf('8.0.4'), EVERYWHERE);
  place = join(cache, `8.0.4-${machineName(await thisMachine())}`);
});
afterEach(async () => {
  await mirror[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const fetch = (...args: string[]) => fetchWith({}, ...args);
const fetchWith = (more: NodeJS.ProcessEnv, ...args: string[]) =>
  execa(process.execPath, ['scripts/start.cjs', 'fetch', ...args], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...PROXIES, MONGOMS_DOWNLOAD_DIR: cache, MONGOMS_DOWNLOAD_MIRROR: mirror.url, MONGOMS_VERSION: '', ...more },
    reject: false,
  });
/** Requests for archives, without those for their checksums. */
const archives = () => mirror.requests.filter((request) => request.endsWith('.tgz'));

/** Lets archives begin and never end. */
function stall(): void {
  for (const path of mirror.paths.keys()) {
    if (path.endsWith('.tgz')) mirror.paths.set(path, (_, response) => void response.writeHead(200).write('half'));
  }
}

it('two processes at once fetch once, and print the folder', async () => {
  const both = await Promise.all([fetch('8.0'), fetch('8.0.4')]);
  expect(both.map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual([
    [place, 0],
    [place, 0],
  ]);
  expect(both[0].stderr).toContain('MongoDB 8.0 is 8.0.4');
  expect(archives().length).toBe(1);
});

it('a process that was killed leaves nothing that needs a person', async () => {
  const whole = new Map(mirror.paths);
  stall();
  const killed = fetch();
  await expect.poll(archives).toHaveLength(1);
  killed.kill('SIGKILL');
  await killed;
  const left = await readdir(cache);
  expect(left.filter((name) => name.startsWith('.making-')).length).toBe(1);
  await utimes(`${place}.lock`, 0, 0); // it has given no sign of life for a long time
  for (const [path, answer] of whole) mirror.paths.set(path, answer);
  expect((await fetch('8.0')).stdout).toBe(place);
  expect((await readdir(cache)).map((name) => join(cache, name)).sort()).toEqual([place, join(cache, 'versions.json')]);
});

it('Ctrl-C ends it and leaves nothing half-made', async () => {
  stall();
  const stopped = fetch('8.0');
  await expect.poll(archives).toHaveLength(1);
  stopped.kill('SIGINT');
  expect(await stopped).toMatchObject({ exitCode: 130, stderr: expect.stringContaining('stopped by SIGINT') });
  expect(await readdir(cache)).toEqual(['versions.json']);
});

it('what is cached is listed', async () => {
  expect(await fetch('--list')).toMatchObject({ exitCode: 0, stdout: '', stderr: `Nothing is cached in ${cache}` });
  await fetch('8.0');
  await writeFile(join(cache, 'something else'), '');
  const machine = machineName(await thisMachine());
  const { stdout } = await fetch('--list');
  expect(stdout.split(/\s{2,}|\n/)).toEqual(['8.0.4', machine, '0.0 MB', `mongodb-8.0.4-${machine}`, place]);
});

it('npm’s own --offline means the same', async () => {
  const { exitCode, stderr } = await fetchWith({ npm_config_offline: 'true' }, '8.0');
  expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: expect.stringContaining('nothing may be fetched') });
  expect(mirror.requests).toEqual([]);
});

describe('in one line it refuses', () => {
  it.each<[string, string[], number, RegExp]>([
    [
      'a version that does not exist',
      ['8.1'],
      3,
      /^MongoDB 8\.1 cannot be had: there is no such version; the nearest are 8\.0\.4$/,
    ],
    ['to fetch offline', ['--offline'], 3, /^MongoDB 8\.0 cannot be had: none is in .*cache for this machine/],
    ['what is no version', ['eight'], 2, /^"eight" is no version of MongoDB/],
    ['a version that is too old', ['4.2'], 2, /^MongoDB 4\.2 is too old/],
  ])('%s', async (_, args, exitCode, message) => {
    const ended = await fetch(...args);
    expect(ended).toMatchObject({ exitCode, stdout: '', stderr: expect.stringMatching(message) });
  });
});
