import { BSONRegExp, type Document, Double, Long, MaxKey, MinKey } from 'bson';
import { describe, expect, test } from 'vitest';
import { encode, rawValue } from '../wire/bson.ts';
import { hashOf } from './hash.ts';
import { type Chunk, type RoutingTable, routingTable } from './routing.ts';

const MIN = new MinKey();
const MAX = new MaxKey();
const CASE_INSENSITIVE = { locale: 'en_US', strength: 2 };

/** A collection with a chunk between each two split points; the shards, in order, are `0`, `1` … or those given. */
function table(
  keyPattern: Document,
  splitPoints: Document[] = [],
  options: { shards?: string[]; defaultCollation?: Document } = {},
): RoutingTable {
  const at = (value: unknown) => Object.fromEntries(Object.keys(keyPattern).map((path) => [path, value]));
  const bounds = [at(MIN), ...splitPoints, at(MAX)].map(encode);
  const chunks: Chunk[] = bounds.slice(1).map((max, i) => ({
    min: bounds[i] as Buffer,
    max,
    shard: options.shards?.[i] ?? String(i),
  }));
  const { defaultCollation } = options;
  return routingTable({
    ns: 'd.c',
    uuid: Buffer.alloc(16),
    keyPattern: encode(keyPattern),
    unique: false,
    chunks,
    defaultCollation: defaultCollation && encode(defaultCollation),
  });
}

function shards(routing: RoutingTable, filter: Document, collation?: Document): readonly string[] {
  return routing.targets(encode(filter), collation && encode(collation)).shards;
}

describe('src/mongo/db/global_catalog/chunk_manager_query_test.cpp', () => {
  const xyz = table({ a: 1 }, [{ a: 'x' }, { a: 'y' }, { a: 'z' }]);
  const single = table({ a: 1 });
  const twoFields = table({ a: 1, b: 1 }, [
    { a: 'x', b: MIN },
    { a: 'y', b: MIN },
    { a: 'z', b: MIN },
  ]);
  const sameFirst = table({ a: 1, b: 1 }, [
    { a: 5, b: 10 },
    { a: 5, b: 20 },
  ]);

  test.each<[string, RoutingTable, Document, string[], boolean]>([
    ['EmptyQuerySingleShard', single, {}, ['0'], false],
    ['EmptyQueryMultiShard', xyz, {}, ['0', '1', '2', '3'], false],
    ['UniversalRangeMultiShard', xyz, { b: 1 }, ['0', '1', '2', '3'], false],
    ['EqualityRangeSingleShard', single, { a: 'x' }, ['0'], true],
    ['EqualityRangeMultiShard', xyz, { a: 'y' }, ['2'], true],
    ['SetRangeMultiShard', xyz, { a: { $in: ['u', 'y'] } }, ['0', '2'], false],
    ['GTRangeMultiShard', xyz, { a: { $gt: 'x' } }, ['1', '2', '3'], false],
    ['GTERangeMultiShard', xyz, { a: { $gte: 'x' } }, ['1', '2', '3'], false],
    ['LTRangeMultiShard', xyz, { a: { $lt: 'y' } }, ['0', '1', '2'], false],
    ['LTERangeMultiShard', xyz, { a: { $lte: 'y' } }, ['0', '1', '2'], false],
    ['OrEqualities', xyz, { $or: [{ a: 'u' }, { a: 'y' }] }, ['0', '2'], false],
    ['OrEqualityInequality', xyz, { $or: [{ a: 'u' }, { a: { $gte: 'y' } }] }, ['0', '2', '3'], false],
    [
      'OrEqualityInequalityUnhelpful',
      xyz,
      { $or: [{ a: 'u' }, { a: { $gte: 'zz' } }, {}] },
      ['0', '1', '2', '3'],
      false,
    ],
    ['UnsatisfiableRangeSingleShard', single, { a: { $gt: 'x', $lt: 'x' } }, ['0'], false],
    ['UnsatisfiableRangeMultiShard', xyz, { a: { $gt: 'x', $lt: 'x' } }, ['0'], false],
    ['EqualityThenUnsatisfiable', twoFields, { a: 1, b: { $gt: 4, $lt: 4 } }, ['0'], false],
    ['InequalityThenUnsatisfiable', twoFields, { a: { $gt: 1 }, b: { $gt: 4, $lt: 4 } }, ['0'], false],
    [
      'OrEqualityUnsatisfiableInequality',
      xyz,
      { $or: [{ a: 'x' }, { a: { $gt: 'u', $lt: 'u' } }, { a: { $gte: 'y' } }] },
      ['1', '2', '3'],
      false,
    ],
    ['InMultiShard', sameFirst, { a: { $in: [0, 5, 10] }, b: { $in: [0, 5, 25] } }, ['0', '1', '2'], false],
  ])('%s', (_, routing, filter, expected, exact) => {
    expect(routing.targets(encode(filter))).toEqual({ shards: expected, exact });
  });

  const defaultCollation = { locale: 'fr' };
  const french = table({ a: 1 }, [{ a: 'x' }, { a: 'y' }, { a: 'z' }], { defaultCollation });
  test.each<[string, RoutingTable, Document, Document | undefined, string[]]>([
    ['CollationStringsMultiShard', xyz, { a: 'y' }, { locale: 'fr' }, ['0', '1', '2', '3']],
    ['DefaultCollationStringsMultiShard', french, { a: 'y' }, undefined, ['0', '1', '2', '3']],
    ['SimpleCollationStringsMultiShard', french, { a: 'y' }, { locale: 'simple' }, ['2']],
    ['CollationNumbersMultiShard', french, { a: 5 }, { locale: 'fr' }, ['0']],
    ['DefaultCollationNumbersMultiShard', french, { a: 5 }, undefined, ['0']],
    ['SimpleCollationNumbersMultiShard', french, { a: 5 }, { locale: 'simple' }, ['0']],
  ])('%s', (_, routing, filter, collation, expected) => {
    expect(shards(routing, filter, collation)).toEqual(expected);
  });
});

