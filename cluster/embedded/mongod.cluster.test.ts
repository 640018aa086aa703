import type { Db, MongoClient } from 'mongodb';
import { MongoMemoryReplSet } from 'mongodb-memory-server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { resolveEmbedded } from '../distributions/embedded.ts';
import { connect, endAll, startMongod, type TestMongod } from './mongod.fixture.ts';

afterAll(endAll);

describe('started by mongodb-memory-server', () => {
  let set: MongoMemoryReplSet;
  let client: MongoClient;

  beforeAll(async () => {
    vi.stubEnv('MONGOMS_SYSTEM_BINARY_VERSION_CHECK', 'false');
    set = await MongoMemoryReplSet.create({
      binary: { systemBinary: (await resolveEmbedded()).mongod },
      replSet: { name: 'rs0', storageEngine: 'wiredTiger', args: ['--shardsvr', '--wiredTigerCacheSizeGB', '0.25'] },
    });
    const { MongoClient } = await import('mongodb');
    client = await new MongoClient(set.getUri(), { retryWrites: true }).connect();
  });

  afterAll(async () => {
    await client.close();
    await set.stop();
    vi.unstubAllEnvs();
  });

  test('the engine answers: a unique index is enforced, with its key in the error', async () => {
    const people = client.db('t').collection('people');
    await people.createIndex({ email: 1 }, { unique: true });
    await people.insertOne({ email: 'a@b.c' });
    await expect(people.insertOne({ email: 'a@b.c' })).rejects.toMatchObject({
      code: 11000,
      message: 'E11000 duplicate key error collection: t.people index: email_1 dup key: { email: "a@b.c" }',
      keyPattern: { email: 1 },
      keyValue: { email: 'a@b.c' },
    });
    expect(await people.countDocuments()).toBe(1);
  });

  test('an index is built when the only member agrees', async () => {
    const indexes = [{ key: { b: 1 }, name: 'b_1' }];
    const db = client.db('t');
    expect(await db.command({ createIndexes: 'quorum', indexes, commitQuorum: 'majority' })).toMatchObject({
      numIndexesAfter: 2,
    });
    const more = [{ key: { c: 1 }, name: 'c_1' }];
    await expect(db.command({ createIndexes: 'quorum', indexes: more, commitQuorum: 2 })).rejects.toThrow();
    expect((await db.collection('quorum').indexes()).map(({ name }) => name)).toEqual(['_id_', 'b_1']);
  });

  test('the driver sees the primary of a set of one', async () => {
    const hello = await client.db('admin').command({ hello: 1 });
    const self = set.getUri().replace(/^mongodb:\/\/|\/.*$/g, '');
    expect(hello).toMatchObject({ setName: 'rs0', isWritablePrimary: true, hosts: [self], primary: self, me: self });
    expect(hello).not.toHaveProperty('logicalSessionTimeoutMinutes');
    expect(hello).not.toHaveProperty('topologyVersion');
    const status = await client.db('admin').command({ replSetGetStatus: 1 });
    expect(status).toMatchObject({
      set: 'rs0',
      myState: 1,
      members: [{ name: self, stateStr: 'PRIMARY', self: true }],
    });
  });
});

