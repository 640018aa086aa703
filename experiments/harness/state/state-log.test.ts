import { MaxKey, MinKey, ObjectId } from 'bson';
import type { Document } from 'mongodb';
import { expect, test } from 'vitest';
import { Normalizer } from '../normalize.ts';
import type { SeenCollection, SeenShard } from './seen.ts';
import { StateLog } from './state-log.ts';

const now = new Date();
const facts = { database: undefined, hosts: new Map(), since: now, until: now };
const newLog = () => new StateLog(new Normalizer(facts));

const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };
const shard = (name: string, ...documents: Document[]): SeenShard => ({
  shard: name,
  count: documents.length,
  indexes: [idIndex],
  documents,
});
const plain = (...documents: Document[]): SeenCollection => ({
  collection: 'u',
  chunks: [],
  shards: [shard('sh0', ...documents)],
});

test('a state is given where it differs from the one before', () => {
  const log = newLog();
  expect(log.after({ seen: [] })).toBeUndefined();
  expect(log.after({ seen: [plain({ _id: 1 })] })).toHaveLength(1);
  expect(log.after({})).toBeUndefined();
  expect(log.after({ seen: [plain({ _id: 1 })] })).toBeUndefined();
  expect(log.after({ seen: [] })).toEqual([]);
});

test('a document on a shard that does not own its chunk names the chunk of the other', () => {
  const chunks = [
    { min: { k: new MinKey() }, max: { k: 0 }, shard: 'sh0' },
    { min: { k: 0 }, max: { k: new MaxKey() }, shard: 'sh1' },
  ];
  const sharded = { key: { k: 1 }, unique: true };
  const seen: SeenCollection = {
    collection: 'u',
    sharded,
    chunks,
    shards: [shard('sh0', { _id: 1, k: 5 }), shard('sh1', { _id: 2, k: 5 })],
  };
  const [state] = newLog().after({ seen: [seen] }) ?? [];
  expect(state).toEqual({
    collection: 'u',
    sharded,
    chunks: [
      { min: { k: { $minKey: 1 } }, max: { k: 0 }, shard: 'sh0' },
      { min: { k: 0 }, max: { k: { $maxKey: 1 } }, shard: 'sh1' },
    ],
    shards: [
      { shard: 'sh0', count: 1, indexes: [idIndex], documents: [{ document: { _id: 1, k: 5 }, chunk: 1 }] },
      { shard: 'sh1', count: 1, indexes: [idIndex], documents: [{ document: { _id: 2, k: 5 }, chunk: 1 }] },
    ],
  });
});

test('what is made up has placeholders, indexes are by name and their fields in one order, and the simple collation goes without saying', () => {
  const indexes = [
    { v: 2, key: { b: 1 }, name: 'b_1', collation: { locale: 'en' } },
    { unique: true, key: { a: 1 }, collation: { locale: 'simple' }, hidden: true, v: 2, name: 'a_1' },
  ];
  const seen = { ...plain(), shards: [{ ...shard('sh0', { _id: new ObjectId(), at: new Date() }), indexes }] };
  const [state] = newLog().after({ seen: [seen] }) ?? [];
  const [{ indexes: shown = [], documents = [] } = {}] = state?.shards ?? [];
  expect(documents).toEqual([{ document: { _id: '<ObjectId 1>', at: '<date>' } }]);
  expect(shown.map((index) => JSON.stringify(index))).toEqual([
    '{"v":2,"key":{"a":1},"name":"a_1","hidden":true,"unique":true}',
    '{"v":2,"key":{"b":1},"name":"b_1","collation":{"locale":"en"}}',
  ]);
});

test('what is masked is in no part of a state', () => {
  const log = new StateLog(new Normalizer({ ...facts, mask: (text) => text.replaceAll('hush', '<secret>') }));
  const indexes = [{ v: 2, key: { hush: 1 }, name: 'hush_1' }];
  const seen = { ...plain(), collection: 'hush', shards: [{ ...shard('sh0', { _id: 'hush' }), indexes }] };
  expect(log.after({ seen: [seen] })).toMatchObject([
    { collection: '<secret>', shards: [{ documents: [{ document: { _id: '<secret>' } }] }] },
  ]);
});

test('where documents were not seen, their number is known', () => {
  const seen = { ...plain(), shards: [{ shard: 'sh0', count: 41, indexes: [] }] };
  expect(newLog().after({ seen: [seen] })?.[0]?.shards).toEqual([{ shard: 'sh0', count: 41, indexes: [] }]);
});

test('from a race on, what it left to chance is not said until the collection is gone', () => {
  const log = newLog();
  const other: SeenCollection = { ...plain({ _id: 1 }), collection: 'v' };
  const known = (documents: number) => ({ shard: 'sh0', count: documents, indexes: [idIndex] });
  const [u, v] = log.after({ seen: [plain({ _id: 1 }), other], chance: ['u'] }) ?? [];
  expect(u?.shards).toEqual([{ shard: 'sh0', indexes: [idIndex] }]);
  expect(v?.shards).toMatchObject([known(1)]);
  expect(log.after({ seen: [plain({ _id: 1 }, { _id: 2 }), other] })).toBeUndefined();
  expect(log.after({ seen: [other] })).toHaveLength(1);
  expect(log.after({ seen: [plain({ _id: 3 }), other] })?.[0]?.shards).toMatchObject([known(1)]);
});

test('a race may leave every collection to chance', () => {
  const states = newLog().after({ seen: [plain({ _id: 1 })], chance: 'every collection' });
  expect(states?.[0]?.shards).toEqual([{ shard: 'sh0', indexes: [idIndex] }]);
});
