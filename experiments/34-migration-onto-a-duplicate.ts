import { type Db, MaxKey } from 'mongodb';
import { moveRange } from '../cluster/sharding.ts';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

interface User {
  readonly _id: string;
  readonly uid: number;
  readonly email: string;
}
const email = 'a@example.com';
const users = (db: Db) => db.collection<User>('users');
const insert = (user: User) => (db: Db) => users(db).insertOne({ ...user });
const repeatedIds = (db: Db) =>
  users(db)
    .aggregate([{ $group: { _id: '$_id', n: { $sum: 1 }, uids: { $push: '$uid' } } }, { $match: { n: { $gt: 1 } } }])
    .toArray();

export default {
  number: 34,
  name: 'migration-onto-a-duplicate',
  title: 'A chunk that moves to a shard with the same `_id`',
  question: 'What happens when a chunk moves to a shard that already holds one of its `_id`s, or one of its emails?',
  claims: ['X1'],
  sources: [
    'jstests/sharding/migrate_overwrite_id.js (mongodb/mongo)',
    'MigrationDestinationManager in src/mongo/db/s/migration_destination_manager.cpp (mongodb/mongo)',
  ],

  async run(lab) {
    const [first = ''] = lab.shards;
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    await lab.step(
      'A unique index that the shard key begins.',
      (db) => users(db).createIndex({ uid: 1, email: 1 }, { unique: true }),
      { ok: true },
    );

    const rule = recordedIn('migration-blocked-by-duplicate-id');
    const upper = { min: { uid: 1000 }, max: { uid: new MaxKey() } };
    const move = (caption: string, expectation: ReturnType<typeof rule>) =>
      lab.step(caption, (_, router) => moveRange(router, lab.ns('users'), upper, first), expectation);

    await lab.step('A user of the first shard.', insert({ _id: 'A', uid: 1, email }), rule(3, { ok: true }));
    await lab.step('Its `_id` and email on the second.', insert({ _id: 'A', uid: 2000, email }), rule(4, { ok: true }));
    await move('The chunk of the second shard is to move to the first.', rule(5, { code: 96 }, 'X1'));
    await lab.counts('Both users are where they were.', 'users', {}, rule(6, { counts: [1, 1] }, 'X1'));

    lab.instead();
    await lab.step('An `_id` that is there more than once can be found beforehand.', repeatedIds, { documents: 1 });
    await lab.step(
      'One of the two is written anew under another `_id` …',
      insert({ _id: 'B', uid: 1, email: 'b@example.com' }),
      { ok: true },
    );
    await lab.step('… and goes.', (db) => users(db).deleteOne({ _id: 'A', uid: 1 }), rule(7, { ok: true }));
    await lab.step('A user of the first shard with the email of the other.', insert({ _id: 'C', uid: 3, email }), {
      ok: true,
    });
    await move('The email alone does not keep the chunk from moving.', rule(8, { ok: true }));
    await lab.counts('All users are on the first shard.', 'users', {}, { counts: [3, 0] });
  },
} satisfies Experiment;
