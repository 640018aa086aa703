import { expect, test } from 'vitest';
import { parseConnectionString } from './connection-string.ts';
import { existingShard } from './existing-shard.ts';

const SHARDS = [{ id: 'sh0', host: 'rs0/127.0.0.1:1' }];

function find(connectionString: string, name?: string) {
  const target = parseConnectionString(connectionString);
  if (!target) throw new Error(`no connection string: ${connectionString}`);
  return existingShard(SHARDS, target, name);
}

test.each([
  ['the same set', 'rs0/127.0.0.1:1', undefined],
  ['the same set and name', 'rs0/127.0.0.1:1', 'sh0'],
  ['the same set with a further host', 'rs0/127.0.0.1:1,127.0.0.1:2', undefined],
])('addshard_idempotent.js: %s is the shard that exists', (_, connectionString, name) => {
  expect(find(connectionString, name)?.id).toBe('sh0');
});

test('a set that is not there is none', () => {
  expect(find('rs1/127.0.0.1:2')).toBeUndefined();
});

test.each([
  ['rs0/127.0.0.1:1', 'other', "A shard already exists containing the replica set 'rs0'"],
  ['rs0/127.0.0.1:9', undefined, "A shard named rs0 containing the replica set 'rs0' already exists"],
  ['rs9/127.0.0.1:1', undefined, "'127.0.0.1:1' is already a member of the existing shard 'rs0/127.0.0.1:1' (sh0)."],
  ['127.0.0.1:1', undefined, "'127.0.0.1:1' is already a member of the existing shard 'rs0/127.0.0.1:1' (sh0)."],
  ['rs9/127.0.0.1:9', 'sh0', 'A shard named sh0 already exists'],
])('%s as %s is refused', (connectionString, name, message) => {
  expect(() => find(connectionString, name)).toThrow(expect.objectContaining({ code: 20, message }));
});
