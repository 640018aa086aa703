/**
 * Command sequences whose outcome a sharded cluster decides. Each scenario starts on an empty database `conf` whose
 * primary shard is $A. The recordings beside this file hold what clusters of real servers answered.
 */

/** One step of a scenario; which fields it has says what it does. */
export interface Step {
  /** One command through mongos, on {@link db} (`conf` where it is left out). */
  cmd?: object;
  db?: string;
  /** A driver's collection method through mongos, with {@link coll} and {@link args}. */
  api?: string;
  coll?: string;
  args?: readonly unknown[];
  /** Counts the documents of this collection on [$A, $B], asked of each shard directly. */
  counts?: string;
  filter?: object;
  /** A step run concurrently {@link times} times. */
  race?: Step;
  times?: number;
  /** Calls in one transaction, then commit. */
  txn?: readonly Step[];
  /** Milliseconds to wait. */
  pause?: number;
  /** The shard asked directly in place of mongos. */
  on?: '$A' | '$B';
  /** Only success or failure and the error code are compared. */
  loose?: boolean;
}

interface IndexOptions {
  name?: string;
  [option: string]: unknown;
}

const sharded = (coll: string, key: object, options: object = {}): Step => ({
  db: 'admin',
  cmd: { shardCollection: `conf.${coll}`, key, ...options },
  loose: true,
});
const splitAt = (coll: string, middle: object): Step => ({
  db: 'admin',
  cmd: { split: `conf.${coll}`, middle },
  loose: true,
});
const move = (coll: string, find: object, to: string): Step => ({
  db: 'admin',
  cmd: { moveChunk: `conf.${coll}`, find, to, _waitForDelete: true },
  loose: true,
});
/** Range-sharded collection: below the split point on $A, from it upward on $B. */
const twoShards = (coll: string, field: string, at: unknown, options?: object): Step[] => [
  sharded(coll, { [field]: 1 }, options),
  splitAt(coll, { [field]: at }),
  move(coll, { [field]: at }, '$B'),
];
const insert = (coll: string, ...documents: object[]): Step => ({ cmd: { insert: coll, documents } });
const index = (coll: string, key: object, options: IndexOptions = {}): Step => ({
  cmd: {
    createIndexes: coll,
    indexes: [{ key, name: options.name ?? Object.entries(key).flat().join('_'), ...options }],
  },
  loose: true,
});
const find = (coll: string, filter: object = {}, sort: object = { _id: 1 }, projection?: object): Step => ({
  api: 'find',
  coll,
  args: [filter, { sort, ...(projection && { projection }) }],
});

