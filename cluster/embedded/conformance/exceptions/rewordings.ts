/** Error texts of 9.0 that differ from the recorded ones, where nothing else does. */
import { EVERY_VERSION, type Rewording } from './entry.ts';

const SHARD_KEY_UTIL = ['src/mongo/db/global_catalog/ddl/shard_key_util.cpp (9.0)'];
const SHARD_KEY_PATTERN = ['src/mongo/db/global_catalog/shard_key_pattern.cpp (9.0)'];
const CREATE_COLLECTION = ['src/mongo/db/global_catalog/ddl/create_collection_coordinator.cpp (9.0)'];
const KEY_UPDATE = ['src/mongo/s/commands/document_shard_key_update_util.cpp (9.0)'];
const ENGINE = ['the engine, which answers so itself'];
const RECORDED_ON_4_4 = ['the recording of MongoDB 4.4'];
const SEEN = ['a cluster of MongoDB 9.0.2 with two shards'];

export const rewordings: readonly Rewording[] = [
  {
    steps: [
      'unique-on-non-shard-key#3',
      'unique-on-non-shard-key#5',
      'hashed-unique#4',
      'partial-unique-needs-prefix#3',
      'partial-unique-needs-prefix#4',
    ],
    versions: EVERY_VERSION,
    text: uniqueIndexRefusal,
    evidence: SEEN,
  },
  { steps: ['refine-shard-key#8'], versions: ['4.4', '4.9'], text: uniqueIndexRefusal, evidence: SEEN },
  {
    steps: ['shard-with-existing-unique-index#2'],
    versions: EVERY_VERSION,
    text: shardingRefusal,
    evidence: SHARD_KEY_UTIL,
  },
  { steps: ['refine-with-unique-index#5'], versions: ['4.4', '4.9'], text: shardingRefusal, evidence: SHARD_KEY_UTIL },
  {
    steps: ['shard-non-empty-needs-index#1', 'shard-unique-non-empty#5'],
    versions: EVERY_VERSION,
    text: (recorded) => `${recorded}. `, // reasons would follow
    evidence: SHARD_KEY_UTIL,
  },
  {
    steps: ['refine-shard-key#4'],
    versions: ['4.4', '4.9'],
    text: "Please create an index that starts with the proposed shard key before refining the collection's shard key. ",
    evidence: SHARD_KEY_UTIL,
  },
  {
    steps: ['soft-delete-restore#8', 'update-shard-key-value#6'],
    versions: EVERY_VERSION,
    text: (recorded) => `Plan executor error during update :: caused by :: ${recorded}`,
    evidence: ENGINE,
  },
  {
    steps: ['migration-blocked-by-duplicate-id#5'],
    versions: EVERY_VERSION,
    text: 'Data transfer error: migrate failed: Location6718402: operation was interrupted',
    evidence: ['src/mongo/db/s/migration_destination_manager.cpp (9.0)'],
  },
  {
    steps: ['shard-unique-with-duplicates#1'],
    versions: ['4.2'],
    text: (recorded) => `Index build failed: <uuid>: Collection conf.n ( <uuid> ) :: caused by :: ${recorded}`,
    evidence: ENGINE,
  },
  {
    steps: ['split-and-move-errors#6'],
    versions: ['4.2'],
    text: 'moveChunk destination shard does not exist',
    evidence: RECORDED_ON_4_4,
  },
  {
    steps: ['chunk-of-one-value#2', 'chunk-of-one-value#5'],
    versions: ['4.2'],
    text: 'Unable to find median in chunk because chunk is indivisible.',
    evidence: RECORDED_ON_4_4,
  },
  {
    steps: ['soft-delete-filter-forms#3'],
    versions: EVERY_VERSION,
    text: unsupportedFilter('not_exists', '{ deletedAt: { $exists: false } }', '$not\n    deletedAt exists'),
    evidence: ENGINE,
  },
  {
    steps: ['soft-delete-filter-forms#4'],
    versions: EVERY_VERSION,
    text: unsupportedFilter('ne_null', '{ deletedAt: { $ne: null } }', '$not\n    deletedAt $eq null'),
    evidence: ENGINE,
  },
  {
    steps: ['soft-delete-filter-forms#5'],
    versions: EVERY_VERSION,
    text: unsupportedFilter('nor', '{ $nor: [ { deleted: true } ] }', '$nor\n    deleted $eq true'),
    evidence: ENGINE,
  },
  {
    steps: ['shard-collection-errors#1', 'shard-collection-errors#2'],
    versions: EVERY_VERSION,
    text: keyPatternRefusal,
    evidence: SHARD_KEY_PATTERN,
  },
  {
    steps: ['shard-collection-errors#3'],
    versions: EVERY_VERSION,
    text: 'Shard key { x: "hashed", y: "hashed" } can contain at most one \'hashed\' field. Failed to parse field y',
    evidence: SHARD_KEY_PATTERN,
  },
  {
    steps: ['shard-collection-errors#7'],
    versions: EVERY_VERSION,
    text: "Collection 'conf.b' already exists with a different shard key. Requested { y: 1 } but found { x: 1 }",
    evidence: CREATE_COLLECTION,
  },
  {
    steps: ['shard-collection-errors#8'],
    versions: EVERY_VERSION,
    text: "Collection 'conf.b' already exists with a different 'unique' option. Requested 'true' but found 'false'",
    evidence: CREATE_COLLECTION,
  },
  {
    steps: ['update-moves-document-to-other-shard#5', 'update-moves-document-to-other-shard#11'],
    versions: EVERY_VERSION,
    text: (recorded) =>
      recorded.replace('E11000', 'During insert stage of updating a shard key :: caused by :: E11000'),
    evidence: KEY_UPDATE,
  },
];

function uniqueIndexRefusal(recorded: string): string {
  return recorded.replace(
    /^.*cannot create unique index over (.*)$/,
    "cannot create index with 'unique' or 'prepareUnique' option over $1 and collation {}",
  );
}

function shardingRefusal(recorded: string): string {
  return recorded
    .replace(' and proposed shard key', ', proposed shard key')
    .replace(". Uniqueness can't", " and collation {}. Uniqueness can't")
    .replace(/$/, ' and has simple collation');
}

function keyPatternRefusal(recorded: string): string {
  return recorded.replace(
    /can contain .* a value of 1\./,
    'is invalid. Non-hashed fields must be set to a value of 1 (ascending).',
  );
}

function unsupportedFilter(name: string, filter: string, expression: string): string {
  const index = `{ key: { biz: 1, sku: 1 }, name: "${name}", unique: true, partialFilterExpression: ${filter}, v: 2 }`;
  return `Error in specification ${index} :: caused by :: Expression not supported in partial index: ${expression}\n`;
}
