import type { Document } from 'bson';
import { describe, expect, test } from 'vitest';
import { encode } from '../../wire/bson.ts';
import { routingTable } from '../routing.ts';
import { globalMax, globalMin, parseShardKey } from '../shard-key.ts';
import type { WriteCommand, WriteKind } from './command.ts';
import { plan, type Step } from './plan.ts';

/** Below 100 on sh0, from there on sh1. */
function table(key: string) {
  const keyPattern = encode({ [key]: 1 });
  const fields = parseShardKey(keyPattern);
  const at = encode({ [key]: 100 });
  const chunks = [
    { min: globalMin(fields), max: at, shard: 'sh0' },
    { min: at, max: globalMax(fields), shard: 'sh1' },
  ];
  return routingTable({ ns: 'd.c', uuid: Buffer.alloc(16), keyPattern, unique: false, chunks });
}

function steps(kind: WriteKind, statements: Document[], { ordered = true, key = 'k' } = {}): object[] {
  const command: WriteCommand = {
    kind,
    db: 'd',
    collection: 'c',
    ns: 'd.c',
    ordered,
    shared: [],
    statements: statements.map((s) => encode(s)),
  };
  const indexes = statements.map((_, i) => i);
  return plan(command, indexes, table(key)).map(shortened);
}

function shortened(step: Step): object {
  if (step.way === 'shard') return { [step.shard]: step.indexes };
  if (step.way === 'refused') return { refused: step.index, code: step.error.code };
  if (step.way === 'alone') return { alone: step.index };
  return step.way === 'each' ? { each: step.index, byId: step.byId } : { any: step.index, shards: step.shards };
}

const insert = (...keys: unknown[]): Document[] => keys.map((k) => ({ _id: 1, k }));
const update = (q: object, u: object, more: object = {}): Document => ({ q, u, ...more });
const remove = (q: object, limit: number): Document => ({ q, limit });
const set = { $set: { x: 1 } };

describe('inserts', () => {
  test('in order go in runs for one shard', () => {
    expect(steps('insert', insert(1, 2, 200, 3, 4))).toEqual([{ sh0: [0, 1] }, { sh1: [2] }, { sh0: [3, 4] }]);
  });

  test('unordered go once to each shard', () => {
    expect(steps('insert', insert(1, 200, 3, 201), { ordered: false })).toEqual([{ sh0: [0, 2] }, { sh1: [1, 3] }]);
  });

  test('in order end with the first that is refused; unordered it is one among others', () => {
    expect(steps('insert', insert(1, [2], 3))).toEqual([{ sh0: [0] }, { refused: 1, code: 61 }]);
    expect(steps('insert', insert(1, [2], 3), { ordered: false })).toEqual([{ sh0: [0, 2] }, { refused: 1, code: 61 }]);
  });

  test('without the key go where null is; without an _id that is part of the key they are refused (8.0+)', () => {
    expect(steps('insert', [{ _id: 1 }])).toEqual([{ sh0: [0] }]);
    expect(steps('insert', [{ x: 1 }], { key: '_id' })).toEqual([{ refused: 0, code: 53 }]);
  });
});

describe('updates', () => {
  const cases: [name: string, statement: Document, step: object][] = [
    ['by the key', update({ k: 1 }, set), { sh0: [0] }],
    ['by a range on one shard', update({ k: { $gt: 150 } }, set), { sh1: [0] }],
    ['of many by the key', update({ k: 1 }, set, { multi: true }), { sh0: [0] }],
    ['of many without the key', update({ x: 1 }, set, { multi: true }), { each: 0, byId: false }],
    ['by _id', update({ _id: 1 }, set), { each: 0, byId: true }],
    [
      'by _id, a string under a collation',
      update({ _id: 'a' }, set, { collation: { locale: 'en' } }),
      { any: 0, shards: ['sh0', 'sh1'] },
    ],
    ['without the key', update({ x: 1 }, set), { any: 0, shards: ['sh0', 'sh1'] }],
    ['upserting by the key', update({ k: 1 }, set, { upsert: true }), { sh0: [0] }],
    ['upserting without the key', update({ _id: 1 }, set, { upsert: true }), { any: 0, shards: ['sh0', 'sh1'] }],
    [
      'upserting by a range on one shard',
      update({ k: { $gt: 150 } }, set, { upsert: true }),
      { any: 0, shards: ['sh1'] },
    ],
    [
      'upserting a key set on insert',
      update({ k: 1 }, { $setOnInsert: { k: 200 } }, { upsert: true }),
      { any: 0, shards: ['sh0'] },
    ],
    ['upserting many without the key', update({ x: 1 }, set, { upsert: true, multi: true }), { refused: 0, code: 61 }],
    ['of the key', update({ k: 1 }, { $set: { k: 2 } }), { alone: 0 }],
    ['replacing by the key', update({ k: 1 }, { k: 1, x: 2 }), { sh0: [0] }],
    ['replacing with another key', update({ k: 1 }, { k: 2 }), { alone: 0 }],
    ['mixing operators and fields', update({ k: 1 }, { $set: { x: 1 }, y: 1 }), { refused: 0, code: 12 }],
    ['replacing many', update({ k: 1 }, { k: 1 }, { multi: true }), { refused: 0, code: 72 }],
    ['malformed, for a shard to refuse', update({ k: 200 }, 'x' as unknown as object), { sh0: [0] }],
  ];
  test.each(cases)('%s', (_, statement, step) => {
    expect(steps('update', [statement])).toEqual([step]);
  });

  test('in order end with one that has to be alone, as what follows depends on it', () => {
    const statements = [update({ k: 1 }, set), update({ k: 1 }, { $set: { k: 2 } }), update({ k: 2 }, set)];
    expect(steps('update', statements)).toEqual([{ sh0: [0] }, { alone: 1 }]);
    expect(steps('update', statements, { ordered: false })).toEqual([{ sh0: [0, 2] }, { alone: 1 }]);
  });
});

test('deletes', () => {
  expect(steps('delete', [remove({ k: 1 }, 1)])).toEqual([{ sh0: [0] }]);
  expect(steps('delete', [remove({ x: 1 }, 0)])).toEqual([{ each: 0, byId: false }]);
  expect(steps('delete', [remove({ _id: 1 }, 1)])).toEqual([{ each: 0, byId: true }]);
  expect(steps('delete', [remove({ x: 1 }, 1)])).toEqual([{ any: 0, shards: ['sh0', 'sh1'] }]);
});
