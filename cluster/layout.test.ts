import { describe, expect, it } from 'vitest';
import { InputError } from './errors.ts';
import { layoutOf, routerArgs } from './layout.ts';

describe('layoutOf', () => {
  it('plans a config server, the shards in order and a router', () => {
    const common = ['--wiredTigerCacheSizeGB', '0.25', '--nounixsocket'];
    expect(layoutOf({ shards: 3 })).toEqual({
      configServer: { name: 'cfg', args: ['--configsvr', ...common] },
      shards: ['sh0', 'sh1', 'sh2'].map((name) => ({ name, args: ['--shardsvr', ...common] })),
      router: { name: 'mongos' },
    });
  });

  it.each([0, -1, 1.5, Number.NaN, 33])('refuses %s shards', (shards) => {
    expect(() => layoutOf({ shards })).toThrow(InputError);
  });
});

it('the router gets the config server as a replica set', () => {
  expect(routerArgs(4000, { name: 'cfg', host: '127.0.0.1:4001' })).toEqual([
    '--configdb',
    'cfg/127.0.0.1:4001',
    '--port',
    '4000',
    '--bind_ip',
    '127.0.0.1',
    '--nounixsocket',
  ]);
});
