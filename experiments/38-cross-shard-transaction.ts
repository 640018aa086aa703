import type { ClientSession, Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

interface User {
  readonly _id: string;
  readonly uid: number;
  readonly email?: string;
}
type InSession = (db: Db, session: ClientSession) => Promise<unknown>;
const users = (db: Db) => db.collection<User>('users');
const email = 'a@example.com';
const insert =
  (...added: User[]): InSession =>
  async (db, session) => {
    for (const user of added) await users(db).insertOne({ ...user }, { session });
  };
const taken: InSession = (db, session) => users(db).findOne({ email }, { session });
const claim: InSession = (db, session) =>
  db.collection<{ _id: string }>('claims').insertOne({ _id: email }, { session });

/** One transaction, then a read in the same session: it waits until every shard shows what was committed. */
const transaction = (work: InSession) => (db: Db) =>
  db.client.withSession(async (session) => {
    await session.withTransaction(() => work(db, session));
    return users(db)
      .find({}, { session, sort: { _id: 1, uid: 1 } })
      .toArray();
  });

/** Two transactions do their first part before either does its second; a failure of the other is kept until the one is done. */
const interleaved =
  (first: InSession, [second, others]: readonly [InSession, InSession]) =>
  (db: Db) =>
    db.client.withSession((one) =>
      db.client.withSession(async (other) => {
        one.startTransaction();
        await first(db, one);
        other.startTransaction();
        const [meanwhile] = await Promise.allSettled([first(db, other)]);
        await second(db, one);
        await one.commitTransaction();
        if (meanwhile.status === 'rejected') throw meanwhile.reason;
        await others(db, other);
        await other.commitTransaction();
      }),
    );

export default {
  number: 38,
  name: 'cross-shard-transaction',
  title: 'Uniqueness inside a transaction across shards',
  question: 'Does a transaction keep an `_id` or an email unique where two shards are involved?',
  claims: ['X4'],
  needs: { features: ['transactions'] },
  sources: ['https://www.mongodb.com/docs/manual/core/transactions-sharded-clusters/'],

  async run(lab) {
    const rule = recordedIn('transaction-same-id-on-two-shards');
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    await lab.onTwoShards('claims', { key: '_id', at: 'm' });
    // A transaction right after a migration fails until router and shards have refreshed.
    await lab.step(
      'Nothing is there yet.',
      async (db) => [...(await users(db).find().toArray()), ...(await db.collection('claims').find().toArray())],
      { documents: 0 },
    );

    const twice = insert({ _id: 'x', uid: 1 }, { _id: 'x', uid: 2000 });
    await lab.step('One transaction inserts one `_id` on both shards.', transaction(twice), {
      documents: 2,
      claims: ['X4'],
    });
    await lab.counts('Users with that `_id`.', 'users', { _id: 'x' }, rule(5, { counts: [1, 1] }, 'X4'));
    await lab.step(
      'Another inserts it on one shard again, after a user that would be new.',
      transaction(insert({ _id: 'y', uid: 2001 }, { _id: 'x', uid: 5 })),
      { code: 11000 },
    );
    await lab.counts('None of it remains.', 'users', {}, rule(8, { counts: [1, 1] }));

    const both = [insert({ _id: 'a', uid: 2, email }), insert({ _id: 'b', uid: 2002, email })] as const;
    await lab.step('Two transactions look for an email, find it free, and insert it.', interleaved(taken, both), {
      ok: true,
    });
    await lab.step('Users with that email.', (db) => users(db).countDocuments({ email }), { documents: 2 });

    lab.instead();
    const claimed = [insert({ _id: 'c', uid: 3 }), insert({ _id: 'd', uid: 2003 })] as const;
    await lab.step('Each claims the email before its insert: the second fails.', interleaved(claim, claimed), {
      code: 112,
    });
    await lab.step('Tried again, it learns that the email is taken.', transaction(claim), { code: 11000 });
    await lab.counts('Users of the two.', 'users', { _id: { $in: ['c', 'd'] } }, { counts: [1, 0] });
  },
} satisfies Experiment;
