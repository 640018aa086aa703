import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { testFolder } from '../../servers.fixture.ts';
import { Obstacle } from './errors.ts';
import { parseList, releaseList } from './list.ts';
import { Mirror, releaseOf } from './mirror.fixture.ts';
import { Store } from './store.ts';
import { Web } from './web.ts';

it('keeps of a list in MongoDB’s format the community builds of what can be used', () => {
  const url = 'https://fastdl.mongodb.org/linux/mongodb-linux-x86_64-debian12-8.0.4.tgz';
  const community = { edition: 'targeted', target: 'debian12', arch: 'x86_64', archive: { url } };
  const listed = [
    {
      version: '8.0.4',
      date: '12/09/2024',
      production_release: true,
      downloads: [
        { ...community, archive: { url, sha1: 'a', sha256: 'b', debug_symbols: 'c' }, packages: ['d'] },
        { ...community, edition: 'enterprise' },
        { edition: 'source', archive: { url: 'https://fastdl.mongodb.org/src/mongodb-src-r8.0.4.tar.gz' } },
        { edition: 'targeted', target: 'debian11', arch: 'x86_64' },
      ],
    },
    { version: '9.0.0-rc0', downloads: [] },
    { version: '4.2.24', production_release: true, downloads: [community] },
  ];
  expect(parseList(JSON.stringify({ versions: listed }), 'url')).toEqual([
    { version: '8.0.4', production_release: true, downloads: [community] },
    { version: '9.0.0-rc0', production_release: false, downloads: [] },
  ]);
});

it.each(['', '<html>\n', '{}', '{ "versions": 8 }', '[null]', '{ "versions": [null] }'])('%j is none', (text) => {
  expect(() => parseList(text, 'url')).toThrow(new Obstacle('url is no list of versions'));
});

it('looks at the next place where a mirror has no list, and follows where it is sent', async () => {
  await using folder = await testFolder();
  await using mirror = await Mirror.start();
  mirror.list([releaseOf('8.0.4')]);
  mirror.paths.set('/moved.json', (_, response) => response.writeHead(302, { location: '/full.json' }).end());
  await using web = await Web.open({});
  const store = await Store.open({ MONGOMS_DOWNLOAD_DIR: folder.path });
  const source = { lists: [`${mirror.url}/none.json`, `${mirror.url}/moved.json`], archives: mirror.url };
  expect(await releaseList('8.0', { store, source, web })).toEqual([releaseOf('8.0.4')]);
  expect(mirror.requests).toEqual(['GET /none.json', 'GET /moved.json', 'GET /full.json']);
  expect(await readdir(folder.path)).toEqual(['versions.json']);
});

it.each(['{"lists":', '{}', 'null', '8'])('that was kept as %s is fetched anew', async (nonsense) => {
  await using folder = await testFolder();
  await using mirror = await Mirror.start();
  await using web = await Web.open({});
  const store = await Store.open({ MONGOMS_DOWNLOAD_DIR: folder.path });
  await store.keep('versions.json', nonsense);
  mirror.list([releaseOf('8.0.4')]);
  const source = { lists: [`${mirror.url}/full.json`], archives: mirror.url };
  expect(await releaseList('8.0', { store, source, web })).toEqual([releaseOf('8.0.4')]);
});

it('that is nowhere is missed with every place', async () => {
  await using folder = await testFolder();
  await using mirror = await Mirror.start();
  await using web = await Web.open({});
  const store = await Store.open({ MONGOMS_DOWNLOAD_DIR: folder.path });
  const lists = [`${mirror.url}/a.json`, `${mirror.url}/b.json`];
  await expect(releaseList('8.0', { store, source: { lists, archives: mirror.url }, web })).rejects.toThrow(
    new Obstacle(lists.map((url) => `${url} answered with status 404`).join('; ')),
  );
});

it('of another source is not taken for this one’s', async () => {
  await using folder = await testFolder();
  await using mirror = await Mirror.start();
  await using web = await Web.open({});
  const store = await Store.open({ MONGOMS_DOWNLOAD_DIR: folder.path });
  for (const [path, version] of [
    ['/a.json', '8.0.1'],
    ['/b.json', '8.0.2'],
  ] as const) {
    mirror.list([releaseOf(version)]);
    mirror.paths.set(path, mirror.paths.get('/full.json') ?? '');
    const source = { lists: [mirror.url + path], archives: mirror.url };
    expect((await releaseList('8.0', { store, source, web }))[0]?.version).toBe(version);
  }
});
