import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';

interface User {
  readonly _id: number;
  readonly uid: number;
  readonly email: string;
}
const email = 'a@example.com';
const users = (db: Db) => db.collection<User>('users');
/** As a command: drivers do not know `prepareUnique`. */
const index = (key: Record<string, 1>, options?: object) => (db: Db) =>
  db.command({ createIndexes: 'users', indexes: [{ key, name: Object.entries(key).flat().join('_'), ...options }] });
const modify = (name: string, change: object) => (db: Db) =>
  db.command({ collMod: 'users', index: { name, ...change } });
const insert = (user: User) => (db: Db) => users(db).insertOne({ ...user });
const prepared = { prepareUnique: true };
const unique = { unique: true };

export default {
  number: 42,
  name: 'prepare-unique',
  title: 'Making an existing index unique',
  question: 'Can an index of a sharded collection be made unique in place, while duplicates exist?',
  claims: ['X9'],
  needs: { mongodb: '>=6.0.0', features: ['collMod'] },
  sources: [
    'https://www.mongodb.com/docs/manual/core/index-unique/convert-to-unique/',
    'src/mongo/db/shard_role/shard_catalog/coll_mod.cpp (mongodb/mongo)',
  ],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    await lab.step('An index on `email` …', index({ email: 1 }), { ok: true });
    await lab.step('… and one that the shard key begins.', index({ uid: 1, email: 1 }), { ok: true });
    await lab.step(
      'A user on each shard, and one of them again.',
      (db) =>
        users(db).insertMany([
          { _id: 1, uid: 1, email },
          { _id: 2, uid: 2000, email },
          { _id: 3, uid: 2000, email },
        ]),
      { ok: true },
    );

    await lab.step('The first is to be prepared.', modify('email_1', prepared), { code: 72, claims: ['X9'] });
    await lab.step('One that is prepared from the start.', index({ email: 1, x: 1 }, prepared), { code: 67 });
    await lab.step('The second is to be unique at once.', modify('uid_1_email_1', unique), { code: 72 });
    await lab.step('It is prepared first.', modify('uid_1_email_1', prepared), { ok: true, claims: ['X9'] });
    await lab.step('From now on no duplicate is added …', insert({ _id: 4, uid: 2000, email }), { code: 11000 });
    await lab.step('… but while one is there, the index does not become unique.', modify('uid_1_email_1', unique), {
      code: 359,
    });

    lab.instead();
    await lab.step('The duplicate goes …', (db) => users(db).deleteOne({ _id: 3, uid: 2000 }), { ok: true });
    await lab.step('… and then it does.', modify('uid_1_email_1', unique), { ok: true, claims: ['X9'] });
    await lab.step('A duplicate is still refused.', insert({ _id: 5, uid: 2000, email }), { code: 11000 });
    await lab.counts('Users with that email.', 'users', { email }, { counts: [1, 1] });
  },
} satisfies Experiment;
