import { mkdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { archiveOf, EVERYWHERE, Mirror, NOWHERE, releaseOf } from '../distributions/download/mirror.fixture.ts';
import { resolveDownload } from '../distributions/download.ts';
import { InputError } from '../errors.ts';
import { fakeServers, type TestFolder, testFolder } from '../servers.fixture.ts';
import { examine, findingText, forewarnings } from './index.ts';
import { leftoverFindings } from './leftovers.ts';
import { embedded, examineServers } from './servers.ts';

let folder: TestFolder;
let mirror: Mirror;
let environment: NodeJS.ProcessEnv;

beforeEach(async () => {
  folder = await testFolder();
  mirror = await Mirror.start();
  environment = {
    PATH: '/nowhere',
    MONGOMS_DOWNLOAD_DIR: join(folder.path, 'cache'),
    MONGOMS_DOWNLOAD_MIRROR: mirror.url,
  };
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await mirror[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const findings = async (mongodb: string) =>
  (await examineServers(mongodb, environment)).findings.map(
    (finding) => `${finding.severity}: ${findingText(finding)}`,
  );

describe('a version', () => {
  it('that has a build is told from one that is there and runs', async () => {
    mirror.offer('8.0.4', await archiveOf('8.0.4'), EVERYWHERE);
    expect(await findings('8.0')).toEqual([
      expect.stringMatching(
        /^ok: MongoDB 8\.0\.4 has a build for this machine, which will be fetched from http.*-8\.0\.4\.tgz$/,
      ),
    ]);
    expect(mirror.requests).toEqual(['GET /full.json']);
    await resolveDownload('8.0', { environment, say: () => {} });
    expect(await findings('8.0')).toEqual([expect.stringMatching(/^ok: MongoDB 8\.0\.4 is in .*cache.* and runs$/)]);
  });

  it('without a build: the nearest that has one is named', async () => {
    mirror.list([releaseOf('8.0.4', [{ target: 'mars', arch: 'x86_64' }]), releaseOf('7.0.9', EVERYWHERE)]);
    expect(await findings('8.0')).toEqual([
      expect.stringMatching(
        /^problem: .* has no build for .*; the nearest version that has one is 7\.0\.9 → use another version/,
      ),
    ]);
  });

  it('that is there and does not run is explained', async () => {
    const lacking =
      '#!/bin/sh\necho "mongod: error while loading shared libraries: libcurl.so.4: cannot open" >&2\nexit 127\n';
    mirror.offer('8.0.4', await archiveOf('8.0.4', { 'bin/mongod': lacking }), EVERYWHERE);
    await expect(resolveDownload('8.0', { environment, say: () => {} })).rejects.toThrow('install libcurl');
    expect(await findings('8.0')).toEqual([
      expect.stringMatching(/^problem: .*libcurl\.so\.4: cannot open; install libcurl/),
    ]);
  });
});

describe('installed servers', () => {
  it('are found on PATH', async () => {
    environment.PATH = await fakeServers(folder.path, { version: '7.0.9' });
    expect(await findings('system')).toEqual([`ok: mongod and mongos 7.0.9 in ${environment.PATH} run`]);
    expect((await examineServers('auto', environment)).version).toBe('7.0.9');
  });

  it('that are missing are a problem', async () => {
    expect(await findings('system')).toEqual([
      expect.stringMatching(/^problem: There is no mongod and no mongos on PATH → name a folder/),
    ]);
    for (const nothing of ['4.2', 'nonsense'])
      await expect(examineServers(nothing, environment)).rejects.toThrow(InputError);
  });
});

describe('the embedded servers', () => {
  it.each([
    [{ platform: 'linux', arch: 'x64', glibc: '2.31' }, 'it needs glibc 2.36 or newer, and this machine has 2.31'],
    [{ platform: 'linux', arch: 'x64', glibc: undefined }, 'it needs the GNU C library'],
    [{ platform: 'win32', arch: 'x64', glibc: undefined }, 'it is not built for win32 on x64'],
  ] as const)('do not run everywhere: %o', (machine, reason) => {
    expect(embedded(machine)).toMatchObject({ severity: 'problem', text: expect.stringContaining(reason) });
  });

  it('make what auto misses a warning', async () => {
    mirror.paths.clear();
    environment.MONGOMS_DOWNLOAD_MIRROR = NOWHERE;
    expect(await findings('auto')).toEqual([
      expect.stringMatching(/^warning: There is no mongod and no mongos on PATH → /),
      expect.stringMatching(/^warning: MongoDB 8\.0 cannot be had: the name mirror\.\.invalid cannot be looked up/),
      expect.stringMatching(/^ok: The embedded servers run here \(engine /),
    ]);
  });
});

it('what cannot be had is checked against the machine all the same', async () => {
  environment.MONGOMS_DOWNLOAD_MIRROR = NOWHERE;
  expect((await examineServers('>=8.0 <9', environment)).version).toBe('8.0.0');
  expect((await examineServers('auto', environment)).version).toBeUndefined(); // it will be the embedded ones
});

it('what earlier clusters left is found, with what to do', async () => {
  vi.stubEnv('TMPDIR', folder.path);
  expect(await leftoverFindings()).toEqual([{ severity: 'ok', text: 'Nothing is left of earlier clusters' }]);
  const home = join(folder.path, 'shardlab-abc123');
  await mkdir(home);
  const young = join(folder.path, 'shardlab-young1');
  await mkdir(young);
  const later = new Date(Date.now() + 3_600_000); // however long this test takes
  await utimes(young, later, later);
  await utimes(home, 0, 0);
  const survivor = execa(process.execPath, ['-e', 'setTimeout(() => {}, 30_000)', `${home}/sh0`], { reject: false });
  try {
    expect((await leftoverFindings()).map(findingText)).toEqual([
      `A cluster whose process was killed, and its watcher too, left ${home} and is still running (pid ${survivor.pid}) → kill ${survivor.pid} && rm -r '${home}'`,
    ]);
  } finally {
    survivor.kill('SIGKILL');
    await survivor;
    await rm(home, { recursive: true });
  }
});

it('an examination looks at servers, machine, room and leftovers', async () => {
  environment.PATH = await fakeServers(folder.path, { version: '8.0.4' });
  const text = (await examine('system', environment)).map(findingText).join('\n');
  for (const part of ['mongod and mongos 8.0.4', 'of memory', 'files open']) expect(text).toContain(part);
  const warned = await forewarnings({ kind: 'system', version: '8.0.4' });
  expect(warned.filter(({ severity }) => severity === 'ok')).toEqual([]);
});
