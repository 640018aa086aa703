import { ObjectId, Timestamp, UUID } from 'bson';
import { expect, test } from 'vitest';
import { decodePlain, documentOf, encode } from '../../wire/bson.ts';
import { splitAt } from '../chunks/split.ts';
import { MAX_KEY, MIN_KEY } from '../compare.ts';
import type { ChunkEntry } from '../metadata/documents.ts';
import { type ShardedCollection, shardedCollection, versionText, withChunks } from '../metadata/sharded-collection.ts';
import { movedChunks } from './split-off.ts';

const MIN = documentOf([{ name: 'a', ...MIN_KEY }]);
const MAX = documentOf([{ name: 'a', ...MAX_KEY }]);
const AT = new Timestamp({ t: 9, i: 9 });
const at = (a: number): Buffer => encode({ a });

function chunk(min: Buffer, max: Buffer, shard: string, version: [number, number]): ChunkEntry {
  const since = new Timestamp({ t: 1, i: 1 });
  return {
    id: new ObjectId(),
    min,
    max,
    shard,
    version: { major: version[0], minor: version[1] },
    history: [{ validAfter: since, shard }],
    onCurrentShardSince: since,
    jumbo: false,
  };
}

function collection(...chunks: ChunkEntry[]): ShardedCollection {
  const entry = {
    ns: 'db.c',
    uuid: new UUID(),
    epoch: new ObjectId('6b0d8b65b3001fa7fc034fac'),
    timestamp: new Timestamp({ t: 1, i: 1 }),
    key: encode({ a: 1 }),
    unique: false,
    defaultCollation: undefined,
  };
  return shardedCollection(entry, chunks);
}

/** `max shard version` of every chunk, in key order. */
function after(before: ShardedCollection, replacement: ReturnType<typeof movedChunks>): string[] {
  const { chunks } = withChunks(before, replacement.removed, replacement.added);
  return chunks.map(({ max, shard, version: { major, minor } }) => {
    const [bound] = Object.values(decodePlain(max));
    return `..${typeof bound === 'number' ? bound : 'MaxKey'} ${shard} ${major}|${minor}`;
  });
}

test('a moved chunk begins a new major version and history, another of the donor gets the same major', () => {
  const [first, second] = [chunk(MIN, at(0), 'sh0', [1, 1]), chunk(at(0), MAX, 'sh0', [1, 2])];
  const before = collection(first, second);
  const replacement = movedChunks(before, second, { range: second, to: 'sh1', at: AT });
  expect(after(before, replacement)).toEqual(['..0 sh0 2|1', '..MaxKey sh1 2|0']);
  const [moved] = replacement.added;
  expect(moved).toMatchObject({ id: second.id, onCurrentShardSince: AT });
  expect(moved?.history.map(({ shard }) => shard)).toEqual(['sh1', 'sh0']);
});

test('the last chunk of a shard moves alone', () => {
  const [first, second] = [chunk(MIN, at(0), 'sh0', [2, 1]), chunk(at(0), MAX, 'sh1', [2, 0])];
  const before = collection(first, second);
  expect(after(before, movedChunks(before, first, { range: first, to: 'sh1', at: AT }))).toEqual([
    '..0 sh1 3|0',
    '..MaxKey sh1 2|0',
  ]);
});

test('a range inside a chunk leaves what is left and right of it on the donor', () => {
  const whole = chunk(MIN, MAX, 'sh0', [1, 0]);
  const before = collection(whole);
  const replacement = movedChunks(before, whole, { range: { min: at(10), max: at(20) }, to: 'sh1', at: AT });
  expect(after(before, replacement)).toEqual(['..10 sh0 2|1', '..20 sh1 2|0', '..MaxKey sh0 2|2']);
  const ids = replacement.added.map(({ id }) => String(id));
  expect(new Set(ids).size).toBe(3);
  expect(ids).toContain(String(whole.id));
});

test('a split keeps the left id and gives both halves new minors of the collection version', () => {
  const [first, second] = [chunk(MIN, at(0), 'sh0', [1, 1]), chunk(at(0), MAX, 'sh1', [3, 4])];
  const before = collection(first, second);
  const replacement = splitAt(before, first, at(-5));
  expect(after(before, replacement)).toEqual(['..-5 sh0 3|5', '..0 sh0 3|6', '..MaxKey sh1 3|4']);
  expect(replacement.added[0]?.id).toBe(first.id);
});

test('a version prints as the server prints it', () => {
  const { entry, chunks } = collection(chunk(MIN, at(0), 'sh0', [3, 1]), chunk(at(0), MAX, 'sh1', [2, 7]));
  expect(versionText(entry, chunks)).toBe('3|1||6b0d8b65b3001fa7fc034fac||Timestamp(1, 1)');
});
