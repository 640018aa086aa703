import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InputError, type ProgressStep, startCluster } from '../index.ts';
import { fakeServers, type TestFolder, testFolder } from '../servers.fixture.ts';
import { leftovers } from '../world.fixture.ts';
import { DownloadError } from './download/errors.ts';
import { archiveOf, EVERYWHERE, Mirror, NOWHERE } from './download/mirror.fixture.ts';
import { resolveEmbedded } from './embedded.ts';
import { resolveDistribution } from './index.ts';

const NO_PROXIES = { HTTP_PROXY: '', http_proxy: '', HTTPS_PROXY: '', https_proxy: '' };

let folder: TestFolder;
let mirror: Mirror;
let said: string[];

beforeEach(async () => {
  folder = await testFolder();
  mirror = await Mirror.start();
  said = [];
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await mirror[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const variables = (more: NodeJS.ProcessEnv = {}) => ({
  ...NO_PROXIES,
  PATH: '/nowhere',
  MONGOMS_DOWNLOAD_DIR: join(folder.path, 'cache'),
  MONGOMS_DOWNLOAD_MIRROR: mirror.url,
  ...more,
});
const resolve = (mongodb: string, more: NodeJS.ProcessEnv = {}) =>
  resolveDistribution(mongodb, variables(more), (line) => said.push(line));

describe('auto', () => {
  const NO_NETWORK = { MONGOMS_DOWNLOAD_MIRROR: NOWHERE };

  it('takes what is on PATH first, then what is cached, then what can be fetched', async () => {
    for (const version of ['7.0.9', '8.0.4']) mirror.offer(version, await archiveOf(version), EVERYWHERE);
    const bin = await fakeServers(folder.path, { version: '6.0.1' });
    expect(await resolve('auto', { PATH: bin })).toMatchObject({ kind: 'system', version: '6.0.1' });
    expect(await resolve('auto', { MONGOMS_VERSION: '7.0' })).toMatchObject({ kind: 'download', version: '7.0.9' });
    expect(await resolve('auto')).toMatchObject({ kind: 'download', version: '8.0.4' });
    expect(await resolve('auto', NO_NETWORK)).toMatchObject({ kind: 'download', version: '8.0.4' });
  });

  it('takes the embedded servers when there is no network, and says so in one line', async () => {
    expect(await resolve('auto', NO_NETWORK)).toMatchObject({ kind: 'embedded' });
    expect(said).toEqual([
      expect.stringMatching(
        /^Using the embedded servers, whose routing is a model: there is no mongod and no mongos on PATH; MongoDB 8\.0 cannot be had: the name mirror\.\.invalid cannot be looked up [^\n]*$/,
      ),
    ]);
  });

  it.runIf(process.platform === 'linux')('says of all what keeps them from being used when none can', async () => {
    vi.spyOn(process.report, 'getReport').mockReturnValue({ header: {} }); // what musl has: no version of glibc
    await expect(resolve('auto', NO_NETWORK)).rejects.toThrow(
      /^The embedded MongoDB cannot run here: .* \(musl\), and nothing else was found \(there is no mongod and no mongos on PATH; MongoDB 8\.0 cannot be had: [^\n]*\); use real MongoDB instead/,
    );
  });

  it('does not hide what cannot be meant', async () => {
    await expect(resolve('auto', { MONGOMS_VERSION: '4.2' })).rejects.toThrow(InputError);
    await expect(resolve('auto', { MONGOMS_DOWNLOAD_MIRROR: 'nowhere' })).rejects.toThrow(InputError);
    expect(said).toEqual([]);
  });

  it('never replaces an explicit choice', async () => {
    await expect(resolve('8.0', NO_NETWORK)).rejects.toThrow(DownloadError);
    await expect(resolve('system', NO_NETWORK)).rejects.toThrow(InputError);
  });
});

it('a cluster starts on servers that were fetched, which are what they say they are', async () => {
  mirror.offer('8.0.4', await standIns('8.0.4'), EVERYWHERE);
  for (const [name, value] of Object.entries(variables({ PATH: process.env.PATH, TMPDIR: folder.path }))) {
    vi.stubEnv(name, value);
  }
  let begun = Number.POSITIVE_INFINITY;
  const onProgress = ({ ms }: ProgressStep): void => {
    begun = Math.min(begun, performance.now() - ms);
  };
  const cluster = await startCluster({ mongodb: '8.0', onProgress });
  try {
    expect(cluster.distribution).toMatchObject({ kind: 'download', version: '8.0.4', modelled: true });
    await cluster.client.db('here').collection('c').insertOne({});
    expect(begun).toBeGreaterThan(mirror.lastAsked); // the time to fetch is not taken from the time to start
    expect(mirror.requests.filter((request) => request.endsWith('.tgz')).length).toBe(1);
  } finally {
    await cluster.stop();
  }
  expect((await leftovers(folder.path)).processes).toEqual([]);
});

/** An archive whose programs are the embedded ones, which say that they are of another version. */
async function standIns(version: string): Promise<Buffer> {
  const { mongod, mongos } = await resolveEmbedded();
  const info = join(dirname(mongod), 'build-info.json');
  const other = join(folder.path, 'stand-ins', 'build-info.json');
  await mkdir(dirname(other));
  await writeFile(other, JSON.stringify({ ...JSON.parse(await readFile(info, 'utf8')), version }));
  const [first, second] = await Promise.all([mongod, mongos].map((path) => readFile(path, 'utf8')));
  return archiveOf(version, { 'bin/mongod': first?.replace(info, other), 'bin/mongos': second?.replace(info, other) });
}
