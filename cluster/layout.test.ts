import { describe, expect, it } from 'vitest';
import { InputError } from './errors.ts';
import { layoutOf, routerArgs } from './layout.ts';

describe('layoutOf', () => {
  it('plans a config server, the shards in order and a router', () => {
    const common = ['--wiredTigerCacheSizeGB', '0.25', '--nounixsocket'];
    expect(layoutOf({ shards: 3 })).toEqual({
      configServer: { name: 'cfg', args: ['--configsvr', ...common] },
      shards: ['sh0', 'sh1', 'sh2'].map((name) => ({ name, args: ['--shardsvr', ...common] })),
      router: { name: 'mongos', args: [] },
      ownParameters: [],
    });
  });

  it('gives what the user adds to every server of its kind, behind its own', () => {
    const mongodArgs = ['--setParameter', 'orphanCleanupDelaySecs=900'];
    const { configServer, shards, router, ownParameters } = layoutOf({ shards: 1, mongodArgs, mongosArgs: ['--test'] });
    for (const { args } of [configServer, ...shards]) expect(args.slice(-2)).toEqual(mongodArgs);
    expect(router.args).toEqual(['--test']);
    expect(ownParameters).toEqual(['orphanCleanupDelaySecs']);
  });

  it('leaves the size of the cache to the user who says it', () => {
    const { configServer } = layoutOf({ shards: 1, mongodArgs: ['--wiredTigerCacheSizeGB=1'] });
    expect(configServer.args).toEqual(['--configsvr', '--nounixsocket', '--wiredTigerCacheSizeGB=1']);
  });

  it.each([0, -1, 1.5, Number.NaN, 33])('refuses %s shards', (shards) => {
    expect(() => layoutOf({ shards })).toThrow(InputError);
  });
});

it('the router gets the config server as a replica set', () => {
  const plan = { args: ['--setParameter', 'a=1'] };
  expect(routerArgs(plan, 4000, { name: 'cfg', host: '127.0.0.1:4001' })).toEqual([
    '--configdb',
    'cfg/127.0.0.1:4001',
    '--port',
    '4000',
    '--bind_ip',
    '127.0.0.1',
    '--nounixsocket',
    ...plan.args,
  ]);
});
