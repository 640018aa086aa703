import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InputError } from '../errors.ts';
import { fakeServers, type TestFolder, testFolder } from '../servers.fixture.ts';
import { isDistributionName, resolveDistribution } from './index.ts';
import { resolveFolder, resolveSystem } from './system.ts';

let folder: TestFolder;
let bin: string;

beforeAll(async () => {
  folder = await testFolder();
  bin = await fakeServers(folder.path, { version: '8.0.4' });
});
afterAll(() => folder[Symbol.asyncDispose]());

const found = () => ({ kind: 'system', mongod: join(bin, 'mongod'), mongos: join(bin, 'mongos'), version: '8.0.4' });

/** A folder like the good one, changed by `change`. */
async function changed(change: (path: string) => Promise<unknown>): Promise<string> {
  const parent = join(folder.path, String(Math.random()));
  await mkdir(parent);
  const path = await fakeServers(parent, {});
  await change(path);
  return path;
}

describe('a folder', () => {
  it('that holds both is taken', async () => {
    await expect(resolveFolder(bin, process.env)).resolves.toEqual(found());
  });

  it.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    ['without mongos', (path) => rm(join(path, 'mongos')), /^there is no .*mongos$/],
    ['that does not exist', (path) => rm(path, { recursive: true }), /^there is no folder .*bin dir$/],
    ['with a mongod that is not executable', (path) => chmod(join(path, 'mongod'), 0o644), /mongod is not executable$/],
    [
      'with a mongod that is a folder',
      (path) => rm(join(path, 'mongod')).then(() => mkdir(join(path, 'mongod'))),
      /mongod is no file$/,
    ],
    [
      'with a mongod that is no program',
      (path) => writeFile(join(path, 'mongod'), 'nonsense\0'),
      /mongod does not run: .+/,
    ],
    [
      'with a mongod that lacks a library',
      (path) => writeFile(join(path, 'mongod'), '#!/bin/sh\necho "libcrypto.so.1.1: cannot open" >&2\nexit 127\n'),
      /mongod does not run: libcrypto\.so\.1\.1: cannot open; it was built with OpenSSL 1\.1, .*$/,
    ],
    [
      'with a mongod that fails later than it is seen that there is no mongos',
      async (path) => {
        await writeFile(join(path, 'mongod'), '#!/bin/sh\nsleep 0.2; echo broken >&2; exit 1\n');
        await rm(join(path, 'mongos'));
      },
      /mongod does not run: broken$/,
    ],
    [
      'with a mongod that says something else',
      (path) => writeFile(join(path, 'mongod'), '#!/bin/sh\necho hello\n'),
      /mongod does not behave as a mongod: its --version names no version$/,
    ],
  ])('%s is refused in one line', async (_, change, message) => {
    const error = await resolveFolder(await changed(change), process.env).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('\n');
  });

  it('that is a file is refused', async () => {
    await expect(resolveFolder(join(bin, 'mongod'), process.env)).rejects.toThrow(
      'is no folder; name the one that holds',
    );
  });

  it('with mongod and mongos of different versions is refused', async () => {
    const parent = join(folder.path, 'different');
    await mkdir(parent);
    const path = await fakeServers(parent, { version: '7.0.1', mongosVersion: '7.0.2' });
    await expect(resolveFolder(path, process.env)).rejects.toThrow(
      /^mongod and mongos are of different versions: .* is 7.0.1, .* is 7.0.2$/,
    );
  });

  it('with servers older than the driver can use is refused', async () => {
    const parent = join(folder.path, 'old');
    await mkdir(parent);
    await expect(resolveFolder(await fakeServers(parent, { version: '4.2.24' }), process.env)).rejects.toThrow(
      'the oldest that can be used is 4.4',
    );
  });
});

describe('the system’s servers', () => {
  it('are found on PATH, wherever each is', async () => {
    await expect(resolveSystem({ PATH: `/nowhere:${bin}` })).resolves.toEqual(found());
    await expect(resolveSystem({ PATH: '/nowhere' })).rejects.toThrow('there is no mongod and no mongos on PATH');
  });

  it('are those that MONGOMS_SYSTEM_BINARY names, mongos beside mongod', async () => {
    const environment = { PATH: '/nowhere', MONGOMS_SYSTEM_BINARY: join(bin, 'mongod') };
    await expect(resolveSystem(environment)).resolves.toEqual(found());
    const alone = await changed((path) => rm(join(path, 'mongos')));
    await expect(resolveSystem({ MONGOMS_SYSTEM_BINARY: join(alone, 'mongod') })).rejects.toThrow(
      /^MONGOMS_SYSTEM_BINARY: there is no .*mongos$/,
    );
  });
});

describe('a choice', () => {
  const silent = (): void => {};

  it('is a folder where it looks like one', async () => {
    await expect(resolveDistribution(bin, process.env, silent)).resolves.toEqual(found());
  });

  it.each([
    [
      'embeded',
      'mongodb "embeded" is none of auto, system, embedded, no version, and no folder that holds mongod and mongos',
    ],
    ['4.2', 'MongoDB 4.2 is too old: the oldest that MongoDB’s Node.js driver 7.9 talks to is 4.4'],
    ['/no/such', 'there is no folder /no/such'],
    [8 as unknown as string, "mongodb must be a text like '8.0', not 8"],
  ])('%s is refused in one line', async (mongodb, message) => {
    await expect(resolveDistribution(mongodb, process.env, silent)).rejects.toThrow(new InputError(message));
  });

  it('is told from a folder by its name', () => {
    expect(['auto', 'system', 'embedded', '8.0', 'v8.0.4', '>=6 <8'].every(isDistributionName)).toBe(true);
    expect(['8.0/bin', './auto', 'bin'].some(isDistributionName)).toBe(false);
  });
});
