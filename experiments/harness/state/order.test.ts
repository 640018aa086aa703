import { Double, Long, MaxKey, MinKey, ObjectId, UUID } from 'bson';
import type { Document } from 'mongodb';
import { expect, test } from 'vitest';
import type { PlacedChunk } from '../../../cluster/sharding.ts';
import { Normalizer } from '../normalize.ts';
import { placed } from './order.ts';

const now = new Date();
const newTidy = () => new Normalizer({ database: undefined, hosts: new Map(), since: now, until: now });

/** Chunks between the bounds given, and those before and after. */
function chunksBetween(fields: readonly string[], ...bounds: Document[]): PlacedChunk[] {
  const all = (value: unknown) => Object.fromEntries(fields.map((field) => [field, value]));
  const ends = [all(new MinKey()), ...bounds, all(new MaxKey())];
  return ends.slice(1).map((max, i) => ({ min: ends[i] ?? {}, max, shard: `sh${i}` }));
}

function shown(documents: readonly Document[], key: Document, chunks: readonly PlacedChunk[], tidy = newTidy()) {
  const sharded = { key, unique: false };
  return placed(documents, { sharded, chunks }, tidy).map(({ document, chunk }) => [document._id, chunk]);
}

test('each document belongs to the chunk that its shard key lies in; bounds belong to the chunk that they begin', () => {
  const documents = [
    { _id: 'c', k: 10 },
    { _id: 'a', k: -1 },
    { _id: 'b', k: new Double(9.5) },
    { _id: 'd', k: new MaxKey() },
  ];
  const chunks = chunksBetween(['k'], { k: 0 }, { k: Long.fromNumber(10) });
  expect(shown(documents, { k: 1 }, chunks)).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 2],
    ['d', 2],
  ]);
});

test('a missing field counts as null, an array belongs to no chunk', () => {
  const documents = [
    { _id: 'array', k: [1] },
    { _id: 'number', k: 1 },
    { _id: 'missing' },
    { _id: 'deep', k: { a: 1 } },
  ];
  const chunks = chunksBetween(['k'], { k: 0 });
  expect(shown(documents, { k: 1 }, chunks)).toEqual([
    ['missing', 0],
    ['number', 1],
    ['deep', 1],
    ['array', undefined],
  ]);
});

test('a compound key is compared field by field, dotted paths included', () => {
  const documents = [
    { _id: 3, a: 1, b: { c: 'z' } },
    { _id: 2, a: 1, b: { c: 'm' } },
    { _id: 1, a: 1, b: { c: 'a' } },
    { _id: 0, a: 0, b: { c: 'z' } },
  ];
  const chunks = chunksBetween(['a', 'b.c'], { a: 1, 'b.c': 'm' });
  expect(shown(documents, { a: 1, 'b.c': 1 }, chunks)).toEqual([
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 1],
  ]);
});

test('a hashed field belongs to the chunk of its hash, and within it is in the order of its values', () => {
  // The hashes: -1 1140…, 0 4854…, 1 5902…, 42 -944… (src/mongo/db/hasher_test.cpp).
  const documents = [42, 1, 0, -1].map((k) => ({ _id: k, k }));
  const chunks = chunksBetween(['k'], { k: Long.fromNumber(0) }, { k: Long.fromString('5000000000000000000') });
  expect(shown(documents, { k: 'hashed' }, chunks)).toEqual([
    [42, 0],
    [-1, 1],
    [0, 1],
    [1, 2],
  ]);
});

test('ids that the run made are in the order of their numbers, which does not hang on which is greater', () => {
  const [small, great] = [new ObjectId('0'.repeat(24)), new ObjectId('f'.repeat(24))];
  const tidy = newTidy();
  tidy.document({ great, small });
  expect(shown([{ _id: small }, { _id: great }], {}, [], tidy)).toEqual([
    [great, undefined],
    [small, undefined],
  ]);
  const [one, other] = [UUID.generate(), UUID.generate()].map((bytes) => new UUID(bytes).toBinary()).reverse();
  tidy.document({ other, one });
  expect(shown([{ _id: one }, { _id: other }], {}, [], tidy)).toEqual([
    [other, undefined],
    [one, undefined],
  ]);
});

test('an id that is not in the record yet comes behind those that are', () => {
  const [small, great] = [new ObjectId('0'.repeat(24)), new ObjectId('f'.repeat(24))];
  const tidy = newTidy();
  tidy.document({ great });
  expect(shown([{ _id: small }, { _id: great }], {}, [], tidy).map(([id]) => id)).toEqual([great, small]);
});

test('without a shard key documents are in the order of their `_id`, of whatever type', () => {
  const documents = [{ _id: 'a' }, { _id: 10 }, { _id: null }, { _id: 9 }];
  expect(placed(documents, { chunks: [] }, newTidy())).toEqual(
    [null, 9, 10, 'a'].map((_id) => ({ document: { _id }, chunk: undefined })),
  );
});
