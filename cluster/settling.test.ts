import type { Document, MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { refreshShard, shardSessions, shortenWaits, untilNothingMoves } from './settling.ts';

const refusal = (code: number) => Object.assign(new Error(`refused with ${code}`), { code });

/** A server that notes its commands and answers them by name; `documents` are the first ones of its `config` collections, one for each look. */
function serverOf(replies: Record<string, (sent: Document) => Document>, documents: Record<string, Document[]> = {}) {
  const sent: Document[] = [];
  const command = async (body: Document): Promise<Document> => {
    sent.push(body);
    return replies[Object.keys(body)[0] ?? '']?.(body) ?? { ok: 1 };
  };
  const collection = (name: string) => ({ findOne: async () => documents[name]?.shift() ?? null });
  return { sent, client: { db: () => ({ command, collection }) } as unknown as MongoClient };
}

describe('the waits of a server are shortened', () => {
  /** As servers answer `getParameter`: with what they have; 72 where that is nothing (src/mongo/db/commands/parameters.cpp). */
  const having = (...names: string[]) => ({
    getParameter: (asked: Document) => {
      const there = names.filter((name) => name in asked);
      if (there.length === 0) throw refusal(72);
      return { ...Object.fromEntries(there.map((name) => [name, 900])), ok: 1 };
    },
  });
  const settingsIn = (sent: Document[]) =>
    Object.assign({}, ...sent.slice(1).map(({ setParameter: _, ...rest }) => rest));

  it.each<[string, string[], Document]>([
    [
      '4.4',
      ['orphanCleanupDelaySecs', 'migrationLockAcquisitionMaxWaitMS'],
      { orphanCleanupDelaySecs: 1, migrationLockAcquisitionMaxWaitMS: 30_000 },
    ],
    [
      '5.0',
      ['orphanCleanupDelaySecs', 'reshardingMinimumOperationDurationMillis'],
      { orphanCleanupDelaySecs: 1, reshardingMinimumOperationDurationMillis: 0 },
    ],
    ['one that has none of them', [], {}],
  ])('of %s, where it has them', async (_, names, settings) => {
    const { client, sent } = serverOf(having(...names));
    await shortenWaits(client, []);
    expect(settingsIn(sent)).toEqual(settings);
  });

  it('but never one that the user has set', async () => {
    const { client, sent } = serverOf(having('orphanCleanupDelaySecs', 'reshardingCriticalSectionTimeoutMillis'));
    await shortenWaits(client, ['orphanCleanupDelaySecs']);
    expect(settingsIn(sent)).toEqual({ reshardingCriticalSectionTimeoutMillis: 86_400 });
  });

  it('and a refusal of one is not passed over, nor does it keep the others from being set', async () => {
    const { client, sent } = serverOf({
      ...having('orphanCleanupDelaySecs', 'reshardingMinimumOperationDurationMillis'),
      setParameter: (body) => {
        if ('orphanCleanupDelaySecs' in body) throw refusal(2);
        return { ok: 1 };
      },
    });
    await expect(shortenWaits(client, [])).rejects.toThrow('refused with 2');
    expect(settingsIn(sent)).toMatchObject({ reshardingMinimumOperationDurationMillis: 0 });
  });
});

it('the sessions collection is sharded as the config server would', async () => {
  const { client, sent } = serverOf({});
  await shardSessions({ client, version: '8.0.0' });
  expect(sent).toEqual([{ shardCollection: 'config.system.sessions', key: { _id: 1 } }]);
});

describe('the routing cache of a shard is refreshed', () => {
  const answering = (code: number) =>
    serverOf({
      _flushRoutingTableCacheUpdates: () => {
        throw refusal(code);
      },
    });

  it('where the server has one', async () => {
    const { client, sent } = serverOf({});
    await refreshShard(client);
    expect(sent).toEqual([{ _flushRoutingTableCacheUpdates: 'config.system.sessions' }]);
    await expect(refreshShard(answering(59).client)).resolves.toBeUndefined();
  });

  it('and another refusal is not passed over', async () => {
    await expect(refreshShard(answering(13).client)).rejects.toThrow('refused with 13');
  });
});

describe('nothing moves', () => {
  /** As 4.4.0 answered it, its counters left out. */
  const status = (mode: string, inBalancerRound: boolean) => () => ({ mode, inBalancerRound, ok: 1 });
  const off = { balancerStatus: status('off', false) };
  const shard = (...coordinators: Document[]) => serverOf({}, { migrationCoordinators: coordinators }).client;

  it('where there is no trace of a migration', async () => {
    await expect(untilNothingMoves(serverOf(off), [shard(), shard()])).resolves.toBeUndefined();
  });

  it('once it has ended', async () => {
    const rounds = [true, false];
    const balancerStatus = () => status('off', rounds.shift() ?? false)();
    await untilNothingMoves(serverOf({ balancerStatus }, { migrations: [{ ns: 'a.b' }] }), [shard({ nss: 'a.b' })]);
    expect(rounds).toEqual([]);
  });

  it.each<[string, ReturnType<typeof serverOf>, MongoClient, string]>([
    [
      'a balancer that somebody switched on',
      serverOf({ balancerStatus: status('full', false) }),
      shard(),
      'a balancer that is on (mode full)',
    ],
    ['a round that goes on', serverOf({ balancerStatus: status('off', true) }), shard(), 'a round of the balancer'],
    ['a migration of the balancer', serverOf(off, { migrations: [{ ns: 'a.b' }] }), shard(), 'a migration of a.b'],
    [
      'a donor that is not done',
      serverOf(off),
      shard({ nss: 'c.d' }),
      'a migration of c.d that its donor has not finished',
    ],
  ])('is given up with its reason: %s', async (_, router, donor, reason) => {
    await expect(untilNothingMoves(router, [donor], -1)).rejects.toThrow(`there is still ${reason}`);
  });
});
