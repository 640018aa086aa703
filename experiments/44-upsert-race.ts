import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';

interface User {
  readonly uid: number;
  readonly email: string;
}
interface Account {
  readonly email: string;
  readonly logins: number;
}
const email = 'a@example.com';
const accounts = (db: Db) => db.collection<Account>('accounts');

export default {
  number: 44,
  name: 'upsert-race',
  title: 'Many clients upsert one value at the same time',
  question: 'How many documents do concurrent upserts of one email leave behind?',
  claims: ['X11'],
  sources: ['https://www.mongodb.com/docs/manual/reference/method/db.collection.updateOne/'],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    await lab.step(
      'A unique index that the shard key begins.',
      (db) => db.collection('users').createIndex({ uid: 1, email: 1 }, { unique: true }),
      { ok: true },
    );
    let next = 0;
    const own = () => [1, 2, 3, 4, 2001, 2002, 2003, 2004][next++ % 8] ?? 0;
    await lab.race(
      'Eight users, four of each shard, upsert one email, each with its `uid`.',
      8,
      (db) => db.collection<User>('users').updateOne({ uid: own(), email }, { $inc: { logins: 1 } }, { upsert: true }),
      { winners: 'more than one' },
    );
    await lab.counts('Each made a document.', 'users', { email }, { counts: [4, 4], claims: ['X11'] });

    lab.instead();
    await lab.onTwoShards('accounts', { key: 'email', at: 'm', unique: true });
    await lab.race(
      'Eight clients upsert one email, which is the shard key and unique.',
      8,
      (db) => accounts(db).updateOne({ email }, { $inc: { logins: 1 } }, { upsert: true }),
      { winners: 'more than one' },
    );
    await lab.counts('One of them made a document …', 'accounts', { email }, { counts: [1, 0], claims: ['X11'] });
    await lab.step('… and all of them are counted in it.', (db) => accounts(db).find({ email, logins: 8 }).toArray(), {
      documents: 1,
    });
  },
} satisfies Experiment;