describe('a replica set of one', () => {
  let server: TestMongod;
  let admin: Db;

  beforeAll(async () => {
    server = await startMongod(['--replSet', 'rs', '--configsvr']);
    admin = (await connect(server.port)).db('admin');
  });

  test('is no primary before it is initiated', async () => {
    expect(await admin.command({ hello: 1 })).toMatchObject({
      isWritablePrimary: false,
      secondary: false,
      isreplicaset: true,
      info: 'Does not have a valid replica set config',
    });
    await expect(admin.command({ replSetGetStatus: 1 })).rejects.toMatchObject({
      code: 94,
      codeName: 'NotYetInitialized',
    });
    await expect(admin.command({ replSetGetConfig: 1 })).rejects.toMatchObject({ code: 94 });
  });

  test.each([
    ['another set’s name', (port: number) => ({ _id: 'other', members: [{ _id: 0, host: `127.0.0.1:${port}` }] }), 93],
    ['another server', (port: number) => ({ _id: 'rs', members: [{ _id: 0, host: `127.0.0.1:${port + 1}` }] }), 93],
    [
      'two members',
      (port: number) => ({ _id: 'rs', members: [0, 1].map((_id) => ({ _id, host: `127.0.0.1:${port + _id}` })) }),
      9990001,
    ],
  ])('is not initiated with %s', async (_, config, code) => {
    await expect(admin.command({ replSetInitiate: config(server.port) })).rejects.toMatchObject({ code });
  });

  test('is initiated, and marked as the config server it was started as', async () => {
    const members = [{ _id: 0, host: `127.0.0.1:${server.port}`, priority: 2 }];
    await admin.command({ replSetInitiate: { _id: 'rs', members, settings: { electionTimeoutMillis: 500 } } });
    await server.line(21331);
    const { config } = await admin.command({ replSetGetConfig: 1 });
    expect(config).toMatchObject({ _id: 'rs', version: 1, configsvr: true, settings: { electionTimeoutMillis: 500 } });
    expect(config.members).toMatchObject([{ _id: 0, host: `127.0.0.1:${server.port}`, priority: 2, votes: 1 }]);
    expect(await admin.command({ hello: 1 })).toMatchObject({ isWritablePrimary: true, configsvr: 2, setVersion: 1 });
    expect(await admin.command({ isMaster: 1 })).toMatchObject({ ismaster: true });
    await expect(admin.command({ replSetInitiate: {} })).rejects.toMatchObject({
      code: 23,
      codeName: 'AlreadyInitialized',
    });
  });

  test('is reconfigured by a higher version only', async () => {
    const { config } = await admin.command({ replSetGetConfig: 1 });
    await expect(admin.command({ replSetReconfig: config })).rejects.toMatchObject({ code: 103 });
    await admin.command({ replSetReconfig: { ...config, version: 2 } });
    expect(await admin.command({ hello: 1 })).toMatchObject({ setVersion: 2, isWritablePrimary: true });
  });

  test('does not step down, and keeps its configuration from being dropped', async () => {
    await expect(admin.command({ replSetStepDown: 1 })).rejects.toMatchObject({ codeName: 'ShardlabNotModelled' });
    const local = admin.client.db('local');
    await expect(local.command({ dropDatabase: 1 })).rejects.toMatchObject({ code: 20 });
  });

  test('has no temporary collection left when a router that takes over has asked, nor when it comes up again', async () => {
    const db = admin.client.db('temporary');
    const names = async () => (await db.listCollections().toArray()).map(({ name }) => name);
    await db.createCollection('kept');
    await db.command({ create: 'tmp.one', temp: true });
    expect(await names()).toContain('tmp.one');
    await admin.command({ shardlabClearUp: 1 });
    expect(await names()).toEqual(['kept']);
    await db.command({ create: 'tmp.two', temp: true });
    await server.end('SIGTERM');
    const { port, dbpath } = server;
    server = await startMongod(['--replSet', 'rs', '--configsvr'], { port, dbpath });
    admin = (await connect(port)).db('admin');
    expect(await admin.client.db('temporary').listCollections().toArray()).toMatchObject([{ name: 'kept' }]);
  });

  test('comes up as the primary again on the same data, in a later term', async () => {
    await admin.client.db('t').collection<{ _id: number }>('c').insertOne({ _id: 1 });
    const before = await admin.command({ hello: 1 });
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    const { port, dbpath } = server;
    const again = await startMongod(['--replSet', 'rs', '--configsvr'], { port, dbpath });
    await again.line(21331);
    const client = await connect(port, { directConnection: false, replicaSet: 'rs' });
    const hello = await client.db('admin').command({ hello: 1 });
    expect(hello).toMatchObject({ setVersion: 2, isWritablePrimary: true });
    expect(hello.electionId > before.electionId).toBe(true);
    expect(await client.db('t').collection<{ _id: number }>('c').findOne()).toEqual({ _id: 1 });
    await again.end();
  });

  test('is removed from its set when its port has changed', async () => {
    const moved = await startMongod(['--replSet', 'rs', '--configsvr'], { dbpath: server.dbpath });
    const db = (await connect(moved.port)).db('admin');
    expect(await db.command({ hello: 1 })).toMatchObject({ isWritablePrimary: false, isreplicaset: true });
    await expect(db.command({ replSetGetStatus: 1 })).rejects.toMatchObject({ code: 93 });
    await moved.end();
  });
});
