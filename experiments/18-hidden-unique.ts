import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

const email = 'a@example.com';
const users = (db: Db) => db.collection<{ _id: number; uid: number; email: string }>('users');
const insert = (_id: number) => (db: Db) => users(db).insertOne({ _id, uid: 1, email });
const query = (db: Db) => users(db).find({ uid: 1, email });
const index = (options: object) => (db: Db) =>
  users(db).createIndex({ uid: 1, email: 1 }, { unique: true, ...options });

export default {
  number: 18,
  name: 'hidden-unique',
  title: 'A hidden unique index',
  question: 'Does hiding a unique index show what would happen without it?',
  claims: ['U14'],
  needs: { mongodb: '>=4.4' },
  sources: ['https://www.mongodb.com/docs/manual/core/index-hidden/#behavior'],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    const hidden = recordedIn('hidden-unique-index');
    await lab.step('A unique index, hidden.', index({ hidden: true }), hidden(3, { ok: true }));
    await lab.step('A user.', insert(1), hidden(4, { ok: true }));
    await lab.step('Its uid and email again.', insert(2), hidden(5, { code: 11000 }, 'U14'));
    await lab.explain('A query that fits it uses the index of the shard key.', query, {
      scan: 'uid_1',
      claims: ['U14'],
    });
    await lab.step('Nor can a hint name it.', (db) => query(db).hint('uid_1_email_1').toArray(), {
      code: 2,
      claims: ['U14'],
    });

    lab.instead();
    await lab.step('The index is dropped.', (db) => users(db).dropIndex('uid_1_email_1'), {
      ok: true,
    });
    await lab.step('The same uid and email again.', insert(2), { ok: true });
    await lab.step('Building it again fails …', index({}), { code: 11000 });
    await lab.step('… until the duplicate is gone.', (db) => users(db).deleteOne({ _id: 2, uid: 1 }), { ok: true });
    await lab.step('Then it is built again.', index({}), { ok: true });
  },
} satisfies Experiment;
