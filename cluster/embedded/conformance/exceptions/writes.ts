/** Documents without the whole shard key, and writes that do not name it. */
import { EVERY_VERSION, type Exception, replies } from './entry.ts';

const MISSING_IS_NULL = {
  versions: ['4.2'],
  evidence: ['the recording of MongoDB 4.4', 'SERVER-42390'],
} as const;
const STORED = {
  ...MISSING_IS_NULL,
  because: 'a document may lack fields of the shard key since 4.4 and is placed as if they were null',
};
const FOUND = { ...MISSING_IS_NULL, because: 'the documents of steps 4, 6 and 7 were stored' };

const TWO_PHASES = {
  versions: EVERY_VERSION,
  evidence: [
    'src/mongo/s/commands/cluster_query_without_shard_key_cmd.cpp (9.0)',
    'jstests/sharding/updateOne_without_shard_key/cluster_query_without_shard_key_produces_upsert_document.js (7.1 and later)',
  ],
};
const NOTHING_UPSERTED = { acknowledged: true, modifiedCount: 1, upsertedId: null, upsertedCount: 0, matchedCount: 1 };
const UPSERTED = { acknowledged: true, modifiedCount: 0, upsertedCount: 1, matchedCount: 0 };
const NEEDS_NO_KEY =
  'an upsert of one document need not name the shard key since 7.1: the router looks on every shard, has one make the document, and inserts it where it belongs';

export const missingKeys: readonly Exception[] = [
  {
    steps: ['missing-and-null-shard-key#4', 'missing-and-null-shard-key#6', 'missing-and-null-shard-key#7'],
    answer: replies({ n: 1, ok: 1 }),
    ...STORED,
  },
  { steps: ['missing-and-null-shard-key#9'], answer: replies([3, 3]), ...FOUND },
  {
    steps: ['missing-and-null-shard-key#10'],
    answer: replies([{ _id: 'none' }, { _id: 'x-only', x: 1 }, { _id: 'y-only', y: 1 }]),
    ...FOUND,
  },
  {
    steps: ['missing-and-null-shard-key#11'],
    answer: replies([{ _id: 'none' }, { _id: 'nulls', x: null, y: null }, { _id: 'y-only', y: 1 }]),
    ...FOUND,
  },
  { steps: ['missing-and-null-shard-key#12'], answer: replies(NOTHING_UPSERTED), ...FOUND },
  {
    steps: ['missing-and-null-shard-key#13'],
    versions: ['4.2'],
    answer: replies({
      n: 0,
      writeErrors: [{ index: 0, code: 61, errmsg: 'Shard key cannot contain array values or array descendants.' }],
      ok: 1,
    }),
    because: 'an array in the shard key has got a refusal of its own (SERVER-44175, 4.4), and the entry no `codeName`',
    evidence: [
      'src/mongo/db/global_catalog/shard_key_pattern.cpp (9.0), extractShardKeyFromDocThrows',
      'src/mongo/db/query/write_ops/write_ops.cpp (9.0), WriteError::serialize',
    ],
  },
];

export const upserts: readonly Exception[] = [
  {
    steps: ['upsert-without-shard-key#3'],
    answer: replies({ ...UPSERTED, upsertedId: 'x' }),
    because: NEEDS_NO_KEY,
    ...TWO_PHASES,
  },
  {
    steps: ['upsert-without-shard-key#4'],
    answer: replies(NOTHING_UPSERTED),
    because: 'step 3 has made the document, and a field that it lacks matches null',
    ...TWO_PHASES,
  },
  {
    steps: ['upsert-without-shard-key#5'],
    answer: replies({ ...UPSERTED, upsertedId: { $oid: '<oid>' } }),
    because: NEEDS_NO_KEY,
    ...TWO_PHASES,
  },
  {
    steps: ['upsert-without-shard-key#6'],
    answer: replies([
      { _id: 'x', n: 2 },
      { _id: { $oid: '<oid>' }, email: 'a', n: 3 },
    ]),
    because: 'steps 3 and 5 have made one document each, as their updates say, without a shard key',
    ...TWO_PHASES,
  },
  {
    steps: ['upsert-without-shard-key#7'],
    answer: replies([2, 0]),
    because: 'both documents of steps 3 and 5 belong where null does',
    ...TWO_PHASES,
  },
];
