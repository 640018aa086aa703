import type { Db } from 'mongodb';
import { placement } from '../cluster/sharding.ts';
import type { Experiment } from './harness/define.ts';

interface User {
  readonly _id: string;
  readonly uid: number;
  readonly email: string;
}
const users = (db: Db) => db.collection<User>('users');

export default {
  number: 41,
  name: 'reshard',
  title: 'Another shard key for a collection with duplicates',
  question: 'Can a collection be resharded whose documents share an `_id`, or that has a unique index?',
  claims: ['X8'],
  needs: { mongodb: '>=5.0.0', features: ['resharding'] },
  sources: [
    'https://www.mongodb.com/docs/manual/core/sharding-reshard-a-collection/',
    'jstests/sharding/resharding_clones_duplicate_key.js (mongodb/mongo)',
  ],
  // On a cluster that exists a resharding takes five minutes at least, however small the collection (cluster/versions.ts).
  deadlineSeconds: 1800,

  async run(lab) {
    const reshard = (db: Db) =>
      db.admin().command({ reshardCollection: lab.ns('users'), key: { email: 1 }, numInitialChunks: 1 });

    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    await lab.step(
      'A unique index that the shard key begins.',
      (db) => users(db).createIndex({ uid: 1, email: 1 }, { unique: true }),
      { ok: true },
    );
    await lab.step(
      'One `_id` on both shards.',
      (db) =>
        users(db).insertMany([
          { _id: 'A', uid: 1, email: 'a@example.com' },
          { _id: 'A', uid: 2000, email: 'b@example.com' },
        ]),
      { ok: true },
    );
    await lab.step('The email is to be the shard key: it does not begin the unique index.', reshard, { code: 72 });
    await lab.step('That index goes.', (db) => users(db).dropIndex('uid_1_email_1'), { ok: true });
    await lab.step('Now the two documents would meet on one shard.', reshard, { code: 11000, claims: ['X8'] });
    await lab.counts('They are where they were.', 'users', {}, { counts: [1, 1], claims: ['X8'] });

    lab.instead();
    await lab.step(
      'One of them is written anew under another `_id` …',
      (db) => users(db).insertOne({ _id: 'B', uid: 3000, email: 'b@example.com' }),
      { ok: true },
    );
    await lab.step('… and goes.', (db) => users(db).deleteOne({ _id: 'A', uid: 2000 }), { ok: true });
    await lab.step('Then the collection is resharded …', reshard, { ok: true, claims: ['X8'] });
    await lab.step('… into one chunk, as was asked.', (_, router) => placement(router, lab.ns('users')), {
      documents: 1,
    });
  },
} satisfies Experiment;
