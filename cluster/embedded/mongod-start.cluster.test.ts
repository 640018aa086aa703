import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resolveEmbedded } from '../distributions/embedded.ts';
import { connect, endAll, privateFolder, runToEnd, startMongod } from './mongod.fixture.ts';
import { freePort } from './ports.fixture.ts';

let mongodPath: string;

beforeAll(async () => {
  mongodPath = (await resolveEmbedded()).mongod;
});

afterAll(endAll);

test('shutdown ends the process without an answer', async () => {
  const server = await startMongod();
  const client = await connect(server.port);
  await expect(client.db('admin').command({ shutdown: 1 })).rejects.toThrow(/closed/);
  expect(await server.exit()).toEqual({ code: 0, signal: null });
  expect(existsSync(server.dbpath)).toBe(true);
});

test('after SIGKILL the documents are there, and counted', async () => {
  const server = await startMongod();
  const client = await connect(server.port);
  await client
    .db('t')
    .collection<{ _id: number }>('c')
    .insertOne({ _id: 1 }, { writeConcern: { w: 1, j: true } });
  await server.end('SIGKILL');
  const again = await startMongod([], { dbpath: server.dbpath });
  const reading = await connect(again.port);
  expect(await reading.db('t').collection('c').find().toArray()).toEqual([{ _id: 1 }]);
  expect(await reading.db('t').collection('c').estimatedDocumentCount()).toBe(1);
  await again.end();
});

test('a parameter of the engine is set; one it does not know is accepted and said to have no effect', async () => {
  const parameters = ['--setParameter', 'cursorTimeoutMillis=1234', '--setParameter', 'noSuchParameter=1'];
  const server = await startMongod(parameters);
  const admin = (await connect(server.port)).db('admin');
  expect(await admin.command({ getParameter: 1, cursorTimeoutMillis: 1 })).toMatchObject({ cursorTimeoutMillis: 1234 });
  const warnings = server.lines.filter(({ s }) => s === 'W');
  expect(warnings.map(({ attr }) => attr.parameter)).toEqual(['noSuchParameter']);
  await server.end();
});

test('commands for tests are there when they were asked for', async () => {
  const server = await startMongod(['--setParameter', 'enableTestCommands=1']);
  const admin = (await connect(server.port)).db('admin');
  expect(await admin.command({ refreshLogicalSessionCacheNow: 1 })).toEqual({ ok: 1 });
  expect(server.lines.filter(({ s }) => s === 'W')).toEqual([]);
  await server.end();
});

describe('what cannot start ends with the exit code and the words of a server', () => {
  test('a port in use', async () => {
    const first = await startMongod();
    const second = await runToEnd(mongodPath, ['--port', String(first.port), '--dbpath', await privateFolder()]);
    expect(second.code).toBe(48);
    expect(second.lines.find(({ s }) => s === 'E')).toMatchObject({
      c: 'CONTROL',
      id: 20568,
      msg: 'Error setting up listener',
      attr: { error: { code: 9001, codeName: 'SocketException', errmsg: 'Address already in use' } },
    });
    await first.end();
  });

  test('a data directory in use', async () => {
    const first = await startMongod();
    await expectDataError(first.dbpath, /^DBPathInUse: Unable to lock the lock file/);
    await first.end();
  });

  test('a data directory that is missing', async () => {
    const missing = join(await privateFolder(), 'missing');
    await expectDataError(missing, /^NonExistentPath: Data directory .*missing not found\./);
    expect(existsSync(missing)).toBe(false);
  });

  test('a storage engine that is none', async () => {
    const folder = join(await privateFolder(), 'data');
    await mkdir(folder);
    await expectDataError(folder, /^Location18656: Cannot start server with an unknown storage engine: abc/, [
      '--storageEngine',
      'abc',
    ]);
  });

  async function expectDataError(dbpath: string, error: RegExp, args: string[] = []): Promise<void> {
    const ended = await runToEnd(mongodPath, ['--port', String(await freePort()), '--dbpath', dbpath, ...args]);
    expect(ended.code).toBe(100);
    expect(ended.lines.find(({ s }) => s === 'E')).toMatchObject({
      id: 20557,
      msg: 'DBException in initAndListen, terminating',
      attr: { error: expect.stringMatching(error) },
    });
  }

  test('a wrong command line', async () => {
    const ended = await runToEnd(mongodPath, ['--no-such-flag']);
    expect(ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        "Error parsing command line: unrecognised option '--no-such-flag'\ntry 'mongod --help' for more information\n",
    });
  });
});
