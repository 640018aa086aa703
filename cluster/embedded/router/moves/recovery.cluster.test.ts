/** Moves that a router or a shard does not live to finish. */
import { MinKey, ObjectId } from 'bson';
import { describe, expect, test } from 'vitest';
import { connect, startMongod } from '../../mongod.fixture.ts';
import { encode, firstName } from '../../wire/bson.ts';
import { Peer } from '../../wire/client.ts';
import { refusalOf, startRouter, type TestSet } from '../cluster.fixture.ts';
import type { Router } from '../command.ts';
import { splitNamespace } from '../ddl/namespace.ts';
import type { MoveEntry } from '../journal/entries.ts';
import { ConfigCatalog } from '../metadata/config-catalog.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { copyRange, firstBatch } from './copy.ts';
import { moveRange } from './move.ts';
import { ALL, useMovable } from './moves.fixture.ts';
import { prepareRecipient } from './recipient.ts';
import { deleteRange, openShardCollection } from './shard-range.ts';
import { begin, commitMove } from './stages.ts';

const { cluster, conf, through, held, fill, counts, idsThrough, move } = useMovable();

/** Starts a shard again where it was. */
async function revive(dead: TestSet): Promise<void> {
  const { port, dbpath } = dead.member;
  const member = await startMongod(['--replSet', dead.name, '--shardsvr'], { port, dbpath });
  Object.assign(dead, { member, client: await connect(port) });
}

describe('a router that dies in mid-move leaves no document twice and none lost', () => {
  /** What a router does in a move, step by step, on the cluster's servers themselves. */
  async function stages() {
    const metadata = new ConfigCatalog(new Peer(`127.0.0.1:${cluster.sets.config.port}`), 'router:1');
    await metadata.reload();
    const { entry } = metadata.sharded('conf.c') ?? { entry: undefined };
    if (!entry) throw new Error('conf.c is not sharded');
    const mover = { metadata, address: 'test:0' };
    const namespace = splitNamespace('conf.c');
    const [min, max] = [encode({ uid: 1_000 }), encode({ uid: 2_000 })];
    const moving: MoveEntry = {
      id: new ObjectId(),
      kind: 'move',
      ns: 'conf.c',
      uuid: entry.uuid,
      min,
      max,
      from: 'sh0',
      to: 'sh1',
    };
    const donor = await openShardCollection(metadata.peer('sh0'), namespace, entry.key);
    await prepareRecipient(metadata.peer('sh0'), metadata.peer('sh1'), namespace, true);
    return {
      begin: () => begin(moving, mover),
      copyHalf: async () => {
        const { documents } = await firstBatch(donor, moving);
        await copyRange(donor, metadata.peer('sh1'), { documents: documents.slice(0, 500), next: undefined });
      },
      copyRest: async () => {
        const { documents } = await firstBatch(donor, { min: encode({ uid: 1_500 }), max });
        await copyRange(donor, metadata.peer('sh1'), { documents, next: undefined });
      },
      commit: () => commitMove(moving, { documents: 1_000, bytes: 1 }, mover),
      cleanHalf: () => deleteRange(donor, { min, max: encode({ uid: 1_500 }) }),
      die: () => metadata.close(),
    };
  }

  test.each([
    ['begun', 1, [3_000, 0]],
    ['half copied', 2, [3_000, 0]],
    ['copied', 3, [3_000, 0]],
    ['committed', 4, [2_000, 1_000]],
    ['half cleaned', 5, [2_000, 1_000]],
  ] as const)('when the move was %s', async (_, reached, expected) => {
    await fill();
    await cluster.router.end('SIGKILL');
    const { begin, copyHalf, copyRest, commit, cleanHalf, die } = await stages();
    for (const stage of [begin, copyHalf, copyRest, commit, cleanHalf].slice(0, reached)) await stage();
    die();
    cluster.router = await startRouter(cluster.sets, cluster.router.port);
    expect(await counts()).toEqual(expected);
    expect(await idsThrough()).toEqual(ALL);
    expect(await cluster.router.client.db('config').collection('shardlab.journal').countDocuments({})).toBe(0);
    await move({ min: { uid: 1_000 }, max: { uid: 2_000 } });
    expect(await counts()).toEqual([2_000, 1_000]);
  });

  test('and while a shard is down as the next router starts, only what the move concerns waits for it', async () => {
    await fill();
    await cluster.router.end('SIGKILL');
    const { begin, copyHalf, die } = await stages();
    await begin();
    await copyHalf();
    die();
    const down = cluster.sets.shards[1] as TestSet;
    await down.member.end();
    cluster.router = await startRouter(cluster.sets, cluster.router.port);
    expect((await cluster.router.line(9_990_005)).attr).toMatchObject({ kind: 'move', on: 'conf.c', to: 'sh1' });
    await conf().collection('other').insertOne({ a: 1 });
    expect(await refusalOf(through().countDocuments({ uid: 1 }))).toMatchObject({
      code: 6,
      message: expect.stringMatching(/^shard sh1 could not be reached :: caused by :: .*ECONNREFUSED/),
    });
    await revive(down);
    expect(await idsThrough()).toEqual(ALL);
    expect(await counts()).toEqual([3_000, 0]);
    expect(await cluster.router.client.db('config').collection('shardlab.journal').countDocuments({})).toBe(0);
  });

  test('when it is killed while documents travel', async () => {
    await through().insertMany(Array.from({ length: 20_000 }, (_, i) => ({ _id: i, uid: i, text: 'x'.repeat(500) })));
    const broken = move({ min: { uid: new MinKey() } }).catch(() => {}); // or it ends as the first of them is seen
    while ((await held(1).estimatedDocumentCount()) === 0) await new Promise((resolve) => setImmediate(resolve));
    await cluster.router.end('SIGKILL');
    await broken;
    cluster.router = await startRouter(cluster.sets, cluster.router.port);
    const [left = 0, right = 0] = await counts();
    expect(left + right).toBe(20_000);
    expect([left, right]).toContain(0);
    expect(await idsThrough()).toEqual(Array.from({ length: 20_000 }, (_, i) => i));
  });
});