export const scenarios: Readonly<Record<string, readonly Step[]>> = {
  'unique-on-non-shard-key': [
    ...twoShards('u', 'uid', 1000),
    index('u', { email: 1 }, { unique: true }),
    index('u', { uid: 1, email: 1 }, { unique: true }),
    index('u', { email: 1, uid: 1 }, { unique: true }),
    index('u', { email: 1 }),
    index('u', { uid: 1 }, { unique: true, name: 'uid_unique' }),
  ],
  'prefix-unique-meaning': [
    ...twoShards('u', 'uid', 1000),
    index('u', { uid: 1, email: 1 }, { unique: true }),
    insert('u', { _id: 1, uid: 1, email: 'a@x.com' }),
    insert('u', { _id: 2, uid: 1, email: 'a@x.com' }),
    insert('u', { _id: 3, uid: 2000, email: 'a@x.com' }),
    insert('u', { _id: 4, uid: 2, email: 'a@x.com' }),
    { counts: 'u', filter: { email: 'a@x.com' } },
    find('u', { email: 'a@x.com' }),
  ],
  'duplicate-id-across-shards': [
    ...twoShards('u', 'uid', 1000),
    insert('u', { _id: 'same-id', uid: 1 }),
    insert('u', { _id: 'same-id', uid: 1600 }),
    insert('u', { _id: 'same-id', uid: 20 }),
    { counts: 'u', filter: { _id: 'same-id' } },
    find('u', { _id: 'same-id' }, { uid: 1 }),
    { api: 'updateOne', coll: 'u', args: [{ _id: 'same-id', uid: 1 }, { $set: { seen: true } }] },
    { api: 'deleteMany', coll: 'u', args: [{ _id: 'same-id' }] },
  ],
  'global-unique-by-shard-key': [
    ...twoShards('g', 'email', 'm', { unique: true }),
    insert('g', { _id: 1, email: 'a@x.com' }),
    insert('g', { _id: 2, email: 'a@x.com' }),
    insert('g', { _id: 3, email: 'z@x.com' }),
    insert('g', { _id: 4, email: 'z@x.com' }),
    { counts: 'g', filter: { email: 'a@x.com' } },
    { counts: 'g', filter: { email: 'z@x.com' } },
    { cmd: { listIndexes: 'g' }, loose: true },
  ],
  'hashed-unique': [
    sharded('h', { k: 'hashed' }, { unique: true }),
    sharded('h', { k: 'hashed' }),
    index('h', { k: 'hashed' }, { unique: true, name: 'k_hashed_unique' }),
    index('h', { k: 1 }, { unique: true }),
    index('h', { other: 1 }, { unique: true }),
  ],
  'hashed-id-is-global': [
    sharded('h', { _id: 'hashed' }),
    { api: 'insertMany', coll: 'h', args: [Array.from({ length: 200 }, (_, i) => ({ _id: i })), { ordered: false }] },
    insert('h', { _id: 7 }),
    insert('h', { _id: 150 }),
    { api: 'countDocuments', coll: 'h', args: [{}] },
    { counts: 'h' },
  ],
  'soft-delete-restore': [
    ...twoShards('p', 'businessId', 100),
    index('p', { businessId: 1, sku: 1 }, { unique: true, partialFilterExpression: { deletedAt: null } }),
    insert('p', { _id: 'A', businessId: 1, sku: 'X', deletedAt: null }),
    insert('p', { _id: 'B', businessId: 1, sku: 'X', deletedAt: null }),
    { api: 'updateOne', coll: 'p', args: [{ _id: 'A', businessId: 1 }, { $set: { deletedAt: new Date(0) } }] },
    insert('p', { _id: 'B', businessId: 1, sku: 'X', deletedAt: null }),
    { api: 'updateOne', coll: 'p', args: [{ _id: 'A', businessId: 1 }, { $set: { deletedAt: null } }] },
    { api: 'updateOne', coll: 'p', args: [{ _id: 'B', businessId: 1 }, { $set: { deletedAt: new Date(1) } }] },
    { api: 'updateOne', coll: 'p', args: [{ _id: 'A', businessId: 1 }, { $set: { deletedAt: null } }] },
    find('p'),
    insert('p', { _id: 'A', businessId: 500, sku: 'X', deletedAt: null }),
    { counts: 'p', filter: { deletedAt: null, sku: 'X' } },
  ],
  'partial-unique-needs-prefix': [
    ...twoShards('p', 'businessId', 100),
    index('p', { sku: 1 }, { unique: true, partialFilterExpression: { deletedAt: null } }),
    index('p', { sku: 1 }, { unique: true, sparse: true, name: 'sku_sparse' }),
  ],
  'shard-with-existing-unique-index': [
    index('e', { email: 1 }, { unique: true }),
    index('e', { uid: 1 }),
    sharded('e', { uid: 1 }),
    { cmd: { dropIndexes: 'e', index: 'email_1' }, loose: true },
    index('e', { uid: 1, email: 1 }, { unique: true }),
    sharded('e', { uid: 1 }),
  ],
  'shard-non-empty-needs-index': [
    insert('n', { _id: 1, uid: 1 }),
    sharded('n', { uid: 1 }),
    index('n', { uid: 1, x: 1 }),
    sharded('n', { uid: 1 }),
  ],
  'shard-unique-non-empty': [
    insert('n', { _id: 1, uid: 1 }),
    index('n', { uid: 1 }),
    sharded('n', { uid: 1 }, { unique: true }),
    { cmd: { dropIndexes: 'n', index: 'uid_1' }, loose: true },
    index('n', { uid: 1, x: 1 }, { unique: true }),
    sharded('n', { uid: 1 }, { unique: true }),
    index('n', { uid: 1 }, { unique: true }),
    sharded('n', { uid: 1 }, { unique: true }),
  ],
  'shard-unique-with-duplicates': [
    insert('n', { _id: 1, uid: 1 }, { _id: 2, uid: 1 }),
    index('n', { uid: 1 }, { unique: true }),
    index('n', { uid: 1 }),
    sharded('n', { uid: 1 }),
  ],
  'shard-key-index-protected': [
    ...twoShards('k', 'uid', 1000),
    { cmd: { dropIndexes: 'k', index: 'uid_1' }, loose: true },
    { cmd: { dropIndexes: 'k', index: { uid: 1 } }, loose: true },
    index('k', { uid: 1, x: 1 }),
    { cmd: { dropIndexes: 'k', index: 'uid_1' }, loose: true },
    { cmd: { dropIndexes: 'k', index: '*' }, loose: true },
  ],
  'missing-and-null-shard-key': [
    sharded('m', { x: 1, y: 1 }),
    splitAt('m', { x: 0, y: 0 }),
    move('m', { x: 0, y: 0 }, '$B'),
    insert('m', { _id: 'both', x: 1, y: 1 }),
    insert('m', { _id: 'x-only', x: 1 }),
    insert('m', { _id: 'x-null-y', x: 1, y: null }),
    insert('m', { _id: 'y-only', y: 1 }),
    insert('m', { _id: 'none' }),
    insert('m', { _id: 'nulls', x: null, y: null }),
    { counts: 'm' },
    find('m', { $or: [{ x: { $exists: false } }, { y: { $exists: false } }] }),
    find('m', { x: null }),
    { api: 'updateOne', coll: 'm', args: [{ _id: 'none', x: null, y: null }, { $set: { tag: 1 } }] },
    insert('m', { _id: 'array', x: [1, 2], y: 1 }),
  ],
  'unique-null-and-missing': [
    ...twoShards('z', 'uid', 1000),
    index('z', { uid: 1, phone: 1 }, { unique: true }),
    insert('z', { _id: 1, uid: 1 }),
    insert('z', { _id: 2, uid: 1 }),
    insert('z', { _id: 3, uid: 1, phone: null }),
    insert('z', { _id: 4, uid: 1, phone: '1' }),
    insert('z', { _id: 5, uid: 1, phone: 1 }),
    insert('z', { _id: 6, uid: 2000 }),
  ],
  'concurrent-insert-race': [
    ...twoShards('r', 'email', 'm', { unique: true }),
    { race: { api: 'insertOne', coll: 'r', args: [{ email: 'a@x.com' }] }, times: 12 },
    { race: { api: 'insertOne', coll: 'r', args: [{ email: 'z@x.com' }] }, times: 12 },
    { api: 'countDocuments', coll: 'r', args: [{}] },
  ],
  'concurrent-insert-race-without-unique': [
    ...twoShards('r', 'uid', 1000),
    { race: { api: 'insertOne', coll: 'r', args: [{ uid: 1, email: 'a@x.com' }] }, times: 12 },
    { api: 'countDocuments', coll: 'r', args: [{ email: 'a@x.com' }] },
  ],
  'migration-blocked-by-duplicate-id': [
    ...twoShards('c', 'uid', 1000),
    insert('c', { _id: 'dup', uid: 1 }),
    insert('c', { _id: 'dup', uid: 2000 }),
    move('c', { uid: 2000 }, '$A'),
    { counts: 'c' },
    { api: 'deleteOne', coll: 'c', args: [{ _id: 'dup', uid: 1 }] },
    move('c', { uid: 2000 }, '$A'),
    { counts: 'c' },
  ],
  'split-and-move-errors': [
    sharded('s', { uid: 1 }),
    splitAt('s', { uid: 1000 }),
    splitAt('s', { uid: 1000 }),
    { db: 'admin', cmd: { split: 'conf.nope', middle: { uid: 1 } }, loose: true },
    { db: 'admin', cmd: { split: 'conf.s', middle: { other: 1 } }, loose: true },
    move('s', { uid: 1 }, '$A'),
    move('s', { uid: 1 }, 'no-such-shard'),
    { db: 'admin', cmd: { moveChunk: 'conf.s', bounds: [{ uid: 0 }, { uid: 5 }], to: '$B' }, loose: true },
    move('s', { uid: 2000 }, '$B'),
    { db: 'admin', cmd: { moveChunk: 'conf.nope', find: { uid: 1 }, to: '$B' }, loose: true },
  ],
  'shard-collection-errors': [
    sharded('b', {}),
    sharded('b', { x: 'text' }),
    sharded('b', { x: -1 }),
    sharded('b', { x: 'hashed', y: 'hashed' }),
    sharded('b', { x: 1 }, { collation: { locale: 'en' } }),
    sharded('b', { x: 1 }),
    sharded('b', { x: 1 }),
    sharded('b', { y: 1 }),
    sharded('b', { x: 1 }, { unique: true }),
    { db: 'admin', cmd: { shardCollection: 'conf', key: { x: 1 } }, loose: true },
    { cmd: { shardCollection: 'conf.b2', key: { x: 1 } }, loose: true },
  ],
  'collation-unique': [
    ...twoShards('l', 'uid', 1000),
    index('l', { uid: 1, email: 1 }, { unique: true, collation: { locale: 'en', strength: 2 } }),
    index('l', { uid: 1, email: 1 }, { unique: true, collation: { locale: 'simple' } }),
    insert('l', { _id: 1, uid: 1, email: 'A@x.com' }),
    insert('l', { _id: 2, uid: 1, email: 'a@x.com' }),
  ],
  'refine-shard-key': [
    ...twoShards('f', 'uid', 1000),
    insert('f', { _id: 1, uid: 1, email: 'a' }, { _id: 2, uid: 2000, email: 'a' }),
    { db: 'admin', cmd: { refineCollectionShardKey: 'conf.f', key: { uid: 1, email: 1 } }, loose: true },
    index('f', { uid: 1, email: 1 }),
    { db: 'admin', cmd: { refineCollectionShardKey: 'conf.f', key: { email: 1 } }, loose: true },
    { db: 'admin', cmd: { refineCollectionShardKey: 'conf.f', key: { uid: 1, email: 1 } }, loose: true },
    index('f', { uid: 1, x: 1 }, { unique: true }),
    index('f', { uid: 1, email: 1, x: 1 }, { unique: true }),
  ],
  'refine-with-unique-index': [
    ...twoShards('f', 'uid', 1000),
    index('f', { uid: 1, other: 1 }, { unique: true }),
    index('f', { uid: 1, email: 1 }),
    { db: 'admin', cmd: { refineCollectionShardKey: 'conf.f', key: { uid: 1, email: 1 } }, loose: true },
  ],
  'update-shard-key-value': [
    ...twoShards('v', 'uid', 1000),
    index('v', { uid: 1, email: 1 }, { unique: true }),
    insert('v', { _id: 1, uid: 1, email: 'a' }, { _id: 2, uid: 2000, email: 'a' }),
    { api: 'updateOne', coll: 'v', args: [{ _id: 1, uid: 1 }, { $set: { uid: 2 } }] },
    { api: 'updateMany', coll: 'v', args: [{ uid: 2 }, { $set: { uid: 3 } }] },
    { counts: 'v' },
  ],
  'writes-without-shard-key': [
    ...twoShards('w', 'uid', 1000),
    insert('w', { _id: 1, uid: 1, n: 0 }, { _id: 2, uid: 2000, n: 0 }),
    { api: 'updateMany', coll: 'w', args: [{ n: 0 }, { $set: { n: 1 } }] },
    { api: 'deleteMany', coll: 'w', args: [{ n: 1 }] },
    { api: 'countDocuments', coll: 'w', args: [{}] },
  ],
  'bulk-duplicates': [
    ...twoShards('q', 'uid', 1000),
    index('q', { uid: 1, email: 1 }, { unique: true }),
    {
      api: 'insertMany',
      coll: 'q',
      args: [
        [
          { _id: 1, uid: 1, email: 'a' },
          { _id: 2, uid: 2000, email: 'a' },
          { _id: 3, uid: 1, email: 'a' },
          { _id: 4, uid: 2, email: 'a' },
        ],
        { ordered: true },
      ],
    },
    {
      api: 'insertMany',
      coll: 'q',
      args: [
        [
          { _id: 5, uid: 1, email: 'a' },
          { _id: 6, uid: 2000, email: 'b' },
          { _id: 7, uid: 2000, email: 'b' },
          { _id: 8, uid: 3, email: 'c' },
        ],
        { ordered: false },
      ],
    },
    { counts: 'q' },
    find('q'),
  ],
  'reads-across-shards': [
    ...twoShards('o', 'uid', 50),
    {
      api: 'insertMany',
      coll: 'o',
      args: [Array.from({ length: 100 }, (_, i) => ({ _id: i, uid: i, group: i % 3, tags: [`t${i % 5}`] }))],
    },
    find('o', { uid: { $gte: 45, $lt: 55 } }),
    { api: 'find', coll: 'o', args: [{}, { sort: { group: -1, _id: 1 }, skip: 30, limit: 5 }] },
    {
      api: 'aggregate',
      coll: 'o',
      args: [[{ $group: { _id: '$group', n: { $sum: 1 }, top: { $max: '$uid' } } }, { $sort: { _id: 1 } }]],
    },
    {
      api: 'aggregate',
      coll: 'o',
      args: [
        [
          { $match: { uid: { $gt: 40 } } },
          { $unwind: '$tags' },
          { $group: { _id: '$tags', n: { $sum: 1 } } },
          { $sort: { n: -1, _id: 1 } },
          { $limit: 3 },
        ],
      ],
    },
    { api: 'distinct', coll: 'o', args: ['group', { uid: { $gt: 10 } }] },
    { api: 'countDocuments', coll: 'o', args: [{ group: 1 }] },
    {
      api: 'find',
      coll: 'o',
      args: [{ uid: { $in: [1, 99] } }, { sort: { _id: -1 }, projection: { uid: 1, _id: 0 } }],
    },
    { api: 'findOneAndUpdate', coll: 'o', args: [{ uid: 99 }, { $set: { seen: true } }, { returnDocument: 'after' }] },
    { api: 'findOneAndDelete', coll: 'o', args: [{ uid: 0 }] },
    { counts: 'o' },
  ],
  'update-moves-document-to-other-shard': [
    // a distributed transaction inside: hence the pauses
    ...twoShards('v', 'uid', 1000),
    index('v', { uid: 1, email: 1 }, { unique: true }),
    insert('v', { _id: 1, uid: 1, email: 'a' }, { _id: 2, uid: 2000, email: 'a' }, { _id: 3, uid: 3, email: 'b' }),
    { api: 'updateOne', coll: 'v', args: [{ _id: 1, uid: 1 }, { $set: { uid: 2000 } }] },
    { api: 'updateOne', coll: 'v', args: [{ _id: 3, uid: 3 }, { $set: { uid: 3000 } }] },
    { pause: 500 },
    { counts: 'v' },
    find('v'),
    insert('v', { _id: 3, uid: 5, email: 'c' }),
    { api: 'updateOne', coll: 'v', args: [{ _id: 3, uid: 5 }, { $set: { uid: 5000 } }] },
    { pause: 500 },
    { counts: 'v' },
    find('v', {}, { _id: 1, uid: 1 }),
  ],
  'transaction-same-id-on-two-shards': [
    // a shard may show a committed two-phase transaction a moment late, hence the pauses
    ...twoShards('t', 'uid', 1000),
    {
      txn: [
        { api: 'insertOne', coll: 't', args: [{ _id: 'x', uid: 1 }] },
        { api: 'insertOne', coll: 't', args: [{ _id: 'x', uid: 2000 }] },
      ],
    },
    { pause: 500 },
    { counts: 't' },
    {
      txn: [
        { api: 'insertOne', coll: 't', args: [{ _id: 'y', uid: 1 }] },
        { api: 'insertOne', coll: 't', args: [{ _id: 'x', uid: 5 }] },
      ],
    },
    { pause: 500 },
    { counts: 't' },
    {
      txn: [
        { api: 'find', coll: 't', args: [{ _id: 'x' }, { sort: { uid: 1 } }] },
        { api: 'deleteMany', coll: 't', args: [{ _id: 'x' }] },
      ],
    },
    { pause: 500 },
    { counts: 't' },
  ],
  'reads-of-a-duplicated-id': [
    ...twoShards('d', 'uid', 1000),
    insert('d', { _id: 'x', uid: 1, n: 1 }, { _id: 'x', uid: 2000, n: 2 }, { _id: 'y', uid: 2, n: 3 }),
    { api: 'countDocuments', coll: 'd', args: [{ _id: 'x' }] },
    { api: 'estimatedDocumentCount', coll: 'd', args: [] },
    find('d', { _id: 'x' }, { n: 1 }),
    find('d', { _id: 'x', uid: 2000 }),
    { api: 'aggregate', coll: 'd', args: [[{ $group: { _id: '$_id', n: { $sum: 1 } } }, { $sort: { _id: 1 } }]] },
    { api: 'distinct', coll: 'd', args: ['_id', {}] },
  ],
  'writes-by-a-duplicated-id': [
    ...twoShards('d', 'uid', 1000),
    insert('d', { _id: 'x', uid: 1 }, { _id: 'x', uid: 2000 }),
    { api: 'updateMany', coll: 'd', args: [{ _id: 'x' }, { $set: { m: 1 } }] },
    { api: 'updateOne', coll: 'd', args: [{ _id: 'x', uid: 1 }, { $set: { one: 1 } }] },
    find('d', {}, { uid: 1 }),
    { api: 'deleteMany', coll: 'd', args: [{ _id: 'x' }] },
    { counts: 'd' },
  ],
  'index-on-one-shard-only': [
    ...twoShards('i', 'uid', 1000),
    insert('i', { _id: 1, uid: 1 }, { _id: 2, uid: 2000 }),
    { on: '$B', ...index('i', { email: 1 }) },
    { cmd: { listIndexes: 'i' }, loose: true },
    { on: '$B', api: 'listIndexes', coll: 'i', args: [] },
    {
      api: 'aggregate',
      coll: 'i',
      args: [[{ $indexStats: {} }, { $group: { _id: '$name', n: { $sum: 1 } } }, { $sort: { _id: 1 } }]],
    },
  ],
  'chunk-of-one-value': [
    sharded('j', { uid: 1 }),
    { api: 'insertMany', coll: 'j', args: [Array.from({ length: 20 }, (_, i) => ({ _id: i, uid: 7 }))] },
    { db: 'admin', cmd: { split: 'conf.j', find: { uid: 7 } }, loose: true },
    splitAt('j', { uid: 7 }),
    splitAt('j', { uid: 8 }),
    { db: 'admin', cmd: { split: 'conf.j', find: { uid: 7 } }, loose: true },
    move('j', { uid: 7 }, '$B'),
    { counts: 'j' },
  ],
  'zones-place-ranges': [
    { db: 'admin', cmd: { addShardToZone: '$A', zone: 'west' }, loose: true },
    { db: 'admin', cmd: { addShardToZone: '$B', zone: 'east' }, loose: true },
    {
      db: 'admin',
      cmd: { updateZoneKeyRange: 'conf.z', min: { region: 'e', id: 0 }, max: { region: 'f', id: 0 }, zone: 'east' },
      loose: true,
    },
    {
      db: 'admin',
      cmd: { updateZoneKeyRange: 'conf.z', min: { region: 'w', id: 0 }, max: { region: 'x', id: 0 }, zone: 'west' },
      loose: true,
    },
    sharded('z', { region: 1, id: 1 }, { unique: true }),
    insert('z', { _id: 1, region: 'east', id: 1 }),
    insert('z', { _id: 2, region: 'west', id: 1 }),
    insert('z', { _id: 3, region: 'west', id: 1 }),
    { counts: 'z', filter: { region: 'east' } },
    { counts: 'z', filter: { region: 'west' } },
    {
      db: 'admin',
      cmd: { updateZoneKeyRange: 'conf.z', min: { region: 'e', id: 0 }, max: { region: 'f', id: 0 }, zone: null },
      loose: true,
    },
    {
      db: 'admin',
      cmd: { updateZoneKeyRange: 'conf.z', min: { region: 'w', id: 0 }, max: { region: 'x', id: 0 }, zone: null },
      loose: true,
    },
    { db: 'admin', cmd: { removeShardFromZone: '$A', zone: 'west' }, loose: true },
    { db: 'admin', cmd: { removeShardFromZone: '$B', zone: 'east' }, loose: true },
  ],
  'shard-key-index-cannot-be-hidden': [
    // hidden indexes: 4.4.0 final and later
    ...twoShards('k', 'uid', 1000),
    { cmd: { collMod: 'k', index: { name: 'uid_1', hidden: true } }, loose: true },
    index('k', { uid: 1, x: 1 }),
    { cmd: { collMod: 'k', index: { name: 'uid_1', hidden: true } }, loose: true },
  ],
  'hidden-unique-index': [
    // hidden indexes: 4.4.0 final and later
    ...twoShards('y', 'uid', 1000),
    index('y', { uid: 1, email: 1 }, { unique: true, hidden: true }),
    insert('y', { _id: 1, uid: 1, email: 'a' }),
    insert('y', { _id: 2, uid: 1, email: 'a' }),
    find('y'),
  ],
  'upsert-without-shard-key': [
    ...twoShards('p', 'uid', 1000),
    { api: 'updateOne', coll: 'p', args: [{ _id: 'x' }, { $set: { n: 1 } }, { upsert: true }] },
    { api: 'updateOne', coll: 'p', args: [{ _id: 'x', uid: null }, { $set: { n: 2 } }, { upsert: true }] },
    { api: 'updateOne', coll: 'p', args: [{ email: 'a' }, { $set: { n: 3 } }, { upsert: true }] },
    find('p'),
    { counts: 'p' },
  ],
  'soft-delete-filter-forms': [
    ...twoShards('s', 'biz', 100),
    index(
      's',
      { biz: 1, sku: 1 },
      { unique: true, partialFilterExpression: { deletedAt: { $exists: false } }, name: 'not_exists' },
    ),
    index(
      's',
      { biz: 1, sku: 1 },
      { unique: true, partialFilterExpression: { deletedAt: { $ne: null } }, name: 'ne_null' },
    ),
    index(
      's',
      { biz: 1, sku: 1 },
      { unique: true, partialFilterExpression: { $nor: [{ deleted: true }] }, name: 'nor' },
    ),
    index('s', { biz: 1, sku: 1 }, { unique: true, partialFilterExpression: { deleted: false }, name: 'flag_false' }),
    insert('s', { _id: 1, biz: 1, sku: 'X' }),
    insert('s', { _id: 2, biz: 1, sku: 'X' }),
    insert('s', { _id: 3, biz: 1, sku: 'Y', deleted: false }),
    insert('s', { _id: 4, biz: 1, sku: 'Y', deleted: false }),
    find('s'),
  ],
};
