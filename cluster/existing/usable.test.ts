import { expect, test } from 'vitest';
import { InputError } from '../errors.ts';
import { chosenShards, refuseUnsharded } from './usable.ts';

const shard = (_id: string, draining?: boolean) => ({ _id, host: `${_id}/h:1`, ...(draining && { draining }) });

test('the first two shards by name are taken that are not being drained', () => {
  expect(chosenShards([shard('d'), shard('a', true), shard('c'), shard('b')])).toEqual(['b', 'c']);
});

test.each([
  ['only one shard', [shard('a'), shard('b', true)]],
  ['no shard', []],
])('%s is too few', (words, shards) => {
  expect(() => chosenShards(shards)).toThrow(new InputError(`the cluster has ${words} to use; experiments need two`));
});

test('a standalone and a replica set are refused, a router is not', () => {
  const refused = (what: string) => new InputError(`--uri leads to ${what}; name a mongos of a sharded cluster`);
  expect(() => refuseUnsharded({ isWritablePrimary: true })).toThrow(refused('a standalone server'));
  expect(() => refuseUnsharded({ setName: 'rs0' })).toThrow(refused('a member of the replica set rs0'));
  refuseUnsharded({ msg: 'isdbgrid' });
});
