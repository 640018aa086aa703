/** Commits that the config server does not live to finish. */
import { beforeEach, describe, expect, test } from 'vitest';
import { connect, startMongod } from '../../mongod.fixture.ts';
import { arrayOf, documentOf, elements, encode, field, firstName } from '../../wire/bson.ts';
import { Peer, PeerError } from '../../wire/client.ts';
import { startRouter } from '../cluster.fixture.ts';
import { type Call, CommandError, type Router } from '../command.ts';
import { dropCommands } from '../ddl/drop.ts';
import { moveRange } from '../moves/move.ts';
import { ALL, useMovable } from '../moves/moves.fixture.ts';
import { type Change, commit, redo } from './commit.ts';
import { ConfigCatalog } from './config-catalog.ts';
import type { ShardedCollection } from './sharded-collection.ts';

const { cluster, through, held, fill, counts, idsThrough } = useMovable();

const config = () => cluster.sets.config.client.db('config');
const configPeer = () => new Peer(`127.0.0.1:${cluster.sets.config.port}`);

/** Starts the config server again where it was. */
async function revive(): Promise<void> {
  const dead = cluster.sets.config;
  const { port, dbpath } = dead.member;
  const member = await startMongod(['--replSet', dead.name, '--configsvr'], { port, dbpath });
  Object.assign(dead, { member, client: await connect(port) });
}

/** Nothing is left to be done, and a new router finds what the last one knew. */
async function expectEnded(): Promise<void> {
  cluster.router = await startRouter(cluster.sets, cluster.router.port);
  for (const name of ['shardlab.commits', 'shardlab.journal']) {
    expect(await config().collection(name).find().toArray()).toEqual([]);
  }
}

describe('a commit', () => {
  const inserts = (count: number): Change[] =>
    Array.from({ length: count }, (_, _id) => ({ insert: 'made', document: encode({ _id, text: 'x'.repeat(50) }) }));

  beforeEach(async () => {
    for (const name of ['made', 'others']) await config().collection(name).deleteMany({});
  });

  test('is made whole after SIGKILL in the middle of it', async () => {
    await config()
      .collection<{ _id: number; a?: number }>('others')
      .insertMany([{ _id: 1 }, { _id: 2 }]);
    const changes: Change[] = [
      { update: 'others', filter: { _id: 1 }, set: { a: 1 } },
      ...inserts(6_000),
      { delete: 'others', filter: { _id: 2 } },
    ];
    const peer = configPeer();
    dieWithin(peer, 'made', 1_000); // what is to be done, the update, and as many inserts as then remain
    await expect(commit(peer, changes)).rejects.toThrow(PeerError);
    await revive();
    expect(await config().collection('made').countDocuments()).toBe(998);
    expect(await config().collection('others').countDocuments()).toBe(2);
    await redo(configPeer());
    expect(await config().collection('made').countDocuments()).toBe(6_000);
    expect(await config().collection('others').find().toArray()).toEqual([{ _id: 1, a: 1 }]);
    expect(await config().collection('shardlab.commits').countDocuments()).toBe(0);
  });

  test('that is refused is not made again', async () => {
    const changes: Change[] = [...inserts(2), ...inserts(1)];
    await expect(commit(configPeer(), changes)).rejects.toBeInstanceOf(CommandError);
    expect(await config().collection('shardlab.commits').countDocuments()).toBe(0);
  });
});

/** Kills the config server when it has done the first of the writes of a commit that a command makes. */
function dieWithin(peer: Peer, marker: string, writes: number): void {
  const send = peer.send.bind(peer);
  peer.send = async (body, sequences) => {
    if (firstName(body) !== 'bulkWrite' || !body.includes(marker)) return send(body, sequences);
    peer.send = send;
    await send(firstWrites(body, writes));
    await cluster.sets.config.member.end('SIGKILL');
    return send(body, sequences);
  };
}

function firstWrites(body: Buffer, count: number): Buffer {
  const ops = elements(field(body, 'ops')?.bytes ?? documentOf([])).slice(0, count);
  return documentOf(elements(body).map((one) => (one.name === 'ops' ? { name: 'ops', ...arrayOf(ops) } : one)));
}

/** A router in this process takes the cluster's place. */
async function takeOver(): Promise<{ metadata: ConfigCatalog; router: Router }> {
  await cluster.router.end('SIGKILL');
  const metadata = new ConfigCatalog(configPeer(), 'router:1');
  await metadata.reload();
  return { metadata, router: { metadata, address: 'test:0', cursors: { drain: async () => {} } } as unknown as Router };
}

describe('a config server that dies in mid-commit', () => {
  test.each([1, 2, 4])('of a move, after %i writes, leaves it made', async (writes) => {
    await fill();
    const { metadata, router } = await takeOver();
    const collection = metadata.sharded('conf.c') as ShardedCollection;
    const range = { min: encode({ uid: 1_000 }), max: encode({ uid: 2_000 }) };
    dieWithin(metadata.config, 'moveChunk.commit', writes);
    const moving = metadata.changing('conf.c', () => moveRange(collection, range, 'sh1', router));
    await expect(moving).rejects.toThrow(PeerError);
    await revive();
    await metadata.using('conf.c', async () => {});
    expect(metadata.sharded('conf.c')?.chunks.map(({ shard }) => shard)).toEqual(['sh0', 'sh1', 'sh0']);
    expect(await counts()).toEqual([2_000, 1_000]);
    metadata.close();
    await expectEnded();
    expect(await idsThrough()).toEqual(ALL);
  });

  test.each([1, 2, 3])('of a drop, after %i writes, leaves nothing of it and nothing to come', async (writes) => {
    await fill(10);
    const { metadata, router } = await takeOver();
    dieWithin(metadata.config, 'dropCollection.start', writes);
    const call = { name: 'drop', db: 'conf', body: encode({ drop: 'c', $db: 'conf' }) } as Call;
    await expect(dropCommands.drop?.(call, router)).rejects.toThrow(PeerError);
    await revive();
    await metadata.using('conf.c', async () => {});
    expect(metadata.sharded('conf.c')).toBeUndefined();
    expect(await config().collection('chunks').countDocuments()).toBe(0);
    expect(await counts()).toEqual([0, 0]);
    metadata.close();
    await held(0).insertOne({ _id: 1, uid: 1 });
    await expectEnded();
    expect(await through().find().toArray()).toEqual([{ _id: 1, uid: 1 }]);
  });
});
