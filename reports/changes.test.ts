import { describe, expect, test } from 'vitest';
import type { CollectionState, Exchange, JsonObject, ResultRecord } from '../experiments/harness/record.ts';
import { type Change, stepStates } from './changes.ts';
import { modelledRecord } from './record.fixture.ts';
import { stateRecord } from './state.fixture.ts';

test('a record in which states were not looked at has none', () => {
  expect(stepStates(modelledRecord)).toBeUndefined();
});

test('a step without a state leaves the one before it', () => {
  const states = stepStates(stateRecord) ?? [];
  expect(states).toHaveLength(stateRecord.steps.length);
  expect(states[0]?.before).toEqual([]);
  expect(states[3]?.after).toBe(states[2]?.after);
  expect(states[4]?.before).toBe(states[2]?.after);
});

describe('what is marked', () => {
  const shown = (number: number) => (stepStates(stateRecord) ?? [])[number - 1]?.changes.map(inWords);

  test.each([
    [
      1,
      [
        'users appeared',
        'users chunk {"uid":{"$minKey":1}} appeared',
        'users chunk {"uid":1000} appeared',
        ...['sh0', 'sh1'].flatMap((one) => [`users _id_ appeared on ${one}`, `users uid_1 appeared on ${one}`]),
      ],
    ],
    [2, ['users 1 arrived: sh0/0', 'users 2 arrived: sh0/1', 'users 2000 arrived: sh1/0']],
    [3, ['users email_1 appeared on sh0', 'users email_1 appeared on sh1']],
    [4, ['users insert 3 refused with 11000 by exchange 0']],
    [
      5,
      [
        'users chunk {"uid":{"$minKey":1}} moved from sh0 to sh1',
        'users 1 moved: sh0/0 sh1/0',
        'users 2 moved: sh0/1 sh1/1',
      ],
    ],
    [6, ['log appeared', 'log _id_ appeared on sh0', 'log undefined arrived: sh0/0']],
    [7, ['users 3 arrived: sh0/0']],
    [
      9,
      [
        'log vanished',
        'log _id_ vanished on sh0',
        'log undefined left: sh0/0',
        'users 1 changed: sh1/0 sh1/0',
        'visits on sh1 500 -> 750',
      ],
    ],
  ])('in step %i', (number, words) => expect(shown(number)).toEqual(words));
});

test('an update of the shard key moves a document to another shard', () => {
  const changes = changesBetween(on({ sh0: [{ _id: 1, k: 1 }], sh1: [] }), on({ sh0: [], sh1: [{ _id: 1, k: 9 }] }));
  expect(changes.map(inWords)).toEqual(['u undefined moved: sh0/0 sh1/0']);
});

test('of documents with one _id the one of the same content is the one that moved', () => {
  const changes = changesBetween(
    on({ sh0: [{ _id: 1, a: 1 }], sh1: [{ _id: 1, a: 2 }], sh2: [] }),
    on({ sh0: [], sh1: [], sh2: [{ _id: 1, a: 2 }] }),
  );
  expect(changes.map(inWords)).toEqual(['u undefined moved: sh1/0 sh2/0', 'u undefined left: sh0/0']);
});

test('a copy on another shard arrived, and moved from nowhere', () => {
  const changes = changesBetween(on({ sh0: [{ _id: 1 }], sh1: [] }), on({ sh0: [{ _id: 1 }], sh1: [{ _id: 1 }] }));
  expect(changes.map(inWords)).toEqual(['u undefined arrived: sh1/0']);
});

test('of documents that chance decides nothing is said', () => {
  const unknown = { shard: 'sh0', indexes: [] };
  const [known] = on({ sh0: [{ _id: 1 }] });
  expect(changesBetween([known as CollectionState], [{ collection: 'u', chunks: [], shards: [unknown] }])).toEqual([]);
});

test('where documents became too many to show, their number changed', () => {
  const [known] = on({ sh0: [{ _id: 1 }] });
  const now = { collection: 'u', chunks: [], shards: [{ shard: 'sh0', count: 60, indexes: [] }] };
  expect(changesBetween([known as CollectionState], [now])).toEqual([
    { what: 'count', collection: 'u', shard: 'sh0', before: 1, after: 60 },
  ]);
});

test('a collection may become sharded, by another key, and no longer', () => {
  const by = (key: JsonObject) => [{ collection: 'u', sharded: { key, unique: false }, chunks: [], shards: [] }];
  const plain = [{ collection: 'u', chunks: [], shards: [] }];
  expect(changesBetween(plain, by({ a: 1 }))).toMatchObject([{ how: 'sharded' }]);
  expect(changesBetween(by({ a: 1 }), by({ a: 1, b: 1 }))).toMatchObject([{ how: 'sharded' }]);
  expect(changesBetween(by({ a: 1 }), plain)).toMatchObject([{ how: 'unsharded' }]);
});

test('an index that was hidden changed, on each shard for itself', () => {
  const index = { key: { a: 1 }, name: 'a_1' };
  const on = (one: JsonObject, other: JsonObject) => [
    {
      collection: 'u',
      chunks: [],
      shards: [
        { shard: 'sh0', indexes: [one] },
        { shard: 'sh1', indexes: [other] },
      ],
    },
  ];
  expect(changesBetween(on(index, index), on(index, { ...index, hidden: true }))).toEqual([
    { what: 'index', how: 'changed', collection: 'u', shard: 'sh1', index: 'a_1' },
  ]);
});