describe('server jstests restated', () => {
  test('exact_shard_key_target.js: an object that holds a nested key fixes it', () => {
    const routing = table({ 'a.b': 1 }, [{ 'a.b': 0 }]);
    expect(routing.targets(encode({ a: { b: 1 } }))).toEqual({ shards: ['1'], exact: true });
    expect(routing.targets(encode({ a: { b: -1 } }))).toEqual({ shards: ['0'], exact: true });
    expect(routing.targets(encode({ 'a.b': 1 }))).toEqual({ shards: ['1'], exact: true });
  });

  test('extract_shard_key_values.js: missing fields are null in documents, anything in filters', () => {
    const routing = table({ a: 1, b: 1 }, [{ a: 5, b: MIN }]);
    const owner = (document: Document) => routing.chunkOf(routing.keyOf(encode(document))).shard;
    expect([{ a: 1 }, { b: 10 }, {}, { a: null, b: 1 }].map(owner)).toEqual(['0', '0', '0', '0']);
    expect([{ a: 10 }, { a: 5 }, { a: 10, b: 1 }].map(owner)).toEqual(['1', '1', '1']);
    expect(shards(routing, { b: 1 })).toEqual(['0', '1']);
    expect(shards(routing, { a: 10, b: { $exists: false } })).toEqual(['1']);
    expect(shards(routing, { a: { $exists: false } })).toEqual(['0']);
  });

  describe('compound_hashed_shard_key_targeting.js', () => {
    const ranged = table({ a: 1, b: 'hashed', c: 1 }, [{ a: 0, b: MIN, c: MIN }]);
    const hashed = table({ a: 'hashed', b: 1, c: 1 }, [{ a: Long.ZERO, b: MIN, c: MIN }]);
    const hashOwner = (value: unknown) => (hashOf(rawValue(value)).bytes.readBigInt64LE(0) < 0n ? '0' : '1');

    test('a ranged prefix narrows, with and without the hashed field', () => {
      const b = { $in: [{ subObj: 'str_12' }, { subObj: 'str_11' }] };
      expect(shards(ranged, { a: { $in: [-38, -37] }, b, c: { $in: [7, 8] } })).toEqual(['0']);
      expect(shards(ranged, { a: { $gt: 25, $lt: 29 }, b: { subObj: 'str_0' } })).toEqual(['1']);
      expect(shards(ranged, { a: { $lte: -1 } })).toEqual(['0']);
      expect(ranged.targets(encode({ a: 26, b: { subObj: 'str_0' }, c: 6 }))).toEqual({ shards: ['1'], exact: true });
    });

    test('a hashed prefix narrows by equality and $in, not by a range', () => {
      for (const value of [0, 1, 9, -10, 'x', null]) {
        expect(hashed.targets(encode({ a: value }))).toEqual({ shards: [hashOwner(value)], exact: false });
        expect(shards(hashed, { a: { $in: [value, value] } })).toEqual([hashOwner(value)]);
        expect(hashed.targets(encode({ a: value, b: 1, c: 1 })).exact).toBe(true);
      }
      expect(shards(hashed, { a: { $gt: 8 } })).toEqual(['0', '1']);
      expect(shards(hashed, { a: { $ne: 0 } })).toEqual(['0', '1']);
    });
  });

  describe('regex_targeting.js', () => {
    const regex = new BSONRegExp('abcde.*');
    const ranged = table({ a: 1 }, [{ a: 'abcde-1' }]);

    test('a regular expression reaches every string and itself', () => {
      expect(shards(ranged, { a: regex })).toEqual(['0', '1']);
      expect(shards(table({ a: 1, b: 1 }, [{ a: 'abcde-1', b: 0 }]), { a: regex })).toEqual(['0', '1']);
      expect(shards(table({ 'a.b': 1 }, [{ 'a.b': 'abcde-1' }]), { 'a.b': regex })).toEqual(['0', '1']);
      expect(shards(table({ a: 'hashed' }, [{ a: Long.ZERO }]), { a: regex })).toEqual(['0', '1']);
    });

    test('a prefix narrows', () => {
      const routing = table({ a: 1 }, [{ a: 'b' }, { a: 'c' }, { a: {} }]);
      // Chunk 3 holds the expressions themselves.
      expect(shards(routing, { a: new BSONRegExp('^bb') })).toEqual(['1', '3']);
      expect(shards(routing, { a: { $regex: '^bb', $options: 's' } })).toEqual(['1', '3']);
      expect(shards(routing, { a: new BSONRegExp('^bb', 'i') })).toEqual(['0', '1', '2', '3']);
    });
  });

  test('query/collation_targeting.js: strings reach every shard under a collation, numbers their own', () => {
    const routing = table({ a: 1 }, [{ a: 10 }, { a: 'a' }]);
    expect(shards(routing, { a: 'foo' }, CASE_INSENSITIVE)).toEqual(['0', '1', '2']);
    expect(shards(routing, { a: 'foo' })).toEqual(['2']);
    expect(shards(routing, { a: 100 }, CASE_INSENSITIVE)).toEqual(['1']);
    expect(routing.keyOfQuery(encode({ a: 'foo' }), encode(CASE_INSENSITIVE))).toBeUndefined();
    expect(routing.keyOfQuery(encode({ a: 100 }), encode(CASE_INSENSITIVE))).toEqual([rawValue(100)]);
  });

  test('query/collation_targeting_inherited.js: the collection has the collation', () => {
    const routing = table({ a: 1 }, [{ a: 10 }, { a: 'a' }], { defaultCollation: CASE_INSENSITIVE });
    expect(shards(routing, { a: 'foo' })).toEqual(['0', '1', '2']);
    expect(shards(routing, { a: 'foo' }, { locale: 'simple' })).toEqual(['2']);
    expect(shards(routing, { a: 100 })).toEqual(['1']);
  });
});

