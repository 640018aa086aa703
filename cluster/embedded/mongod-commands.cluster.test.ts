import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { type Db, type Document, Long, MongoBulkWriteError, type MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, endAll, startMongod, type TestMongod } from './mongod.fixture.ts';
import { decodePlain, encode } from './wire/bson.ts';
import { Peer } from './wire/client.ts';
import { encodeCommand } from './wire/message.ts';

afterAll(endAll);

describe('a standalone server', () => {
  let server: TestMongod;
  let client: MongoClient;
  let db: Db;

  beforeAll(async () => {
    server = await startMongod();
    client = await connect(server.port);
    db = client.db('t');
  });

  test('tells when the writes have ended that it has begun', async () => {
    const many = Array.from({ length: 30_000 }, (_, i) => ({ _id: i, text: 'x'.repeat(500) }));
    const writing = db.collection<{ _id: number }>('many').insertMany(many);
    while ((await db.collection('many').estimatedDocumentCount()) === 0);
    await client.db('admin').command({ shardlabClearUp: 1 });
    expect(await db.collection('many').countDocuments({})).toBe(many.length);
    await writing;
  });

  test('says how it was started', async () => {
    const admin = client.db('admin');
    await server.line(8423403);
    expect(server.lines.map(({ id }) => id)).toEqual([4615611, 23403, 21951, 23016, 8423403]);
    expect((await server.line(23016)).attr).toMatchObject({ port: server.port });
    expect(await admin.command({ getCmdLineOpts: 1 })).toMatchObject({
      argv: ['mongod', '--port', String(server.port), '--dbpath', server.dbpath],
      parsed: { net: { port: server.port, bindIp: '127.0.0.1' }, storage: { dbPath: server.dbpath } },
    });
    expect((await admin.command({ getLog: 'global' })).log).toHaveLength(5);
    expect(await admin.command({ getLog: '*' })).toMatchObject({ names: ['global', 'startupWarnings'] });
    expect(await admin.command({ buildInfo: 1 })).toMatchObject({ version: '9.0.0-alpha0', modules: ['embedded'] });
    expect(await admin.command({ whatsmyuri: 1 })).toMatchObject({ you: expect.stringMatching(/^127\.0\.0\.1:\d+$/) });
    expect(await admin.command({ connectionStatus: 1 })).toMatchObject({ authInfo: { authenticatedUsers: [] } });
    expect((await admin.command({ hostInfo: 1 })).system.numCores).toBeGreaterThan(0);
    await expect(admin.command({ replSetInitiate: {} })).rejects.toMatchObject({
      code: 76,
      codeName: 'NoReplicationEnabled',
    });
  });

  test('has no routing table to forget', async () => {
    const admin = client.db('admin');
    expect(await admin.command({ flushRouterConfig: 1 })).toMatchObject({ flushed: true });
    expect(await admin.command({ _flushRoutingTableCacheUpdates: 't.c' })).toMatchObject({ ok: 1 });
  });

  test.each([
    ['a command of servers that is missing', { collMod: 'c' }, 'collMod'],
    [
      'a transaction',
      { find: 'c', autocommit: false, startTransaction: true, txnNumber: Long.ONE },
      'a multi-document transaction',
    ],
    ['JavaScript', { find: 'c', filter: { $where: 'true' } }, 'server-side JavaScript'],
    ['a change stream', { aggregate: 'c', pipeline: [{ $changeStream: {} }], cursor: {} }, 'a change stream'],
    [
      'a second member',
      { insert: 'c', documents: [{}], writeConcern: { w: 2 } },
      'a write concern of more than one member',
    ],
  ])('%s is refused by the one rule', async (_, command, what) => {
    await expect(db.command(command)).rejects.toMatchObject({
      code: 9990001,
      codeName: 'ShardlabNotModelled',
      message: `shardlab: ${what} is not modelled; run it on real MongoDB with --mongodb <version>`,
    });
  });

  test.each([
    [
      'a command for tests',
      { refreshLogicalSessionCacheNow: 1 },
      59,
      "no such command: 'refreshLogicalSessionCacheNow'",
    ],
    ['a command no server knows', { noSuch: 1 }, 59, "no such command: 'noSuch'"],
    ['another database than admin', { getLog: '*' }, 13, 'getLog may only be run against the admin database.'],
  ])('%s is refused as a server does', async (_, command, code, message) => {
    await expect(db.command(command)).rejects.toMatchObject({ code, message });
  });

  test('session commands are answered, and the session’s fields taken off', async () => {
    const peer = new Peer(`127.0.0.1:${server.port}`);
    const { id } = await db.command({ startSession: 1 });
    for (const name of ['endSessions', 'refreshSessions', 'killSessions']) {
      expect(await db.command({ [name]: [id] })).toMatchObject({ ok: 1 });
    }
    expect(await client.db('admin').command({ killAllSessions: [] })).toMatchObject({ ok: 1 });
    const reply = await peer.send(
      encode({ insert: 's', documents: [{ a: 1 }], lsid: id, txnNumber: Long.ONE, $db: 't' }),
    );
    expect(decodePlain(reply)).toEqual({ n: 1, ok: 1 });
    peer.close();
  });

  test('only the harness is told who answered', async () => {
    const marked = await connect(server.port, { appName: 'shardlab' });
    expect((await marked.db('t').command({ find: 'none' })).$shardlab).toEqual({ answeredBy: 'engine' });
    expect((await marked.db('t').command({ ping: 1 })).$shardlab).toEqual({ answeredBy: 'model' });
    const refused = marked.db('t').command({ noSuch: 1 });
    await expect(refused).rejects.toMatchObject({ errorResponse: { $shardlab: { answeredBy: 'model' } } });
    const other = await connect(server.port, { appName: 'shardlab2' });
    expect(await other.db('t').command({ find: 'none' })).not.toHaveProperty('$shardlab');
  });

  test('a batch as large as announced is taken, beyond the engine’s own limit', async () => {
    const { maxMessageSizeBytes } = await client.db('admin').command({ hello: 1 });
    const pad = 'x'.repeat(900_000);
    const documents: Document[] = Array.from({ length: 52 }, (_, _id) => ({ _id, pad }));
    documents[40] = { _id: 3, pad };
    expect(documents.length * pad.length).toBeGreaterThan(33_619_968);
    expect(documents.length * pad.length).toBeLessThan(maxMessageSizeBytes);
    const error = await db
      .collection<Document>('big')
      .insertMany(documents, { ordered: false })
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(MongoBulkWriteError);
    expect(error.writeErrors.map(({ index, code }: Document) => [index, code])).toEqual([[40, 11000]]);
    expect(await db.collection('big').countDocuments()).toBe(51);
  });

  test('nothing a client sends ends the process', async () => {
    const peer = new Peer(`127.0.0.1:${server.port}`);
    let deep: unknown = 1;
    for (let i = 0; i < 3_000; i++) deep = [deep];
    await expect(db.collection('c').insertOne({ deep })).rejects.toMatchObject({ code: 15, codeName: 'Overflow' });
    await expect(db.command({ find: 'c', filter: { deep } })).rejects.toMatchObject({ code: 15 });
    const replies = [
      [{ find: 'c', $db: 'a b' }, 73],
      [{ find: 'c', $db: '' }, 73],
      [{ find: 'c', $db: 1 }, 40571],
      [{ find: 'c' }, 40571],
      [{}, 40571],
    ] as const;
    for (const [command, code] of replies)
      expect((await peer.send(encode(command))).includes(encode({ code }).subarray(4, -1))).toBe(true);
    const broken = encode({ find: 'c', filter: { s: 'text' }, $db: 't' });
    broken.writeInt32LE(1_000, broken.indexOf('text') - 4);
    expect((await peer.send(broken)).includes('InvalidBSON')).toBe(true);
    for (const flags of [4, 8]) await sendBroken(flags);
    expect(await db.command({ ping: 1 })).toMatchObject({ ok: 1 });
    expect(server.child.exitCode).toBeNull();
    peer.close();
  });

  /** A message whose required flags nobody knows: a server breaks the connection. */
  async function sendBroken(flags: number): Promise<void> {
    const socket = connectSocket(server.port, '127.0.0.1');
    const message = encodeCommand(1, encode({ ping: 1, $db: 't' }));
    message.writeUInt32LE(flags, 16);
    socket.write(message);
    await once(socket, 'close');
  }

  test('slow commands hold up neither the handshake nor those that end them', async () => {
    const admin = client.db('admin');
    const running = Promise.allSettled(Array.from({ length: 12 }, () => db.command(slowCommand)));
    await expect.poll(() => aggregations(admin)).toHaveLength(6);
    expect(await admin.command({ ping: 1 })).toMatchObject({ ok: 1 });
    let isOver = false;
    void running.then(() => {
      isOver = true;
    });
    while (!isOver) await killAggregations(admin);
    expect(
      (await running).map((outcome) => (outcome.status === 'rejected' ? outcome.reason.codeName : 'done')),
    ).toEqual(Array(12).fill('Interrupted'));
  });

  test('SIGINT ends it with the last lines of a server and exit code 0, though commands run and writes are locked', async () => {
    await client.db('admin').command({ fsync: 1, lock: true });
    const lost = Promise.allSettled([db.command(slowCommand), db.collection('c').insertOne({ a: 1 })]);
    await expect.poll(() => aggregations(client.db('admin'))).toHaveLength(1);
    expect(await server.end('SIGINT')).toEqual({ code: 0, signal: null });
    expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const [received, exiting, last] = server.lines.slice(-3);
    expect(received).toMatchObject({ id: 23377, attr: { signal: 2 } });
    expect(exiting).toMatchObject({ id: 20565, msg: 'Now exiting' });
    expect(last).toMatchObject({ id: 23138, msg: 'Shutting down', attr: { exitCode: 0 } });
  });
});

/** Adds up two hundred million numbers unless it is stopped. */
const slowCommand = {
  aggregate: 1,
  pipeline: [
    { $documents: [{ a: { $range: [0, 20_000] } }] },
    { $unwind: '$a' },
    {
      $project: {
        sum: { $reduce: { input: { $range: [0, 10_000] }, initialValue: 0, in: { $add: ['$$value', '$$this'] } } },
      },
    },
    { $group: { _id: null, total: { $sum: '$sum' } } },
  ],
  cursor: {},
};

async function aggregations(admin: Db): Promise<Document[]> {
  const { inprog } = await admin.command({ currentOp: 1 });
  return inprog.filter(({ command }: Document) => command?.aggregate);
}

async function killAggregations(admin: Db): Promise<void> {
  for (const { opid } of await aggregations(admin)) await admin.command({ killOp: 1, op: opid });
}
