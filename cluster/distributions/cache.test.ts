import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Cache, CacheUnusableError, cacheFolders } from './cache.ts';

const DAY_MS = 24 * 3_600_000;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shardlab-test-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const entry = (name: string) => ({ name, files: ['file'] });
const writeName = (name: string) => async (making: string) => writeFile(join(making, 'file'), name);

describe('an entry', () => {
  test('is made once and found afterwards', async () => {
    const cache = await Cache.open(folder);
    const first = await cache.entry(entry('a'), writeName('first'));
    const second = await cache.entry(entry('a'), writeName('second'));
    expect(second).toBe(first);
    expect(await readFile(join(second, 'file'), 'utf8')).toBe('first');
  });

  test('made by many at once is whole, and nothing else is left', async () => {
    const cache = await Cache.open(folder);
    const makers = ['a', 'b', 'c', 'd'].map((name) => cache.entry(entry('same'), writeName(name)));
    const found = new Set(await Promise.all(makers));
    expect([...found]).toEqual([join(folder, 'same')]);
    expect(await readdir(folder)).toEqual(['same']);
    expect(await readdir(join(folder, 'same'))).toEqual(['file']);
  });

  test('whose making fails leaves nothing', async () => {
    const cache = await Cache.open(folder);
    const failing = cache.entry(entry('a'), async (making) => {
      await writeFile(join(making, 'file'), 'half');
      throw new Error('made badly');
    });
    await expect(failing).rejects.toThrow('made badly');
    expect(await readdir(folder)).toEqual([]);
  });

  test('half made by a killed process is passed over, and removed later', async () => {
    const cache = await Cache.open(folder);
    await age(join(folder, '.making-a-xyz'), 2 / 24);
    await age(join(folder, 'unused'), 8);
    await age(join(folder, 'used'), 6);
    await cache.entry(entry('a'), writeName('whole'));
    expect((await readdir(folder)).sort()).toEqual(['a', 'used']);
  });

  test('that lost a file is made again', async () => {
    const cache = await Cache.open(folder);
    const made = await cache.entry(entry('a'), writeName('first'));
    await writeFile(join(made, 'other'), '');
    await rm(join(made, 'file'));
    await cache.entry(entry('a'), writeName('second'));
    expect(await readFile(join(made, 'file'), 'utf8')).toBe('second');
    expect(await readdir(folder)).toEqual(['a']);
  });

  test('that is used counts as used today', async () => {
    const cache = await Cache.open(folder);
    await cache.entry(entry('a'), writeName('first'));
    const days = new Date(Date.now() - 6 * DAY_MS);
    await utimes(join(folder, 'a'), days, days);
    await cache.entry(entry('a'), writeName('again'));
    expect(Date.now() - (await stat(join(folder, 'a'))).mtimeMs).toBeLessThan(DAY_MS);
  });

  async function age(path: string, days: number): Promise<void> {
    await mkdir(path);
    const then = new Date(Date.now() - days * DAY_MS);
    await utimes(path, then, then);
  }
});

describe('a folder that cannot serve', () => {
  test('because a file is in its way', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(Cache.open(join(folder, 'file', 'cache'))).rejects.toThrow(CacheUnusableError);
  });

  test('because others may write to it', async () => {
    await chmod(folder, 0o777);
    await expect(Cache.open(folder)).rejects.toThrow(`${folder} belongs to others or can be written by them`);
  });

  test('because a program in it does not run', async () => {
    const cache = await Cache.open(folder);
    const program = join(folder, 'program');
    await writeFile(program, '#!/bin/sh\n', { mode: 0o644 });
    await expect(cache.checkExecutable(program)).rejects.toThrow(`${folder} runs no programs: EACCES`);
    await chmod(program, 0o755);
    await cache.checkExecutable(program);
  });
});

test('a new folder is private', async () => {
  const { folder: made } = await Cache.open(join(folder, 'deep', 'cache'));
  expect((await stat(made)).mode & 0o777).toBe(0o700);
});

test('a cache folder of the environment that is no absolute path is passed over', async () => {
  vi.stubEnv('XDG_CACHE_HOME', 'relative');
  vi.stubEnv('HOME', '');
  vi.resetModules();
  const folders: string[] = [];
  for await (const candidate of cacheFolders()) folders.push(candidate);
  expect(folders.at(-1)).toBe(join(tmpdir(), `shardlab-${process.getuid?.() ?? 'user'}`));
  expect(folders.filter((candidate) => !candidate.startsWith('/'))).toEqual([]);
});
