/** A hand-written record with states of the cluster: what each step changes, {@link stepStates} finds. */
import type {
  Chunk,
  CollectionState,
  DocumentState,
  Exchange,
  JsonObject,
  ResultRecord,
  ShardState,
  StepRecord,
} from '../experiments/harness/record.ts';
import { modelledRecord } from './record.fixture.ts';

const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };
const keyIndex = { v: 2, key: { uid: 1 }, name: 'uid_1' };
const emailIndex = { v: 2, key: { email: 1 }, name: 'email_1', unique: true };

const belowThousand = (shard: string): Chunk => ({ min: { uid: { $minKey: 1 } }, max: { uid: 1000 }, shard });
const fromThousand: Chunk = { min: { uid: 1000 }, max: { uid: { $maxKey: 1 } }, shard: 'sh1' };

const ann = { _id: '<ObjectId 1>', uid: 1, email: 'ann@example.com' };
const bob = { _id: '<ObjectId 2>', uid: 2, email: 'bob@example.com' };
const cleo = { _id: '<ObjectId 3>', uid: 2000, email: 'cleo@example.com' };
const second = { _id: '<ObjectId 4>', uid: 3, email: 'ann@example.com' };

const inChunk = (chunk: number, ...documents: JsonObject[]): DocumentState[] =>
  documents.map((document) => ({ document, chunk }));

function shard(name: string, indexes: readonly JsonObject[], documents: readonly DocumentState[]): ShardState {
  return { shard: name, count: documents.length, indexes, documents };
}

function users(chunks: readonly Chunk[], shards: readonly ShardState[]): CollectionState {
  return { collection: 'users', sharded: { key: { uid: 1 }, unique: false }, chunks, shards };
}

const twoChunks = [belowThousand('sh0'), fromThousand];
const movedChunks = [belowThousand('sh1'), fromThousand];
const plain = [idIndex, keyIndex];
const unique = [idIndex, emailIndex, keyIndex];

/** Not sharded: only its primary shard has it. */
const log = (...documents: JsonObject[]): CollectionState => ({
  collection: 'log',
  chunks: [],
  shards: [
    shard(
      'sh0',
      [idIndex],
      documents.map((document) => ({ document })),
    ),
    shard('sh1', [], []),
  ],
});

/** Too many documents to show on one shard. */
const many = (onSecond: number): CollectionState => ({
  collection: 'visits',
  sharded: { key: { uid: 'hashed' }, unique: false },
  chunks: [
    { min: { uid: { $minKey: 1 } }, max: { uid: { $numberLong: '0' } }, shard: 'sh0' },
    { min: { uid: { $numberLong: '0' } }, max: { uid: { $maxKey: 1 } }, shard: 'sh1' },
  ],
  shards: [
    shard('sh0', [idIndex], inChunk(0, { _id: 7, uid: 7 })),
    { shard: 'sh1', count: onSecond, indexes: [idIndex] },
  ],
});

const inserted = (document: JsonObject, reply: JsonObject = { n: 1, ok: 1 }): Exchange => ({
  to: 'router',
  database: '<database>',
  command: { insert: 'users', documents: [document], ordered: true },
  reply,
  answeredBy: 'engine',
});
const duplicateKey = {
  index: 0,
  code: 11000,
  errmsg:
    'E11000 duplicate key error collection: <database>.users index: email_1 dup key: { email: "ann@example.com" }',
  keyPattern: { email: 1 },
  keyValue: { email: 'ann@example.com' },
};
const moved: Exchange = {
  to: 'router',
  database: 'admin',
  command: { moveRange: '<database>.users', min: { uid: { $minKey: 1 } }, max: { uid: 1000 }, toShard: 'sh1' },
  reply: { ok: 1 },
  answeredBy: 'model',
};

function step(number: number, caption: string, more: Partial<StepRecord>): StepRecord {
  return { number, section: 'story', caption, exchanges: [], observed: { ok: true }, ...more };
}

/** See the file's comment. */
export const stateRecord: ResultRecord = {
  ...modelledRecord,
  steps: [
    step(1, '`users` is sharded by uid: below 1000 on sh0, from 1000 upward on sh1.', {
      state: [users(twoChunks, [shard('sh0', plain, []), shard('sh1', plain, [])])],
    }),
    step(2, 'Three users sign up.', {
      exchanges: [inserted(ann), inserted(bob), inserted(cleo)],
      state: [users(twoChunks, [shard('sh0', plain, inChunk(0, ann, bob)), shard('sh1', plain, inChunk(1, cleo))])],
    }),
    step(3, 'Every email has to be unique.', {
      state: [users(twoChunks, [shard('sh0', unique, inChunk(0, ann, bob)), shard('sh1', unique, inChunk(1, cleo))])],
    }),
    step(4, 'An email of the same shard again is refused.', {
      exchanges: [inserted(second, { n: 0, writeErrors: [duplicateKey], ok: 1 })],
      observed: { ok: false, code: 11000 },
    }),
    step(5, 'A chunk moves with its documents.', {
      exchanges: [moved],
      state: [
        users(movedChunks, [
          shard('sh0', unique, []),
          shard('sh1', unique, inChunk(0, ann, bob).concat(inChunk(1, cleo))),
        ]),
      ],
    }),
    step(6, 'A collection that is not sharded gets a document.', {
      state: [
        log({ _id: 1, text: 'moved' }),
        users(movedChunks, [
          shard('sh0', unique, []),
          shard('sh1', unique, inChunk(0, ann, bob).concat(inChunk(1, cleo))),
        ]),
      ],
    }),
    step(7, 'Past the router, the first shard gets a document of a chunk that is not its own: an orphan.', {
      state: [
        log({ _id: 1, text: 'moved' }),
        users(movedChunks, [
          shard('sh0', unique, inChunk(0, second)),
          shard('sh1', unique, inChunk(0, ann, bob).concat(inChunk(1, cleo))),
        ]),
      ],
    }),
    step(8, 'More documents than can be shown.', {
      state: [
        log({ _id: 1, text: 'moved' }),
        users(movedChunks, [
          shard('sh0', unique, inChunk(0, second)),
          shard('sh1', unique, inChunk(0, ann, bob).concat(inChunk(1, cleo))),
        ]),
        many(500),
      ],
    }),
    step(9, 'Still more, a change, and the log goes.', {
      state: [
        users(movedChunks, [
          shard('sh0', unique, inChunk(0, second)),
          shard('sh1', unique, inChunk(0, { ...ann, deleted: true }, bob).concat(inChunk(1, cleo))),
        ]),
        many(750),
      ],
    }),
  ],
};
