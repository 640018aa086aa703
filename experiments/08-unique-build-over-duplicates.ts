import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';

interface User {
  readonly _id: number;
  readonly uid: number;
  readonly email: string;
}
const email = 'a@example.com';
const before: readonly User[] = [
  { _id: 1, uid: 1, email },
  { _id: 2, uid: 1, email },
  { _id: 3, uid: 2000, email },
];
const users = (db: Db) => db.collection<User>('users');
const build = (db: Db) => users(db).createIndex({ uid: 1, email: 1 }, { unique: true });
const shardsWithTheIndex = (db: Db) =>
  users(db)
    .aggregate([
      { $indexStats: {} },
      { $match: { name: 'uid_1_email_1' } },
      { $project: { shard: 1 } },
      { $sort: { shard: 1 } },
    ])
    .toArray();
const duplicates = (db: Db) =>
  users(db)
    .aggregate([
      { $group: { _id: { uid: '$uid', email: '$email' }, ids: { $push: '$_id' } } },
      { $match: { 'ids.1': { $exists: true } } },
    ])
    .toArray();

export default {
  number: 8,
  name: 'unique-build-over-duplicates',
  title: 'A unique index over duplicates',
  question: 'What is left behind when a unique index is built over duplicates that only one shard has?',
  claims: ['U3'],
  sources: ['https://www.mongodb.com/docs/manual/core/index-unique/#restrictions'],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    await lab.step('Three users, two of them equal.', (db) => users(db).insertMany([...before]), { ok: true });
    await lab.step('A unique index.', build, { code: 11000, claims: ['U3'] });
    await lab.step('No document has changed.', (db) => users(db).find().sort({ _id: 1 }).toArray(), {
      documents: 3,
      claims: ['U3'],
    });
    await lab.step('Yet the shard without duplicates has the index.', shardsWithTheIndex, {
      versions: { '*': { documents: 1 } },
      states: { documents: 0 },
      source: 'https://www.mongodb.com/docs/manual/tutorial/manage-indexes/#find-inconsistent-indexes-across-shards',
      claims: ['U3'],
    });
    await lab.step('The list that the router gives does not show it.', (db) => users(db).listIndexes().toArray(), {
      documents: 2,
    });

    lab.instead();
    await lab.step('First, the duplicates are looked for …', duplicates, { documents: 1 });
    await lab.step(
      '… and changed as they deserve.',
      (db) => users(db).updateOne({ _id: 2, uid: 1 }, { $set: { email: 'b@example.com' } }),
      { ok: true },
    );
    await lab.step('Then the build succeeds …', build, { ok: true });
    await lab.step('… and both shards have the index.', shardsWithTheIndex, { documents: 2 });
  },
} satisfies Experiment;
