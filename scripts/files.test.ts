import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../cluster/servers.fixture.ts';
import { UnwritableError, writeWhole } from './files.ts';

test('a file is replaced as a whole; one that cannot be leaves nothing beside it', async () => {
  await using folder = await testFolder();
  await writeWhole(join(folder.path, 'sub/page.md'), 'one');
  await writeWhole(join(folder.path, 'sub/page.md'), 'two');
  expect(await readFile(join(folder.path, 'sub/page.md'), 'utf8')).toBe('two');
  await mkdir(join(folder.path, 'a-folder/in-the-way'), { recursive: true });
  const unwritable = writeWhole(join(folder.path, 'a-folder'), 'text');
  await expect(unwritable).rejects.toThrow(/a-folder cannot be written: (EISDIR|ENOTEMPTY|EEXIST)/);
  await expect(unwritable).rejects.toThrow(UnwritableError);
  expect((await readdir(folder.path)).sort()).toEqual(['a-folder', 'sub']);
});
