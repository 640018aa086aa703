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
    jumbo: undefined,
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
    permitMigrations: true,
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

test('owners are remembered for five minutes, the last one for ever', () => {
  const history = [500, 400, 100].map((t) => ({ validAfter: new Timestamp({ t, i: 1 }), shard: 'sh0' }));
  const first = { ...chunk(MIN, MAX, 'sh0', [1, 0]), history };
  const moved = (t: number) => {
    const range = { range: first, to: 'sh1', at: new Timestamp({ t, i: 1 }) };
    return movedChunks(collection(first), first, range).added[0]?.history.map(({ validAfter }) => validAfter.t);
  };
  expect(moved(700)).toEqual([700, 500, 400]);
  expect(moved(9_000)).toEqual([9_000, 500]);
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
  expect(ids[0]).toBe(String(whole.id));
});

test('a range inside a chunk bumps another chunk of the donor too', () => {
  const chunks = [chunk(MIN, at(0), 'sh0', [1, 1]), chunk(at(0), MAX, 'sh0', [1, 2])] as const;
  const before = collection(...chunks);
  const replacement = movedChunks(before, chunks[1], { range: { min: at(10), max: MAX }, to: 'sh1', at: AT });
  expect(after(before, replacement)).toEqual(['..0 sh0 2|2', '..10 sh0 2|1', '..MaxKey sh1 2|0']);
});

test('a split keeps the left id and gives both halves new minors of the collection version', () => {
  const [first, second] = [chunk(MIN, at(0), 'sh0', [1, 1]), chunk(at(0), MAX, 'sh1', [3, 4])];
  const before = collection(first, second);
  const replacement = splitAt(before, first, at(-5));
  expect(after(before, replacement)).toEqual(['..-5 sh0 3|5', '..0 sh0 3|6', '..MaxKey sh1 3|4']);
  expect(replacement.added[0]?.id).toBe(first.id);
});

test('halves of a jumbo chunk are not jumbo', () => {
  const whole = { ...chunk(MIN, MAX, 'sh0', [1, 0]), jumbo: true };
  expect(splitAt(collection(whole), whole, at(0)).added.map(({ jumbo }) => jumbo)).toEqual([false, false]);
});

test('a version prints as the server prints it', () => {
  const { entry, chunks } = collection(chunk(MIN, at(0), 'sh0', [3, 1]), chunk(at(0), MAX, 'sh1', [2, 7]));
  expect(versionText(entry, chunks)).toBe('3|1||6b0d8b65b3001fa7fc034fac||Timestamp(1, 1)');
});
