import type { Db } from 'mongodb';
import { shardCollection } from '../cluster/sharding.ts';
import type { Experiment } from './harness/define.ts';
import { type Expectation, recordedIn } from './harness/expect.ts';

interface User {
  readonly _id: number;
  readonly uid: number;
}
const users = (db: Db) => db.collection<User>('users');
const index = (key: Record<string, 1>, options?: object) => (db: Db) => users(db).createIndex(key, options);
const unique = { unique: true };

export default {
  number: 27,
  name: 'unique-shard-key-of-existing-documents',
  title: 'Declaring a shard key unique',
  question: 'What does `unique: true` do to an empty collection, and what does it ask of one with documents?',
  claims: ['K9'],
  sources: [
    'https://www.mongodb.com/docs/manual/core/sharding-shard-key/#unique-indexes',
    'validateShardKeyIndexExistsOrCreateIfPossible in src/mongo/db/global_catalog/ddl/shard_key_index_util.cpp (mongodb/mongo)',
  ],

  async run(lab) {
    const fresh = (_id: number) => (db: Db) => db.collection<User>('fresh').insertOne({ _id, uid: 1 });
    await lab.onTwoShards('fresh', { key: 'uid', at: 1000, unique: true });
    await lab.step('In an empty collection a first `uid` …', fresh(1), { ok: true });
    await lab.step('… is refused a second time.', fresh(2), { code: 11000, claims: ['K9'] });

    const rule = recordedIn('shard-unique-non-empty');
    const shard = (caption: string, expectation: Expectation) =>
      lab.step(caption, (_, router) => shardCollection(router, lab.ns('users'), { uid: 1 }, unique), expectation);
    await lab.step(
      'Another collection has a document …',
      (db) => users(db).insertOne({ _id: 1, uid: 1 }),
      rule(0, { ok: true }),
    );
    await lab.step('… and a plain index.', index({ uid: 1 }), rule(1, { ok: true }));
    await shard('It is to be sharded, declared unique.', rule(2, { code: 72 }, 'K9'));
    await lab.step('That index goes …', (db) => users(db).dropIndex('uid_1'), rule(3, { ok: true }));
    await lab.step(
      '… and a unique one with a further field comes.',
      index({ uid: 1, x: 1 }, unique),
      rule(4, { ok: true }),
    );
    await shard('It does not do.', rule(5, { code: 72 }, 'K9'));
    await lab.step(
      'A unique index over two equal values cannot be built.',
      async (db) => {
        await users(db).insertOne({ _id: 2, uid: 1, ...{ x: 'other' } });
        await index({ uid: 1 }, unique)(db);
      },
      recordedIn('shard-unique-with-duplicates')(1, { code: 11000 }),
    );

    lab.instead();
    await lab.step(
      'One of the two gets another value …',
      (db) => users(db).updateOne({ _id: 2 }, { $set: { uid: 2 } }),
      { ok: true },
    );
    await lab.step('… then exactly this index is built …', index({ uid: 1 }, unique), rule(6, { ok: true }));
    await shard('… and now the collection is sharded, declared unique.', rule(7, { ok: true }, 'K9'));
    await lab.step('A `uid` again.', (db) => users(db).insertOne({ _id: 3, uid: 2 }), { code: 11000 });
  },
} satisfies Experiment;
