import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

interface User {
  readonly _id: number;
  readonly uid: number;
  readonly email: string;
}
const users = (db: Db) => db.collection<User>('users');
const insert = (user: User) => (db: Db) => users(db).insertOne({ ...user });
const move = (from: Partial<User>, uid: number) => async (db: Db) =>
  (await users(db).updateOne(from, { $set: { uid } })).modifiedCount;
/** A read in the same session waits until every shard shows the move. */
const moveAndRead = (from: Partial<User>, uid: number) => (db: Db) =>
  db.client.withSession(async (session) => {
    await users(db).updateOne(from, { $set: { uid } }, { session });
    return users(db).find({ uid }, { session }).toArray();
  });
const taken = { code: 11000 };

export default {
  number: 39,
  name: 'shard-key-value-update',
  title: 'Changing the value of the shard key',
  question: 'Can the shard key of a document be changed, and what does it collide with on the other shard?',
  claims: ['X6'],
  sources: [
    'https://www.mongodb.com/docs/manual/core/sharding-change-shard-key-value/',
    'src/mongo/s/commands/document_shard_key_update_util.h (mongodb/mongo)',
  ],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });

    const stays = recordedIn('update-shard-key-value');
    await lab.step(
      'A unique index that the shard key begins.',
      (db) => users(db).createIndex({ uid: 1, email: 1 }, { unique: true }),
      stays(3, { ok: true }),
    );
    await lab.step(
      'A user of each shard with one email.',
      async (db) => {
        await insert({ _id: 1, uid: 1, email: 'a@example.com' })(db);
        await insert({ _id: 2, uid: 2000, email: 'a@example.com' })(db);
      },
      { ok: true },
    );
    await lab.step('A `uid` changes within its shard.', move({ _id: 1, uid: 1 }, 2), stays(5, { documents: 1 }));
    await lab.step(
      'Not by an update of many …',
      (db) => users(db).updateMany({ uid: 2 }, { $set: { uid: 3 } }),
      stays(6, { code: 72 }),
    );
    await lab.step(
      '… and not by a write that is neither retryable nor in a transaction.',
      (db) => db.command({ update: 'users', updates: [{ q: { _id: 1, uid: 2 }, u: { $set: { uid: 3 } } }] }),
      { code: 20 },
    );

    const moves = recordedIn('update-moves-document-to-other-shard');
    await lab.step(
      'To a `uid` of the other shard that has its email already.',
      move({ _id: 1, uid: 2 }, 2000),
      moves(5, taken),
    );
    await lab.step('By a query without the shard key.', move({ _id: 1 }, 3), {
      // An exact `_id` is never a two-phase write, so 7.1 need not have changed it.
      versions: { '>=4.4.0 <7.1.0': { code: 31025 }, '>=9.0.0': { documents: 1 } },
      source:
        '_checkRestrictionsOnUpdatingShardKeyAreNotViolated in src/mongo/db/exec/classic/update_stage.cpp (mongodb/mongo)',
    });
    await lab.step('A user …', insert({ _id: 3, uid: 4, email: 'b@example.com' }), { ok: true });
    await lab.step('… moves to the other shard.', moveAndRead({ _id: 3, uid: 4 }, 3000), { documents: 1 });
    await lab.step(
      'Its `_id` is free on its old shard.',
      insert({ _id: 3, uid: 5, email: 'c@example.com' }),
      moves(10, { ok: true }),
    );
    await lab.step('That user cannot follow.', move({ _id: 3, uid: 5 }, 5000), moves(11, taken, 'X6'));
    await lab.counts('Users with that `_id`.', 'users', { _id: 3 }, { counts: [1, 1], claims: ['X6'] });

    lab.instead();
    await lab.step('Written anew under another `_id` …', insert({ _id: 4, uid: 5000, email: 'c@example.com' }), {
      ok: true,
    });
    await lab.step('… and deleted under the old one.', (db) => users(db).deleteOne({ _id: 3, uid: 5 }), { ok: true });
    await lab.counts('Users on each shard.', 'users', {}, { counts: [1, 3] });
  },
} satisfies Experiment;
