/** Which indexes may be made, may be dropped, and how they are shown. */
import type { Answer } from '../answer.ts';
import { EVERY_VERSION, type Exception, refuses, replies } from './entry.ts';

const SIGNATURE = 'jstests/core/index/index_signature.js (9.0)';
const SHARD_KEY_PATTERN =
  'src/mongo/db/global_catalog/shard_key_pattern.cpp (9.0), isIndexUniquenessAndCollationCompatible';
const KEY_INDEX = [
  'src/mongo/db/shard_role/shard_catalog/drop_indexes.cpp (9.0)',
  'jstests/sharding/shard_key_index_must_exist.js (6.0 and later)',
];
const ONLY_KEY_INDEX = refuses(370, "Cannot drop the only compatible index for this collection's shard key");

export const indexes: readonly Exception[] = [
  {
    steps: ['unique-on-non-shard-key#7'],
    versions: EVERY_VERSION,
    answer: replies({ ok: 1 }),
    because: '`unique` has become part of what tells indexes apart, so that one key may have an index of either kind',
    evidence: [SIGNATURE],
  },
  {
    steps: ['hashed-unique#2'],
    versions: EVERY_VERSION,
    answer: refuses(
      16764,
      'Index build failed: <uuid>: Collection conf.h ( <uuid> ) :: caused by :: index build on empty collection failed: <uuid> :: ' +
        'caused by :: Currently hashed indexes cannot guarantee uniqueness. Use a regular index.',
    ),
    because:
      'the unique hashed index no longer conflicts with the hashed one that is there, being another index, and fails for what it is when it is built',
    evidence: [SIGNATURE, 'the engine, which answers so itself'],
  },
  {
    steps: ['shard-key-index-protected#3'],
    versions: EVERY_VERSION,
    answer: ONLY_KEY_INDEX,
    because: 'the last index that the shard key can use may no longer be dropped (SERVER-6491, 6.0)',
    evidence: KEY_INDEX,
  },
  {
    steps: ['shard-key-index-protected#4'],
    versions: EVERY_VERSION,
    answer: ONLY_KEY_INDEX,
    because: 'the index is still there, because step 3 was refused, and is refused again',
    evidence: KEY_INDEX,
  },
  {
    steps: ['shard-key-index-protected#6'],
    versions: EVERY_VERSION,
    answer: replies({ ok: 1 }),
    because: 'the index is still there and may go, because step 5 has made another that begins with the shard key',
    evidence: KEY_INDEX,
  },
  {
    steps: ['collation-unique#3'],
    versions: EVERY_VERSION,
    answer: refuses(
      67,
      "cannot create index with 'unique' or 'prepareUnique' option over { uid: 1, email: 1 } with shard key pattern { uid: 1 } and " +
        'collation { locale: "en", caseLevel: false, caseFirst: "off", strength: 2, numericOrdering: false, alternate: "non-ignorable", ' +
        'maxVariable: "punct", normalization: false, backwards: false, version: "57.1" }',
    ),
    because:
      'a unique index of a sharded collection must now have the simple collation, because values that are equal under another one can be on different shards',
    evidence: [SHARD_KEY_PATTERN],
  },
  {
    steps: ['collation-unique#4'],
    versions: EVERY_VERSION,
    answer: replies({ ok: 1 }),
    because: 'the name is free, because step 3 was refused',
    evidence: [SHARD_KEY_PATTERN],
  },
  {
    steps: ['collation-unique#6'],
    versions: EVERY_VERSION,
    answer: replies({ n: 1, ok: 1 }),
    because: 'the unique index is the one of step 4, under whose simple collation the two addresses differ',
    evidence: [SHARD_KEY_PATTERN],
  },
  {
    steps: ['index-on-one-shard-only#6'],
    versions: ['4.4', '4.9'],
    answer: withSimpleCollation,
    because: '`listIndexes` always names the collation, the simple one too (SERVER-89953)',
    evidence: [
      'src/mongo/db/shard_role/shard_catalog/list_indexes.cpp (9.0), featureFlagListIndexesAlwaysIncludesSimpleCollation',
    ],
  },
  {
    steps: ['index-on-one-shard-only#6'],
    versions: ['4.2'],
    answer: withSimpleCollation,
    because:
      '`listIndexes` does not repeat the namespace for each index since 4.4, and always names the collation, the simple one too (SERVER-89953)',
    evidence: [
      'the recording of MongoDB 4.4',
      'src/mongo/db/shard_role/shard_catalog/list_indexes.cpp (9.0), featureFlagListIndexesAlwaysIncludesSimpleCollation',
    ],
  },
];

function withSimpleCollation(recorded: Answer): Answer {
  const { reply } = recorded as { reply: { ns?: string }[] };
  return replies(reply.map(({ ns: _ns, ...index }) => ({ ...index, collation: { locale: 'simple' } })));
}
