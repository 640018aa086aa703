/** `refineCollectionShardKey`, which 4.2 does not have. */
import { type Exception, refuses, replies } from './entry.ts';

const SHARD_KEY_UTIL = 'src/mongo/db/global_catalog/ddl/shard_key_util.cpp (9.0)';
const IS_NEW = {
  versions: ['4.2'],
  because: 'the command is new in 4.4, whose recording shows the same outcome',
} as const;

export const refining: readonly Exception[] = [
  {
    steps: ['refine-shard-key#4'],
    answer: refuses(
      72,
      "Please create an index that starts with the proposed shard key before refining the collection's shard key. ",
    ),
    evidence: [SHARD_KEY_UTIL],
    ...IS_NEW,
  },
  {
    steps: ['refine-shard-key#6'],
    answer: refuses(
      72,
      'refineCollectionShardKey shard key { email: 1 } does not extend the current shard key { uid: 1 }',
    ),
    evidence: ['src/mongo/db/global_catalog/ddl/refine_collection_shard_key_coordinator.cpp (9.0)'],
    ...IS_NEW,
  },
  {
    steps: ['refine-shard-key#7'],
    answer: replies({ ok: 1 }),
    evidence: ['jstests/sharding/refine_collection_shard_key_basic.js (4.4 and later)'],
    ...IS_NEW,
  },
  {
    steps: ['refine-shard-key#8'],
    versions: ['4.2'],
    answer: refuses(
      67,
      "cannot create index with 'unique' or 'prepareUnique' option over { uid: 1, x: 1 } with shard key pattern { uid: 1, email: 1 } and collation {}",
    ),
    because: 'the key is the longer one since step 7',
    evidence: ['the recording of MongoDB 4.4', 'src/mongo/db/global_catalog/shard_key_pattern.cpp (9.0)'],
  },
  {
    steps: ['refine-with-unique-index#5'],
    answer: refuses(
      72,
      "can't shard collection 'conf.f' with unique index on { uid: 1, other: 1 }, proposed shard key { uid: 1, email: 1 } and collation {}. " +
        "Uniqueness can't be maintained unless shard key is a prefix and has simple collation",
    ),
    evidence: [SHARD_KEY_UTIL],
    ...IS_NEW,
  },
];