describe('a collation', () => {
  const routing = table({ a: 1 }, [{ a: 10 }, { a: 'a' }]);

  test.each<[Document, string[]]>([
    [{ a: { $in: [1, 'x'] } }, ['0', '1', '2']],
    [{ a: { $gt: 'x' } }, ['0', '1', '2']],
    [{ a: { x: 1 } }, ['0', '1', '2']],
    [{ a: { $in: [1, 2] } }, ['0']],
    [{ a: { $lt: 5 } }, ['0']],
    [{ a: { $gt: new Date(0) } }, ['2']],
  ])('%o', (filter, expected) => {
    expect(shards(routing, filter, CASE_INSENSITIVE)).toEqual(expected);
  });

  test('a hashed field under it is never fixed, though a number still has one place', () => {
    const hashed = table({ a: 'hashed' }, [{ a: Long.ZERO }]);
    expect(shards(hashed, { a: 'x' }, CASE_INSENSITIVE)).toEqual(['0', '1']);
    const { shards: ofNumber, exact } = hashed.targets(encode({ a: 1 }), encode(CASE_INSENSITIVE));
    expect({ ofNumber, exact }).toEqual({ ofNumber: ['1'], exact: false });
  });
});

describe('operators', () => {
  // Chunks: … null | null … 0 | 0 … 10 | 10 … strings | strings … dates | dates …
  const routing = table({ a: 1 }, [{ a: null }, { a: 0 }, { a: 10 }, { a: '' }, { a: new Date(0) }]);

  test.each<[Document, string[]]>([
    [{ a: { $gt: 10 } }, ['3']],
    [{ a: { $lt: 0 } }, ['1', '2']],
    [{ a: { $gte: 5, $lt: 7 } }, ['2']],
    [{ $and: [{ a: { $gte: 5 } }, { a: { $lt: 7 } }] }, ['2']],
    [{ a: { $gt: 'x' } }, ['4']],
    [{ a: { $lt: new Date(-1) } }, ['4']],
    [{ a: { $gte: null } }, ['1']],
    [{ a: { $gt: null } }, ['0']],
    [{ a: { $lte: Number.NaN } }, ['1']],
    [{ a: { $lt: Number.NaN } }, ['0']],
    [{ a: { $gt: MIN } }, ['0', '1', '2', '3', '4', '5']],
    [{ a: { $lte: MIN } }, ['0']],
    [{ a: { $gte: MAX } }, ['5']],
    [{ a: { $mod: [2, 0] } }, ['1', '2', '3']],
    [{ a: { $ne: 5 } }, ['0', '1', '2', '3', '4', '5']],
    [{ a: { $not: { $gt: 5 } }, $and: [{ a: { $gt: 3 } }] }, ['2']],
    [{ a: { $gt: 3, $lt: 6, $ne: null } }, ['2']],
    [{ a: { $nin: [5], $gt: 4, $lt: 6 } }, ['2']],
    [{ a: { $in: [] } }, ['0']],
    [{ a: { $in: [null, 10] } }, ['1', '3']],
    [{ a: { $in: ['x', new BSONRegExp('^y')] } }, ['4', '5']],
    [{ a: { $exists: true } }, ['0', '1', '2', '3', '4', '5']],
    [{ a: { $not: { $exists: true } } }, ['1']],
    [{ a: { $not: { $exists: false } } }, ['0', '1', '2', '3', '4', '5']],
    [{ $or: [{ a: 5 }, { $and: [{ a: { $gt: 10 } }, { b: 1 }] }] }, ['2', '3']],
    [{ b: 1, $or: [{ a: 5 }, { a: 6, b: 1 }] }, ['2']],
    [{ a: 5, $comment: 'x' }, ['2']],
    [{ a: { $gt: 5, $lt: 6 }, $text: { $search: 'x' } }, ['0', '1', '2', '3', '4', '5']],
  ])('%o', (filter, expected) => {
    expect(shards(routing, filter)).toEqual(expected);
  });

  test.each<Document>([
    { a: { $type: 'number' } },
    { a: { $size: 2 } },
    { a: { $elemMatch: { $gt: 5 } } },
    { a: { $not: { $gt: 5, $lt: 7 } } },
    { a: { $not: new BSONRegExp('^x') } },
    { a: { $nin: [new BSONRegExp('^x')] } },
    { a: { $not: { $mod: [2, 0] } } },
    { a: [5, 6] },
    { a: { $gt: [5] } },
    { a: { $in: [5, [6]] } },
    { a: { $ne: [5] } },
    { $nor: [{ a: 5 }] },
    { $expr: { $gt: ['$a', 5] } },
    { $where: 'this.a == 5' },
    { 'a.b': 5 },
    { $or: [{ a: 5 }, { b: 5 }] },
  ])('%o narrows nothing', (filter) => {
    expect(shards(routing, filter)).toEqual(['0', '1', '2', '3', '4', '5']);
  });
});

