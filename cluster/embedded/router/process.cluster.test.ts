import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { resolveEmbedded } from '../../distributions/embedded.ts';
import { connect, endAll, Program, runToEnd, startMongod } from '../mongod.fixture.ts';
import { freePort } from '../ports.fixture.ts';
import {
  refusalOf,
  routerArguments,
  startRouter,
  startSets,
  type TestRouter,
  type TestSets,
} from './cluster.fixture.ts';

let sets: TestSets;
let router: TestRouter;

beforeAll(async () => {
  sets = await startSets();
  router = await startRouter(sets);
});
afterAll(endAll);

describe('a mongos that starts', () => {
  const servers: { close(): void }[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  test('says its version and its model', async () => {
    const { mongos } = await resolveEmbedded();
    const { code, stdout } = await runToEnd(mongos, ['--version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^mongos version v9\.0\.0-alpha0\nBuild Info: \{/);
    expect(stdout).toContain('shardlab-model');
  });

  test('ends with 48 when its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    servers.push(taken);
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { mongos } = await resolveEmbedded();
    const program = await runToEnd(mongos, routerArguments(sets, port));
    expect(program.code).toBe(48);
    expect(await program.line(22856)).toMatchObject({
      s: 'E',
      msg: 'Error setting up listener',
      attr: { error: { code: 9001, codeName: 'SocketException', errmsg: 'Address already in use' } },
    });
  });

  test('waits until the config server is a primary, and says what it waits for', async () => {
    const config = await startMongod(['--replSet', 'late', '--configsvr']);
    const { mongos } = await resolveEmbedded();
    const configdb = `late/127.0.0.1:${config.port}`;
    const program = new Program(mongos, ['--configdb', configdb, '--port', String(await freePort())]);
    const waiting = await program.line(23834);
    expect(waiting.attr.error).toContain('no primary of config server set late after');
    const members = [{ _id: 0, host: `127.0.0.1:${config.port}` }];
    const client = await connect(config.port);
    await client.db('admin').command({ replSetInitiate: { _id: 'late', version: 1, members } });
    expect(await program.line(23016)).toMatchObject({ msg: 'Waiting for connections' });
    expect((await program.end()).code).toBe(0);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 on %s', async (signal) => {
    const started = await startRouter(sets);
    expect((await started.end(signal)).code).toBe(0);
    expect(started.lines.at(-1)).toMatchObject({ id: 23138, attr: { exitCode: 0 } });
  });
});

describe('the handshake', () => {
  test('is that of a mongos with sessions and nothing to await', async () => {
    const hello = await router.client.db('admin').command({ hello: 1 });
    expect(hello).toEqual({
      isWritablePrimary: true,
      msg: 'isdbgrid',
      maxBsonObjectSize: 16777216,
      maxMessageSizeBytes: 48000000,
      maxWriteBatchSize: 100000,
      localTime: expect.any(Date),
      logicalSessionTimeoutMinutes: 30,
      connectionId: expect.any(Number),
      maxWireVersion: expect.any(Number),
      minWireVersion: 0,
      ok: 1,
    });
  });

  test('who names himself shardlab learns who answered', async () => {
    const marked = await connect(router.port, { appName: 'shardlab', directConnection: false });
    expect(await marked.db('admin').command({ ping: 1 })).toEqual({ ok: 1, $shardlab: { answeredBy: 'model' } });
    expect(await router.client.db('admin').command({ ping: 1 })).toEqual({ ok: 1 });
    const metadata = await marked.db('config').command({ find: 'version' });
    expect(metadata.$shardlab).toEqual({ answeredBy: 'model' }); // an engine read it, the router wrote it
    const own = await marked.db('admin').command({ find: 'anything' });
    expect(own.$shardlab).toEqual({ answeredBy: 'engine' });
  });

  test('buildInfo names the model among the modules', async () => {
    const { modules, version } = await router.client.db('admin').command({ buildInfo: 1 });
    expect({ modules, version }).toEqual({ modules: ['embedded', 'shardlab-model'], version: '9.0.0-alpha0' });
  });
});

describe('commands', () => {
  test('of no server are not found, of a server but not of the model are not modelled', async () => {
    const { client } = router;
    expect(await refusalOf(client.db('admin').command({ noSuch: 1 }))).toEqual({
      code: 59,
      message: 'no such cmd: noSuch',
    });
    const text = 'shardlab: reshardCollection is not modelled; run it on real MongoDB with --mongodb <version>';
    expect(await refusalOf(client.db('admin').command({ reshardCollection: 'a.b' }))).toMatchObject({ message: text });
  });

  test('are refused in databases where they do not belong', async () => {
    const { client } = router;
    expect(await refusalOf(client.db('conf').command({ listShards: 1 }))).toEqual({
      code: 13,
      message: 'listShards may only be run against the admin database.',
    });
    expect(await refusalOf(client.db('local').command({ find: 'x' }))).toEqual({
      code: 20,
      message: "Can't use 'local' database through mongos",
    });
  });

  test('a router says that it is there', async () => {
    const found = await router.client
      .db('config')
      .collection('mongos')
      .findOne({ _id: `127.0.0.1:${router.port}` as never });
    expect(found).toMatchObject({ mongoVersion: '9.0.0-alpha0', waiting: true, ping: expect.any(Date) });
  });

  test('without a shard no database is created', async () => {
    const { client } = router;
    const none = 'Database conf could not be created :: caused by :: No non-draining shard found';
    expect(await refusalOf(client.db('admin').command({ enableSharding: 'conf' }))).toEqual({
      code: 70,
      message: none,
    });
    expect(await refusalOf(client.db('conf').createCollection('c'))).toEqual({ code: 70, message: none });
    const sessions = { shardCollection: 'config.system.sessions', key: { _id: 1 } };
    expect(await refusalOf(client.db('admin').command(sessions))).toEqual({
      code: 20,
      message: 'there are no shards to target',
    });
  });
});
