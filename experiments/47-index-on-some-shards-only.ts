import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

interface User {
  readonly _id: number;
  readonly uid: number;
  readonly email: string;
}
const email = 'a@example.com';
const users = (db: Db) => db.collection<User>('users');
const insert = (_id: number, uid: number) => (db: Db) => users(db).insertOne({ _id, uid, email });
const build = (db: Db) => users(db).createIndex({ uid: 1, email: 1 }, { unique: true });
const indexes = (db: Db) => users(db).listIndexes().toArray();
const shardsPerIndex = (db: Db) =>
  users(db)
    .aggregate([{ $indexStats: {} }, { $group: { _id: '$name', n: { $sum: 1 } } }, { $sort: { _id: 1 } }])
    .toArray();

export default {
  number: 47,
  name: 'index-on-some-shards-only',
  title: 'An index that one shard lacks',
  question: 'What happens when a unique index is missing on one shard, and how is that noticed?',
  claims: ['G3'],
  sources: ['https://www.mongodb.com/docs/manual/tutorial/manage-indexes/#find-inconsistent-indexes-across-shards'],

  async run(lab) {
    const [, second = ''] = lab.shards;
    const rule = recordedIn('index-on-one-shard-only');
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    await lab.step('A unique index.', build, { ok: true });
    await lab.onShard(second, 'One shard loses it, past the router.', (db) => users(db).dropIndex('uid_1_email_1'), {
      ok: true,
    });
    await lab.step('The list that the router gives still has it.', indexes, { documents: 3 });
    await lab.onShard(second, 'The list of that shard has it no longer.', indexes, { documents: 2 });

    await lab.step('A user of the other shard …', insert(1, 1), { ok: true });
    await lab.step('… is refused a second time.', insert(2, 1), { code: 11000 });
    await lab.step('A user of this one …', insert(3, 2000), { ok: true });
    await lab.step('… is accepted a second time.', insert(4, 2000), { ok: true });

    lab.instead();
    await lab.step(
      'The statistics of indexes say how many shards have each.',
      shardsPerIndex,
      rule(7, { documents: 3 }),
    );
    await lab.step('The duplicate goes …', (db) => users(db).deleteOne({ _id: 4, uid: 2000 }), { ok: true });
    await lab.step('… then the index is built anew where it is missing.', build, { ok: true });
    await lab.step('Now both shards have all of them …', shardsPerIndex, { documents: 3 });
    await lab.step('… and refuse a duplicate.', insert(5, 2000), { code: 11000, claims: ['G3'] });
  },
} satisfies Experiment;
