import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

const twelve = Array.from({ length: 12 }, (_, _id) => ({ _id }));
const users = (db: Db) => db.collection<{ _id: number }>('users');
const links = (db: Db) => db.collection('links');

export default {
  number: 3,
  name: 'hashed-unique',
  title: 'Hashed shard keys and uniqueness',
  question: 'Can a hashed shard key or a hashed index be unique, and what makes a value unique nevertheless?',
  claims: ['G6', 'G7', 'K10'],
  sources: [
    'https://www.mongodb.com/docs/manual/core/index-hashed/',
    'HashAccessMethod in src/mongo/db/index/hash_access_method.cpp (mongodb/mongo)',
  ],

  async run(lab) {
    const hashed = recordedIn('hashed-unique');
    await lab.step(
      'A collection cannot be sharded by a hashed key that is declared unique.',
      (db) => db.admin().command({ shardCollection: `${lab.database}.links`, key: { k: 'hashed' }, unique: true }),
      hashed(0, { code: 72 }, 'G6', 'K10'),
    );
    await lab.onTwoShards('sessions', { key: 'k', at: 0 });
    await lab.step(
      'A hashed index cannot be unique either.',
      (db) => db.collection('sessions').createIndex({ k: 'hashed' }, { unique: true }),
      { code: 16764, claims: ['K10'] },
    );

    const ids = recordedIn('hashed-id-is-global');
    await lab.shardCollection('users', { _id: 'hashed' });
    await lab.step('Twelve users.', (db) => users(db).insertMany(twelve, { ordered: false }), ids(1, { ok: true }));
    await lab.counts('Both shards hold some of them.', 'users', {});
    await lab.counts('Users 7 and 8 are on different shards.', 'users', { _id: { $in: [7, 8] } }, { counts: [1, 1] });
    await lab.step('User 7 again.', (db) => users(db).insertOne({ _id: 7 }), ids(2, { code: 11000 }, 'G7'));
    await lab.step('User 8 again.', (db) => users(db).insertOne({ _id: 8 }), ids(3, { code: 11000 }, 'G7'));
    await lab.step('Still twelve.', (db) => users(db).countDocuments({}), { documents: 12, claims: ['G7'] });

    lab.instead();
    await lab.shardCollection('links', { k: 'hashed' });
    await lab.step(
      'A plain unique index on the field that is hashed is accepted.',
      (db) => links(db).createIndex({ k: 1 }, { unique: true }),
      hashed(3, { ok: true }),
    );
    await lab.step('A first value.', (db) => links(db).insertOne({ k: 'a' }), { ok: true });
    await lab.step('The value again: it goes to the shard of the first.', (db) => links(db).insertOne({ k: 'a' }), {
      code: 11000,
    });
  },
} satisfies Experiment;
