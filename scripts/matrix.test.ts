import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NOWHERE } from '../cluster/distributions/download/mirror.fixture.ts';
import { type TestFolder, testFolder } from '../cluster/servers.fixture.ts';

let folder: TestFolder;
beforeEach(async () => {
  folder = await testFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

/** In a folder of the user's own, with no network. */
const matrix = (...args: string[]) =>
  execa(process.execPath, [join(import.meta.dirname, 'start.cjs'), 'matrix', ...args], {
    env: {
      INIT_CWD: folder.path,
      MONGOMS_DOWNLOAD_DIR: join(folder.path, 'cache'),
      MONGOMS_DOWNLOAD_MIRROR: NOWHERE,
      ...{ HTTP_PROXY: '', http_proxy: '', HTTPS_PROXY: '', https_proxy: '' },
    },
    reject: false,
  });

it('a version that cannot be had does not keep the next from being tried, each once, and the page names it', async () => {
  const { exitCode, stdout } = await matrix('7.0', './none', '7.0');
  expect({ exitCode, lines: stdout.split('\n') }).toEqual({
    exitCode: 3,
    lines: [
      expect.stringMatching(/^7\.0 {2}no results: MongoDB 7\.0 cannot be had: the name mirror\.\.invalid cannot be/),
      `${join(folder.path, 'none')}  no results: there is no folder ${join(folder.path, 'none')}`,
      'shardlab-reports/matrix.md',
    ],
  });
  const page = await readFile(join(folder.path, 'shardlab-reports/matrix.md'), 'utf8');
  expect(page).toContain(
    '- `7.0` was asked for and gave no results: `MongoDB 7.0 cannot be had: the name mirror..invalid',
  );
  expect(page).not.toContain(folder.path);
});

it.each<[string, string[], string]>([
  ['no version at all', [], "missing required argument 'versions'"],
  ['what is no version', ['embedded', 'eight'], '"eight" is no version of MongoDB'],
  ['a version that is too old', ['embedded', '4.2'], 'MongoDB 4.2 is too old'],
])('refuses %s before anything runs', async (_, args, message) => {
  const { exitCode, stdout, stderr } = await matrix(...args);
  expect({ exitCode, stdout, lines: stderr.split('\n') }).toEqual({
    exitCode: 2,
    stdout: '',
    lines: [expect.stringContaining(message)],
  });
  expect(await readdir(folder.path)).toEqual([]);
});
