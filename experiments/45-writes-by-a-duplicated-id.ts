import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

interface User {
  readonly _id: string;
  readonly uid: number;
}
const _id = 'same-id';
const users = (db: Db) => db.collection<User>('users');
const both = (db: Db) =>
  users(db).insertMany([
    { _id, uid: 1 },
    { _id, uid: 2000 },
  ]);

export default {
  number: 45,
  name: 'writes-by-a-duplicated-id',
  title: 'Writes to an `_id` that two shards hold',
  question: 'Whom does an update or a delete by `_id` reach when two documents share the `_id`?',
  claims: ['X13'],
  sources: [
    'https://www.mongodb.com/docs/manual/core/sharding-shard-key/#unique-indexes',
    'src/mongo/s/write_ops/batch_write_op.cpp (mongodb/mongo)',
  ],

  async run(lab) {
    const rule = recordedIn('writes-by-a-duplicated-id');
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    await lab.step('One `_id` on both shards.', both, rule(3, { ok: true }));
    await lab.step(
      'An update of many by `_id` …',
      async (db) => (await users(db).updateMany({ _id }, { $set: { many: true } })).modifiedCount,
      rule(4, { documents: 2 }, 'X13'),
    );
    await lab.counts('… reaches both.', 'users', { many: true }, { counts: [1, 1], claims: ['X13'] });
    await lab.step(
      'A delete of many by `_id` …',
      async (db) => (await users(db).deleteMany({ _id })).deletedCount,
      rule(7, { documents: 2 }, 'X13'),
    );
    await lab.counts('… leaves neither.', 'users', {}, rule(8, { counts: [0, 0] }, 'X13'));

    lab.instead();
    await lab.step('The same two once more.', both, { ok: true });
    await lab.step(
      'With the shard key, an update …',
      async (db) => (await users(db).updateOne({ _id, uid: 1 }, { $set: { one: true } })).modifiedCount,
      rule(5, { documents: 1 }),
    );
    await lab.counts('… reaches the one that is meant …', 'users', { one: true }, { counts: [1, 0] });
    await lab.step(
      '… and so does a delete of many.',
      async (db) => (await users(db).deleteMany({ _id, uid: 2000 })).deletedCount,
      { documents: 1 },
    );
    await lab.counts('The other is still there.', 'users', {}, { counts: [1, 0] });
  },
} satisfies Experiment;
