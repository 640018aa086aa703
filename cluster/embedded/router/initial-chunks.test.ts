import { type Document, Long, MaxKey, MinKey } from 'bson';
import { describe, expect, test } from 'vitest';
import { encode } from '../wire/bson.ts';
import { rangeText } from './bson-text.ts';
import { checkZones, type InitialZone, initialChunks } from './initial-chunks.ts';

const MIN = new MinKey();
const MAX = new MaxKey();

interface Options {
  shards?: string[];
  empty?: boolean;
  zones?: InitialZone[];
}

/** The chunks as `<range> <shard>`; the primary shard is `p`. */
function chunksOf(keyPattern: Document, { shards = ['p', 'q'], empty = true, zones = [] }: Options = {}): string[] {
  const chunks = initialChunks({ keyPattern: encode(keyPattern), shards, primary: 'p', empty, zones });
  return chunks.map(({ min, max, shard }) => `${rangeText(min, max)} ${shard}`);
}

function zone(name: string, min: Document, max: Document, shards: string[] = []): InitialZone {
  return { zone: name, min: encode(min), max: encode(max), shards };
}

describe('without zones', () => {
  test.each<[string, Document, Options]>([
    ['a ranged key', { a: 1 }, {}],
    ['a hashed field that is not the first', { a: 1, b: 'hashed' }, {}],
    ['a hashed key over documents (hash_shard_non_empty.js)', { a: 'hashed' }, { empty: false }],
  ])('%s: one chunk on the primary shard', (_, pattern, options) => {
    const fields = Object.keys(pattern);
    const bound = (value: string) => `{ ${fields.map((name) => `${name}: ${value}`).join(', ')} }`;
    expect(chunksOf(pattern, options)).toEqual([`[${bound('MinKey')}, ${bound('MaxKey')}) p`]);
  });

  test('a hashed key: one chunk for each shard, so one on a single shard (hash_single_shard.js)', () => {
    expect(chunksOf({ a: 'hashed' })).toEqual(['[{ a: MinKey }, { a: 0 }) p', '[{ a: 0 }, { a: MaxKey }) q']);
    expect(chunksOf({ a: 'hashed' }, { shards: ['p'] })).toEqual(['[{ a: MinKey }, { a: MaxKey }) p']);
    expect(chunksOf({ a: 'hashed', b: 1 })).toEqual([
      '[{ a: MinKey, b: MinKey }, { a: 0, b: MinKey }) p',
      '[{ a: 0, b: MinKey }, { a: MaxKey, b: MaxKey }) q',
    ]);
  });

  test.each<[number, string[]]>([
    [3, ['-3074457345618258602', '3074457345618258602']],
    [4, ['-4611686018427387902', '0', '4611686018427387902']],
    [5, ['-5534023222112865483', '-1844674407370955161', '1844674407370955161', '5534023222112865483']],
  ])('%i shards are parted symmetrically around 0', (count, points) => {
    const shards = Array.from({ length: count }, (_, i) => `s${i}`);
    const bounds = ['MinKey', ...points, 'MaxKey'];
    expect(chunksOf({ a: 'hashed' }, { shards })).toEqual(
      shards.map((shard, i) => `[{ a: ${bounds[i]} }, { a: ${bounds[i + 1]} }) ${shard}`),
    );
  });
});

describe('with zones', () => {
  test('shard_collection_existing_zones.js: a chunk for each range and each hole', () => {
    const zones = [
      zone('zoneName0', { x: 0 }, { x: 10 }, ['p']),
      zone('zoneName1', { x: 10 }, { x: 20 }, ['q']),
      zone('zoneName2', { x: 30 }, { x: 40 }, ['r']),
    ];
    expect(chunksOf({ x: 1 }, { shards: ['p', 'q', 'r'], zones })).toEqual([
      '[{ x: MinKey }, { x: 0 }) p',
      '[{ x: 0 }, { x: 10 }) p',
      '[{ x: 10 }, { x: 20 }) q',
      '[{ x: 20 }, { x: 30 }) q',
      '[{ x: 30 }, { x: 40 }) r',
      '[{ x: 40 }, { x: MaxKey }) r',
    ]);
    expect(chunksOf({ x: 1 }, { shards: ['p', 'q', 'r'], zones, empty: false })).toEqual([
      '[{ x: MinKey }, { x: MaxKey }) p',
    ]);
  });

  test('ranges of one zone go to its shards in turn', () => {
    const zones = [
      zone('x', { a: MIN }, { a: Long.ZERO }, ['p', 'q']),
      zone('x', { a: Long.ZERO }, { a: MAX }, ['p', 'q']),
    ];
    expect(chunksOf({ a: 'hashed' }, { zones })).toEqual([
      '[{ a: MinKey }, { a: 0 }) p',
      '[{ a: 0 }, { a: MaxKey }) q',
    ]);
  });

  test('a zone without a shard is refused', () => {
    const zones = [zone('x', { a: 0 }, { a: 10 })];
    const message =
      'The initial split policy is not able to find a chunk distribution that satisfies the given set of zones with the current shards';
    expect(() => chunksOf({ a: 1 }, { zones })).toThrow(expect.objectContaining({ code: 405, message }));
  });
});

describe('zones made before sharding fit the key, or not (cases of shard_collection_existing_zones.js among them)', () => {
  test.each<[Document, InitialZone]>([
    [{ a: 1 }, zone('x', { a: 0 }, { a: 10 })],
    [{ a: 1, b: 1 }, zone('x', { a: 0, b: MIN }, { a: 0, b: MAX })],
    [{ a: 'hashed' }, zone('x', { a: Long.ZERO }, { a: Long.fromNumber(10) })],
    [{ a: 'hashed' }, zone('x', { a: MIN }, { a: MAX })],
    [{ a: 1, b: 'hashed' }, zone('x', { a: 'u', b: MIN }, { a: 'v', b: MAX })],
  ])('%o fits', (pattern, range) => {
    expect(() => checkZones(encode(pattern), [range])).not.toThrow();
  });

  const other = 'does not match with the shard key of the existing zone';
  test.each<[Document, InitialZone, string]>([
    [{ a: 1 }, zone('x', { b: 0 }, { b: 10 }), `the proposed shard key { a: 1 } ${other} { b: 0 } -->> { b: 10 }`],
    [
      { a: 1, b: 1 },
      zone('x', { a: 0 }, { a: 10 }),
      `the proposed shard key { a: 1, b: 1 } ${other} { a: 0 } -->> { a: 10 }`,
    ],
    [
      { a: 'hashed', b: 1 },
      zone('x', { a: 0 }, { a: 10 }),
      `the proposed shard key { a: "hashed", b: 1 } ${other} { a: 0 } -->> { a: 10 }`,
    ],
    [
      { a: 1 },
      zone('x', { a: 0, b: 0 }, { a: 10, b: 0 }),
      `the proposed shard key { a: 1 } ${other} { a: 0, b: 0 } -->> { a: 10, b: 0 }`,
    ],
    [
      { a: 1 },
      zone('x', { a: 0 }, { b: 10 }),
      'the min and max of the existing zone { a: 0 } -->> { b: 10 } have non-matching keys',
    ],
    [
      { a: 'hashed' },
      zone('x', { a: 0 }, { a: 10 }),
      'cannot do hash sharding with the proposed key { a: "hashed" } because there exists a zone { a: 0 } -->> { a: 10 } whose boundaries are not of type NumberLong, MinKey or MaxKey',
    ],
  ])('%o is refused', (pattern, range, message) => {
    expect(() => checkZones(encode(pattern), [range])).toThrow(expect.objectContaining({ code: 72, message }));
  });
});