test('a hashed key finds a missing field where null is, and numbers by their whole part', () => {
  const routing = table({ x: 'hashed' }, [{ x: Long.ZERO }]);
  const owner = routing.chunkOf(routing.keyOf(encode({}))).shard;
  expect(shards(routing, { x: null })).toEqual([owner]);
  expect(shards(routing, { x: { $exists: false } })).toEqual([owner]);
  expect(shards(routing, { x: new Double(1.9) })).toEqual(shards(routing, { x: 1 }));
});

describe('a compound key', () => {
  const routing = table({ a: 1, b: 1 }, [
    { a: 1, b: 0 },
    { a: 1, b: 10 },
    { a: 2, b: 0 },
  ]);

  test.each<[Document, string[]]>([
    [{ a: 1 }, ['0', '1', '2']],
    [{ a: 1, b: { $gt: 3, $lt: 5 } }, ['1']],
    [{ a: 1, b: { $in: [-1, 11] } }, ['0', '2']],
    [{ a: { $gte: 1, $lt: 2 }, b: 5 }, ['1', '2', '3']],
    [{ a: { $in: [1, 2] }, b: 5 }, ['1', '3']],
    [{ a: 2, b: { $lt: 0 } }, ['2', '3']],
    [{ b: 5 }, ['0', '1', '2', '3']],
    [
      {
        $or: [
          { a: 1, b: 5 },
          { a: 2, b: 5 },
        ],
      },
      ['1', '3'],
    ],
  ])('%o', (filter, expected) => {
    expect(shards(routing, filter)).toEqual(expected);
  });
});

