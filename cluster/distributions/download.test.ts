import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InputError } from '../errors.ts';
import { type TestFolder, testFolder } from '../servers.fixture.ts';
import { cacheProblem, DownloadError, Obstacle } from './download/errors.ts';
import {
  type Answer,
  archiveOf,
  archivePath,
  DEBIAN,
  DEBIAN_MACHINE,
  LIMITS,
  Mirror,
  NOWHERE,
  releaseOf,
  sha256,
} from './download/mirror.fixture.ts';
import { type Progress, transfer } from './download/transfer.ts';
import { Web } from './download/web.ts';
import { type DownloadOptions, resolveDownload } from './download.ts';

const ENTRY = '8.0.4-linux-x64-debian-12';
const HOUR_MS = 3_600_000;

let folder: TestFolder;
let cache: string;
let mirror: Mirror;
let archive: Buffer;
let said: string[];

beforeEach(async () => {
  folder = await testFolder();
  cache = join(folder.path, 'cache');
  mirror = await Mirror.start();
  archive = await archiveOf('8.0.4');
  mirror.offer('8.0.4', archive);
  said = [];
});
afterEach(async () => {
  await mirror[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const environment = (more: NodeJS.ProcessEnv = {}) => ({
  PATH: process.env.PATH,
  MONGOMS_DOWNLOAD_DIR: cache,
  MONGOMS_DOWNLOAD_MIRROR: mirror.url,
  ...more,
});
const resolve = (asked: string, options: Partial<DownloadOptions> = {}) =>
  resolveDownload(asked, {
    environment: environment(),
    say: (line) => said.push(line),
    machine: DEBIAN_MACHINE,
    limits: LIMITS,
    ...options,
  });
const cached = async () => (await readdir(cache).catch(() => [])).sort();
const messageOf = async (failing: Promise<unknown>) => {
  const error = await failing.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DownloadError);
  return (error as Error).message;
};

describe('what is fetched', () => {
  it('is the newest version that is meant: mongod and mongos, checked, and nothing else', async () => {
    mirror.offer('8.0.3', await archiveOf('8.0.3'));
    const found = await resolve('8.0');
    expect(found).toEqual({
      kind: 'download',
      mongod: join(cache, ENTRY, 'mongod'),
      mongos: join(cache, ENTRY, 'mongos'),
      version: '8.0.4',
    });
    expect(await cached()).toEqual([ENTRY, 'versions.json']);
    expect(await readdir(join(cache, ENTRY))).toEqual(['mongod', 'mongos']);
    expect((await stat(found.mongod)).mode & 0o777).toBe(0o755);
    expect(await readFile(found.mongos, 'utf8')).toContain('mongos version v8.0.4');
    expect(said).toEqual([
      `Fetching MongoDB 8.0.4 from ${mirror.url}${archivePath('8.0.4')}`,
      `MongoDB 8.0.4 is in ${cache}`,
    ]);
  });

  it('is found again without a request, also as a range on the same day', async () => {
    await resolve('8.0');
    const before = mirror.requests.length;
    mirror.offer('8.0.5', await archiveOf('8.0.5'));
    expect((await resolve('8.0.4')).version).toBe('8.0.4');
    expect((await resolve('8')).version).toBe('8.0.4');
    expect(mirror.requests.length).toBe(before);
    await utimes(join(cache, 'versions.json'), new Date(), new Date(Date.now() - 25 * HOUR_MS));
    expect((await resolve('8')).version).toBe('8.0.5');
  });

  it('is looked for anew when the list of the day does not have it', async () => {
    await resolve('8.0');
    mirror.offer('8.0.5', await archiveOf('8.0.5'));
    expect((await resolve('8.0.5')).version).toBe('8.0.5');
  });

  it('is made again when it lost a file, or the list became nonsense', async () => {
    const { mongos } = await resolve('8.0');
    await rm(mongos);
    await writeFile(join(cache, 'versions.json'), '{"lists":');
    await resolve('8.0');
    expect(await readFile(mongos, 'utf8')).toContain('v8.0.4');
    expect(await cached()).toEqual([ENTRY, 'versions.json']);
  });

  it('offline is what is cached', async () => {
    expect(await messageOf(resolve('8.0', { offline: true }))).toBe(
      `MongoDB 8.0 cannot be had: none is in ${cache} for this machine, and nothing may be fetched`,
    );
    await resolve('8.0');
    const before = mirror.requests.length;
    await utimes(join(cache, 'versions.json'), 0, 0);
    expect((await resolve('>=7', { offline: true })).version).toBe('8.0.4');
    await messageOf(resolve('8.0', { offline: true, machine: { ...DEBIAN_MACHINE, arch: 'arm64' } }));
    expect(mirror.requests.length).toBe(before);
  });

  it('is what is cached, when a newer one cannot be looked for', async () => {
    await resolve('8.0');
    await utimes(join(cache, 'versions.json'), 0, 0);
    mirror.paths.set('/full.json', (_, response) => response.writeHead(500).end());
    expect((await resolve('8.0')).version).toBe('8.0.4');
    expect(said.at(-1)).toBe(
      `MongoDB 8.0.4 is taken from the cache; whether there is a newer 8.0 is not known: ${mirror.url}/full.json answered with status 500`,
    );
  });
});

describe('nothing is cached, and one sentence says why,', () => {
  const path = archivePath('8.0.4');
  const status =
    (code: number): Answer =>
    (_, response) =>
      response.writeHead(code).end('no');
  const publish = (content: Buffer) => mirror.paths.set(path, content).set(`${path}.sha256`, sha256(content));

  it.each<[string, () => unknown, string]>([
    [
      'when the version does not exist',
      () => mirror.list([releaseOf('8.0.1'), releaseOf('7.0.2'), releaseOf('8.0.2'), releaseOf('8.0.3')]),
      'there is no such version; the nearest are 8.0.3, 8.0.2, 8.0.1',
    ],
    [
      'when there is no build',
      () => mirror.list([releaseOf('8.0.4', [{ ...DEBIAN, arch: 's390x' }])]),
      '8.0.4 has no build for Debian GNU/Linux 12 (bookworm) on x64; nor has any other version',
    ],
    ['when the list is none', () => mirror.paths.set('/full.json', '<html>'), '/full.json is no list of versions'],
    [
      'when the list may not be read',
      () => mirror.paths.set('/full.json', status(403)),
      '/full.json answered with status 403',
    ],
    ['when the archive may not be read', () => mirror.paths.set(path, status(403)), `${path} answered with status 403`],
    ['when the archive is missing', () => mirror.paths.delete(path), `${path} answered with status 404`],
    ['when the server fails', () => mirror.paths.set(path, status(500)), `${path} answered with status 500`],
    [
      'when the checksum is missing',
      () => mirror.paths.delete(`${path}.sha256`),
      `${path}.sha256 answered with status 404`,
    ],
    [
      'when the checksum is none',
      () => mirror.paths.set(`${path}.sha256`, '<html>'),
      `${path}.sha256 holds no SHA-256`,
    ],
    [
      'when the archive is no archive',
      () => publish(Buffer.from('nonsense')),
      'the archive is damaged (incorrect header check)',
    ],
    [
      'when the archive ends too early',
      () => publish(archive.subarray(0, archive.length / 2)),
      'the archive is damaged (unexpected end of file)',
    ],
    [
      'when the archive lacks mongos',
      async () => publish(await archiveOf('8.0.4', { 'bin/mongos': undefined })),
      'the archive holds no bin/mongos',
    ],
    [
      'when mongod is a link',
      async () => publish(await archiveOf('8.0.4', { 'bin/mongod': { type: 'symlink', linkname: '/bin/sh' } })),
      'the archive holds no bin/mongod',
    ],
    [
      'when the archive leads out of its folder',
      async () => publish(await archiveOf('8.0.4', { '../../evil': 'evil' })),
      'the archive has an entry that leads out of its folder: mongodb-linux-x86_64-debian12-8.0.4/../../evil',
    ],
    [
      'when the servers are of another version',
      async () => publish(await archiveOf('8.0.3')),
      'what was fetched as 8.0.4 says of itself that it is 8.0.3; it was removed from',
    ],
  ])('%s', async (_, change, reason) => {
    await change();
    const message = await messageOf(resolve('8.0.4'));
    expect(message).toContain(reason);
    expect(message).toMatch(/^MongoDB 8\.0\.4 cannot be had: [^\n]+$/);
    expect((await cached()).filter((name) => name !== 'versions.json')).toEqual([]);
    expect((await readdir(folder.path)).filter((name) => name !== 'cache')).toEqual([]);
  });

  it('when the checksum is another, with both', async () => {
    mirror.paths.set(`${path}.sha256`, 'a'.repeat(64));
    expect(await messageOf(resolve('8.0'))).toBe(
      `MongoDB 8.0 cannot be had: ${mirror.url}${path} arrived with the SHA-256 ${sha256(archive)}, but ${'a'.repeat(64)} is published; nothing of it was kept`,
    );
    expect(await cached()).toEqual(['versions.json']);
  });

  it('when the name of the server is not known, at once', async () => {
    const nowhere = environment({ MONGOMS_DOWNLOAD_MIRROR: NOWHERE });
    expect(await messageOf(resolve('8.0', { environment: nowhere }))).toMatch(
      /^MongoDB 8\.0 cannot be had: the name mirror\.\.invalid cannot be looked up \(E\w+\): there is no network/,
    );
    expect(await cached()).toEqual([]);
  });

  it('when a server accepts and never answers', async () => {
    mirror.paths.set('/full.json', () => {});
    expect(await messageOf(resolve('8.0', { limits: { ...LIMITS, answer: 100 } }))).toBe(
      `MongoDB 8.0 cannot be had: 127.0.0.1:${mirror.port} did not answer within 0.1 s`,
    );
  });

  it('when the archive stops coming', async () => {
    mirror.paths.set(path, (_, response) => response.writeHead(200, { 'content-length': '1000000' }).write('half'));
    const message = await messageOf(resolve('8.0', { limits: { ...LIMITS, idle: 100 } }));
    expect(message).toContain(`${path} broke off 3 times, last after 0.0 of 1.0 MB (`);
    expect(await cached()).toEqual(['versions.json']);
  });

  it('when the archive drips for ever', async () => {
    mirror.paths.set(path, (_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    await using web = await Web.open({}, { ...LIMITS, total: 300 });
    const dripping = transfer(`${mirror.url}${path}`, join(folder.path, 'archive'), { web, onProgress: () => {} });
    await expect(dripping).rejects.toThrow(
      new Obstacle(`${mirror.url}${path} took longer than 0.005 minutes; 0.0 MB had come`),
    );
  });

  it('when the cache cannot be written', async () => {
    await writeFile(cache, 'a file is in the way');
    expect(await messageOf(resolve('8.0'))).toMatch(
      /cache cannot be written \(E\w+\); MONGOMS_DOWNLOAD_DIR can name another folder$/,
    );
    expect(await readFile(cache, 'utf8')).toBe('a file is in the way');
  });

  it.runIf(process.platform === 'linux')('when the disk is full', async () => {
    await using web = await Web.open({}, LIMITS);
    const full = transfer(`${mirror.url}${path}`, '/dev/full', { web, onProgress: () => {} });
    const error = cacheProblem(cache, await full.catch((reason: unknown) => reason));
    expect(error).toEqual(
      new Obstacle(`the disk that holds ${cache} is full (ENOSPC); MONGOMS_DOWNLOAD_DIR can name another folder`),
    );
  });

  it('or the signal’s reason, when it is called off', async () => {
    const caller = new AbortController();
    mirror.paths.set(path, (_, response) => {
      response.writeHead(200, { 'content-length': '1000000' }).write('half');
      caller.abort(new Error('called off'));
    });
    await expect(resolve('8.0', { signal: caller.signal })).rejects.toThrow('called off');
    expect(await cached()).toEqual(['versions.json']);
  });

  it('when it cannot be meant', async () => {
    await expect(resolve('4.2')).rejects.toThrow(InputError);
    await expect(resolve('8.0', { environment: environment({ HTTP_PROXY: 'http://a b' }) })).rejects.toThrow(
      InputError,
    );
    expect(mirror.requests).toEqual([]);
  });
});

describe('a transfer that breaks off', () => {
  const path = archivePath('8.0.4');
  const half = () => Math.floor(archive.length / 2);

  /** Breaks the first `times` replies off in the middle; later ones, and parts where `ranges`, are whole. */
  function breaking(times: number, ranges: boolean): Answer {
    let left = times;
    return ({ headers }, response) => {
      const begin = ranges ? Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0) : 0;
      if (begin > 0) response.setHeader('content-range', `bytes ${begin}-${archive.length - 1}/${archive.length}`);
      response.writeHead(begin > 0 ? 206 : 200, {
        'content-length': archive.length - begin,
        ...(ranges && { etag: '"1"' }),
      });
      if (left-- <= 0) response.end(archive.subarray(begin));
      else response.write(archive.subarray(begin, half()), () => response.destroy());
    };
  }

  it('goes on where it was', async () => {
    const rest = breaking(0, true);
    let breakOff = () => {};
    mirror.paths.set(path, (request, response) => {
      if (request.headers.range) return rest(request, response);
      breakOff = () => response.destroy();
      response.writeHead(200, { 'content-length': archive.length, etag: '"1"' }).write(archive.subarray(0, half()));
    });
    await using web = await Web.open({}, LIMITS);
    const file = join(folder.path, 'archive');
    const onProgress = ({ received }: Progress) => received === half() && breakOff();
    await transfer(mirror.url + path, file, { web, onProgress });
    expect(mirror.requests).toEqual([`GET ${path}`, `GET ${path} bytes=${half()}-`]);
    expect(await readFile(file)).toEqual(archive);
  });

  it('goes on wherever it was', async () => {
    mirror.paths.set(path, breaking(2, true));
    await resolve('8.0');
    expect(mirror.count(path)).toBe(3);
  });

  it('begins again where the server knows no parts', async () => {
    mirror.paths.set(path, breaking(2, false));
    await resolve('8.0');
    expect(mirror.count(path)).toBe(3);
  });

  it('is given up after three times', async () => {
    mirror.paths.set(path, breaking(9, false));
    expect(await messageOf(resolve('8.0'))).toContain(`${path} broke off 3 times, last after 0.0 of 0.0 MB (`);
    expect(mirror.count(path)).toBe(3);
    expect(await cached()).toEqual(['versions.json']);
  });
});

it('many at once wait for one download', async () => {
  const waiting = () => said.filter((line) => line === 'Another process fetches MongoDB 8.0.4; waiting for it').length;
  mirror.paths.set(archivePath('8.0.4'), (_, response) => {
    const look = setInterval(() => waiting() === 2 && response.end(archive), 10);
    response.on('close', () => clearInterval(look));
  });
  const found = await Promise.all([1, 2, 3].map(() => resolve('8.0')));
  expect(new Set(found.map(({ mongod }) => mongod)).size).toBe(1);
  expect(mirror.count(archivePath('8.0.4'))).toBe(1);
  expect(await cached()).toEqual([ENTRY, 'versions.json']);
});

it('a proxy is used, except for the hosts of NO_PROXY', async () => {
  const asked: string[] = [];
  const proxy = createServer().on('connect', (request, client) => {
    asked.push(request.url ?? '');
    const server = connect(mirror.port, '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
    server.pipe(client).pipe(server);
    server.on('error', () => client.destroy());
    client.on('error', () => server.destroy());
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const { port } = proxy.address() as { port: number };
  const HTTP_PROXY = `http://127.0.0.1:${port}`;
  try {
    const behind = environment({ HTTP_PROXY, MONGOMS_DOWNLOAD_MIRROR: 'http://mirror.invalid' });
    await resolve('8.0', { environment: behind });
    expect(new Set(asked)).toEqual(new Set(['mirror.invalid:80']));
    asked.length = 0;
    mirror.offer('8.0.5', await archiveOf('8.0.5'));
    await resolve('8.0.5', { environment: environment({ HTTP_PROXY, NO_PROXY: 'localhost,127.0.0.1' }) });
    expect(asked).toEqual([]);
  } finally {
    proxy.close();
  }
});
