import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testFolder } from '../servers.fixture.ts';
import { makeFolder } from './folder.ts';

it('is made with those above it, of which the outermost is told, and is left alone when it is there', async () => {
  await using folder = await testFolder();
  const deep = join(folder.path, 'a', 'b', 'c');
  expect(await makeFolder(deep, 0o700)).toBe(join(folder.path, 'a'));
  expect((await stat(deep)).mode & 0o777).toBe(0o700);
  expect(await makeFolder(deep)).toBeUndefined();
  expect(await makeFolder(join(folder.path, 'a', 'd'))).toBe(join(folder.path, 'a', 'd'));
});

it('is made by many at once', async () => {
  await using folder = await testFolder();
  await Promise.all(['x', 'y', 'x', 'z'].map((name) => makeFolder(join(folder.path, 'a', name))));
  expect(await readdir(join(folder.path, 'a'))).toEqual(['x', 'y', 'z']);
});

it('cannot be made below a file', async () => {
  await using folder = await testFolder();
  await writeFile(join(folder.path, 'file'), '');
  await expect(makeFolder(join(folder.path, 'file', 'a'))).rejects.toMatchObject({ code: 'EEXIST' });
});

it.runIf(process.platform === 'linux')(
  'cannot be made where the system takes none, which is known at once',
  async () => {
    await expect(makeFolder('/proc/shardlab/a')).rejects.toMatchObject({ code: 'ENOENT' });
  },
);
