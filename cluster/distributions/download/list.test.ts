import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestFolder, testFolder } from '../../servers.fixture.ts';
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

describe('what is listed', () => {
  let folder: TestFolder;
  let mirror: Mirror;
  let web: Web;
  let store: Store;
  beforeEach(async () => {
    folder = await testFolder();
    mirror = await Mirror.start();
    web = await Web.open({});
    store = await Store.open({ MONGOMS_DOWNLOAD_DIR: folder.path });
  });
  afterEach(async () => {
    for (const one of [web, mirror, folder]) await one?.[Symbol.asyncDispose]();
  });

  /** By the first of these paths of the mirror where there is a list. */
  function listed(...paths: string[]) {
    const source = { lists: paths.map((path) => mirror.url + path), archives: mirror.url };
    return releaseList('8.0', { store, source, web });
  }

  it('is looked for at the next place where a mirror has no list, and where one is sent', async () => {
    mirror.list([releaseOf('8.0.4')]);
    mirror.paths.set('/moved.json', (_, response) => response.writeHead(302, { location: '/full.json' }).end());
    expect(await listed('/none.json', '/moved.json')).toEqual([releaseOf('8.0.4')]);
    expect(mirror.requests).toEqual(['GET /none.json', 'GET /moved.json', 'GET /full.json']);
    expect(await readdir(folder.path)).toEqual(['versions.json']);
  });

  it.each(['{"lists":', '{}', 'null', '8'])('and was kept as %s is fetched anew', async (nonsense) => {
    await store.keep('versions.json', nonsense);
    mirror.list([releaseOf('8.0.4')]);
    expect(await listed('/full.json')).toEqual([releaseOf('8.0.4')]);
  });

  it('nowhere is missed with every place', async () => {
    const missing = ['/a.json', '/b.json'].map((path) => `${mirror.url}${path} answered with status 404`);
    await expect(listed('/a.json', '/b.json')).rejects.toThrow(new Obstacle(missing.join('; ')));
  });

  it('elsewhere is not taken for what is listed here', async () => {
    for (const [path, version] of [
      ['/a.json', '8.0.1'],
      ['/b.json', '8.0.2'],
    ] as const) {
      mirror.list([releaseOf(version)]);
      mirror.paths.set(path, mirror.paths.get('/full.json') ?? '');
      expect((await listed(path))[0]?.version).toBe(version);
    }
  });
});
