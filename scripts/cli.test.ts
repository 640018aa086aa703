import { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ClusterFlags, mongodbOption, nearestName, shardsOption, userPath } from './cli.ts';

afterEach(() => vi.unstubAllEnvs());

describe('nearestName', () => {
  const names = ['unique-non-prefix', 'hashed-unique', 'soft-delete-restore'];

  it.each([
    ['hashed-unik', 'hashed-unique'],
    ['soft-delet-restore', 'soft-delete-restore'],
    ['transactions', undefined],
  ])('%s: %s', (given, nearest) => {
    expect(nearestName(given, names)).toBe(nearest);
  });

  it('has nothing to offer among none', () => {
    expect(nearestName('anything', [])).toBeUndefined();
  });
});

describe('the cluster’s flags', () => {
  const parse = (...args: string[]) =>
    new Command()
      .addOption(mongodbOption())
      .addOption(shardsOption())
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .parse(args, { from: 'user' })
      .opts<ClusterFlags>();

  it('have defaults, that of --mongodb from the environment', () => {
    vi.stubEnv('SHARDLAB_MONGODB', undefined);
    expect(parse()).toEqual({ mongodb: 'auto', shards: 2 });
    vi.stubEnv('SHARDLAB_MONGODB', 'embedded');
    expect(parse('--shards', '3')).toEqual({ mongodb: 'embedded', shards: 3 });
  });

  it('mean folders from where the user called npm', () => {
    vi.stubEnv('INIT_CWD', '/home/user');
    expect(userPath('a/b')).toBe('/home/user/a/b');
    expect(parse('--mongodb', './my bin').mongodb).toBe('/home/user/my bin');
    expect(parse('--mongodb', '8.0').mongodb).toBe('8.0');
    expect(parse('--mongodb', '').mongodb).toBe(''); // and not the folder itself
    vi.stubEnv('INIT_CWD', import.meta.dirname);
    expect(parse('--mongodb', '../scripts').mongodb).toBe(import.meta.dirname);
  });

  it.each(['0', '33', '1.5', 'two', ''])('refuse %s shards', (shards) => {
    expect(() => parse('--shards', shards)).toThrow('It must be a whole number from 1 to 32.');
  });
});