describe('a shard that dies in mid-move', () => {
  test.each([
    ['the recipient', 1, 'insert', [3_000, 0]],
    ['the donor', 0, 'delete', [1_000, 2_000]],
  ] as const)(
    'is named, and when it is back nothing is there twice or lost: %s',
    async (_, which, command, expected) => {
      await fill();
      await cluster.router.end('SIGKILL'); // the one in this process takes its place
      const metadata = new ConfigCatalog(new Peer(`127.0.0.1:${cluster.sets.config.port}`), 'router:1');
      await metadata.reload();
      const dying = cluster.sets.shards[which] as TestSet;
      dieOn(command, metadata.peer(dying.name), dying);
      const mover = { metadata, address: 'test:0', cursors: { drain: async () => {} } } as unknown as Router;
      const collection = metadata.sharded('conf.c') as ShardedCollection;
      const range = { min: encode({ uid: 1_000 }), max: collection.chunks[0]?.max as Buffer };
      const address = `127.0.0.1:${dying.port}`;
      await expect(metadata.changing('conf.c', () => moveRange(collection, range, 'sh1', mover))).rejects.toThrow(
        address,
      );
      await expect(metadata.using('conf.c', async () => {})).rejects.toThrow(address);
      await revive(dying);
      await metadata.using('conf.c', async () => {});
      expect(await counts()).toEqual(expected);
      metadata.close();
      cluster.router = await startRouter(cluster.sets, cluster.router.port);
      expect(await idsThrough()).toEqual(ALL);
      expect(await cluster.router.client.db('config').collection('shardlab.journal').countDocuments({})).toBe(0);
    },
  );

  /** Ends the shard as a command of this name is sent to it. */
  function dieOn(command: string, peer: Peer, { member }: TestSet): void {
    const send = peer.send.bind(peer);
    peer.send = async (body, sequences) => {
      if (firstName(body) === command) await member.end('SIGKILL');
      return send(body, sequences);
    };
  }

  test('takes nothing with it that comes after a drop', async () => {
    await fill(10);
    await move({ min: { uid: 5 } });
    const dying = cluster.sets.shards[1] as TestSet;
    await dying.member.end('SIGKILL');
    expect(await refusalOf(through().drop())).toMatchObject({ code: 6 });
    expect(await refusalOf(through().insertOne({ _id: 1, uid: 1 }))).toMatchObject({ code: 6 });
    await revive(dying);
    await through().insertOne({ _id: 1, uid: 1 });
    await cluster.router.end('SIGKILL');
    cluster.router = await startRouter(cluster.sets, cluster.router.port);
    expect(await idsThrough()).toEqual([1]);
    expect(await counts()).toEqual([1, 0]);
  });
});
