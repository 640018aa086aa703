import { chmod, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { testFolder } from '../../servers.fixture.ts';
import { cachedServers } from '../download.ts';
import { Store } from './store.ts';

const HOUR_MS = 3_600_000;

it('what killed processes were making goes with the next download, as soon as nobody can be at it any more', async () => {
  await using folder = await testFolder();
  const store = await Store.open({ MONGOMS_DOWNLOAD_DIR: folder.path });
  const making = { own: '.making-8.0.4-x~a', old: '.making-8.0.3-x~b', young: '.making-8.0.2-x~c' };
  for (const name of Object.values(making)) await mkdir(join(folder.path, name));
  const before = new Date(Date.now() - 3 * HOUR_MS);
  await utimes(join(folder.path, making.old), before, before);
  await store.make(store.place('8.0.4', 'x'), async () => {});
  expect((await readdir(folder.path)).sort()).toEqual([making.young, '8.0.4-x']);
});

it('programs that cannot be run are there all the same', async () => {
  await using folder = await testFolder();
  const store = await Store.open({ MONGOMS_DOWNLOAD_DIR: folder.path });
  const fill = async (programs: string) => {
    for (const name of ['mongod', 'mongos']) await writeFile(join(programs, name), name, { mode: 0o644 });
  };
  await store.make(store.place('8.0.4', 'x'), fill);
  expect(await store.list()).toMatchObject([{ version: '8.0.4', machine: 'x', bytes: 12 }]);
});

it('a small file that cannot be written leaves nothing of it', async () => {
  await using folder = await testFolder();
  const store = await Store.open({ MONGOMS_DOWNLOAD_DIR: folder.path });
  await mkdir(join(folder.path, 'list'));
  await expect(store.keep('list', 'text')).rejects.toThrow(
    / cannot be written \(E\w+\); MONGOMS_DOWNLOAD_DIR can name/,
  );
  expect(await readdir(folder.path)).toEqual(['list']);
});

it.runIf(process.platform === 'linux')(
  'where others may write to the default folder, another can be named',
  async () => {
    await using folder = await testFolder();
    const theirs = join(folder.path, 'shardlab-mongodb');
    await mkdir(theirs);
    await chmod(theirs, 0o777);
    vi.stubEnv('XDG_CACHE_HOME', folder.path);
    try {
      await expect(cachedServers({})).rejects.toThrow(
        /can be written by them; MONGOMS_DOWNLOAD_DIR can name another folder$/,
      );
    } finally {
      vi.unstubAllEnvs();
    }
  },
);