test('a chunk that is split vanishes, and two appear', () => {
  const chunk = (min: number, max: number) => ({ min: { k: min }, max: { k: max }, shard: 'sh0' });
  const split = (...chunks: ReturnType<typeof chunk>[]) => [{ collection: 'u', chunks, shards: [] }];
  expect(changesBetween(split(chunk(0, 9)), split(chunk(0, 5), chunk(5, 9)))).toMatchObject([
    { how: 'vanished', chunk: chunk(0, 9) },
    { how: 'appeared', chunk: chunk(0, 5) },
    { how: 'appeared', chunk: chunk(5, 9) },
  ]);
});

describe('a refusal', () => {
  const refused = (command: JsonObject, reply: JsonObject | null, database = '<database>') => {
    const exchange: Exchange = { to: 'router', database, command, reply, answeredBy: 'engine' };
    return changesBetween([], [], [exchange]);
  };
  const duplicate = (index: number) => ({ index, code: 11000, errmsg: 'E11000' });

  test('of one insert among several names its document', () => {
    const documents = [{ _id: 1 }, { _id: 2 }];
    expect(refused({ insert: 'u', documents }, { ok: 1, writeErrors: [duplicate(1)] })).toEqual([
      { what: 'refused', collection: 'u', exchange: 0, command: 'insert', code: 11000, document: { _id: 2 } },
    ]);
  });

  test.each(['update', 'delete', 'findAndModify'])('of a whole %s', (command) => {
    expect(refused({ [command]: 'u' }, { ok: 0, code: 61 })).toEqual([
      { what: 'refused', collection: 'u', exchange: 0, command, code: 61 },
    ]);
    expect(refused({ [command]: 'u' }, { ok: 0 })).toEqual([
      { what: 'refused', collection: 'u', exchange: 0, command },
    ]);
  });

  test('in a bulk write names the collection of its operation', () => {
    const ops = [
      { insert: 0, document: { _id: 1 } },
      { update: 1, filter: {} },
      { insert: 1, document: { _id: 2 } },
    ];
    const nsInfo = [{ ns: '<database>.u' }, { ns: '<database>.v' }];
    const firstBatch = [
      { ok: 1, idx: 0, n: 1 },
      { ok: 0, idx: 1, code: 61 },
      { ok: 0, idx: 2, code: 11000 },
    ];
    expect(refused({ bulkWrite: 1, ops, nsInfo }, { ok: 1, cursor: { firstBatch } }, 'admin')).toEqual([
      { what: 'refused', collection: 'v', exchange: 0, command: 'update', code: 61 },
      { what: 'refused', collection: 'v', exchange: 0, command: 'insert', code: 11000, document: { _id: 2 } },
    ]);
  });

  test('is none where nothing came back, in another database, of a read', () => {
    expect(refused({ insert: 'u', documents: [] }, null)).toEqual([]);
    expect(refused({ insert: 'u', documents: [] }, { ok: 0, code: 13 }, 'config')).toEqual([]);
    expect(refused({ find: 'u' }, { ok: 0, code: 2 })).toEqual([]);
  });
});

function on(shards: Record<string, JsonObject[]>): CollectionState[] {
  const of = (documents: JsonObject[]) => documents.map((document) => ({ document }));
  const states = Object.entries(shards).map(([shard, documents]) => ({
    shard,
    count: documents.length,
    indexes: [],
    documents: of(documents),
  }));
  return [{ collection: 'u', chunks: [], shards: states }];
}

function changesBetween(
  before: CollectionState[],
  after: CollectionState[],
  exchanges: readonly Exchange[] = [],
): readonly Change[] {
  const step = { section: 'story', caption: '', observed: { ok: true } } as const;
  const steps = [
    { ...step, number: 1, exchanges: [], state: before },
    { ...step, number: 2, exchanges, state: after },
  ];
  const record: ResultRecord = { ...modelledRecord, steps };
  return stepStates(record)?.[1]?.changes ?? [];
}

/** A change in one line; documents by their uid, places as shard/number. */
function inWords(change: Change): string {
  const { collection } = change;
  switch (change.what) {
    case 'collection':
      return `${collection} ${change.how}`;
    case 'chunk': {
      const ways = change.how === 'moved' ? ` from ${change.from} to ${change.to}` : '';
      return `${collection} chunk ${JSON.stringify(change.chunk.min)} ${change.how}${ways}`;
    }
    case 'index':
      return `${collection} ${change.index} ${change.how} on ${change.shard}`;
    case 'count':
      return `${collection} on ${change.shard} ${change.before} -> ${change.after}`;
    case 'refused':
      return `${collection} ${change.command} ${change.document?.uid} refused with ${change.code} by exchange ${change.exchange}`;
    case 'document': {
      const places = ['before' in change && change.before, 'after' in change && change.after].filter((one) => !!one);
      const where = places.map(({ shard, at }) => `${shard}/${at}`).join(' ');
      return `${collection} ${places[0]?.document.uid} ${change.how}: ${where}`;
    }
  }
}
