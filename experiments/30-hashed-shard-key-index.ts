import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';

const twelve = Array.from({ length: 12 }, (_, uid) => ({ uid }));
const users = (db: Db) => db.collection('users');

export default {
  number: 30,
  name: 'hashed-shard-key-index',
  title: 'Dropping the index of a hashed shard key',
  question: 'Can the index of a hashed shard key be dropped, and what still works without it?',
  claims: ['K3'],
  needs: { mongodb: '>=5.0.22 <5.1.0 || >=6.0.0' },
  sources: [
    'https://www.mongodb.com/docs/manual/tutorial/drop-a-hashed-shard-key-index/',
    'https://jira.mongodb.org/browse/SERVER-78253',
  ],

  async run(lab) {
    await lab.shardCollection('users', { uid: 'hashed' });
    await lab.step('Twelve users.', (db) => users(db).insertMany(twelve.map((user) => ({ ...user }))), { ok: true });
    await lab.counts('Both shards hold some of them.', 'users', {});

    await lab.step('The index of the shard key is dropped.', (db) => users(db).dropIndex('uid_hashed'), {
      versions: {
        '>=5.0.22 <5.1.0 || >=6.0.12 <6.1.0 || >=7.0.3': { ok: true },
        '*': { code: 370 },
      },
      claims: ['K3'],
    });
    await lab.step('A user is still found by the shard key …', (db) => users(db).find({ uid: 7 }).toArray(), {
      documents: 1,
    });
    await lab.step(
      '… and changed by it.',
      async (db) => (await users(db).updateOne({ uid: 7 }, { $set: { n: 1 } })).modifiedCount,
      {
        documents: 1,
      },
    );
    await lab.step('A value can be there twice now as before.', (db) => users(db).insertOne({ uid: 7 }), { ok: true });
    await lab.step(
      'So a unique index on the value cannot be built.',
      (db) => users(db).createIndex({ uid: 1 }, { unique: true }),
      {
        code: 11000,
      },
    );

    lab.instead();
    await lab.step('One of the two goes …', (db) => users(db).deleteOne({ uid: 7, n: 1 }), { ok: true });
    await lab.step(
      '… then the unique index can be built.',
      (db) => users(db).createIndex({ uid: 1 }, { unique: true }),
      {
        ok: true,
      },
    );
    await lab.step('The value again.', (db) => users(db).insertOne({ uid: 7 }), { code: 11000 });
    await lab.step('The hashed index comes back.', (db) => users(db).createIndex({ uid: 'hashed' }), {
      ok: true,
    });
  },
} satisfies Experiment;