describe('the chunk map', () => {
  test('a chunk holds its minimum and not its maximum; MaxKey lies in the last', () => {
    const routing = table({ a: 1 }, [{ a: 0 }, { a: 10 }]);
    const owner = (a: unknown) => routing.chunkOf([rawValue(a)]).shard;
    expect([MIN, -1, 0, new Double(0), 9, 10, 'x', MAX].map(owner)).toEqual(['0', '0', '1', '1', '1', '2', '2', '2']);
  });

  test('owners are sorted and named once', () => {
    const routing = table({ a: 1 }, [{ a: 0 }, { a: 10 }, { a: 20 }], { shards: ['s2', 's1', 's2', 's1'] });
    expect(routing.owners).toEqual(['s1', 's2']);
    expect(shards(routing, { a: { $in: [-5, 5] } })).toEqual(['s1', 's2']);
    expect(shards(routing, { a: { $in: [-5, 15] } })).toEqual(['s2']);
  });

  const chunk = (min: unknown, max: unknown): Chunk => ({
    min: encode({ a: min }),
    max: encode({ a: max }),
    shard: 's',
  });
  test.each<[string, Chunk[], string]>([
    ['no chunk', [], 'the last chunk ends at { a: MinKey }'],
    ['a gap', [chunk(MIN, 0), chunk(1, MAX)], 'chunk [{ a: 1 }, { a: MaxKey }) does not begin at { a: 0 }'],
    ['an overlap', [chunk(MIN, 2), chunk(1, MAX)], 'chunk [{ a: 1 }, { a: MaxKey }) does not begin at { a: 2 }'],
    ['an end before MaxKey', [chunk(MIN, 2)], 'the last chunk ends at { a: 2 }'],
    ['an empty chunk', [chunk(MIN, 2), chunk(2, 2), chunk(2, MAX)], 'chunk [{ a: 2 }, { a: 2 }) is empty'],
  ])('%s is refused', (_, chunks, message) => {
    const spec = { ns: 'd.c', uuid: Buffer.alloc(16), keyPattern: encode({ a: 1 }), unique: false };
    expect(() => routingTable({ ...spec, chunks })).toThrow(message);
  });
});
