import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

const email = 'a@example.com';
const look = (db: Db) => db.collection('users').find({ email }).toArray();
const signUp = (uid: number) => (db: Db) => db.collection('users').insertOne({ uid, email });
const claim = (email: string) => (db: Db) => db.collection('accounts').insertOne({ email });

export default {
  number: 7,
  name: 'check-then-insert-race',
  title: 'Looking whether an email is free, then inserting it',
  question: 'Is it enough to look for an email before inserting it?',
  claims: ['U2'],
  sources: ['https://www.mongodb.com/docs/manual/core/index-unique/'],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    await lab.step('Client A looks: the email is free.', look, { documents: 0 });
    await lab.step('Client B looks: the email is free.', look, { documents: 0 });
    await lab.step('Client A signs up with it.', signUp(1), { ok: true, claims: ['U2'] });
    await lab.step('Client B signs up with it, too.', signUp(2000), { ok: true, claims: ['U2'] });
    await lab.counts('Users with this email.', 'users', { email }, { counts: [1, 1], claims: ['U2'] });

    const unguarded = recordedIn('concurrent-insert-race-without-unique');
    await lab.race(
      'Twelve clients insert one user at the same time.',
      12,
      (db) => db.collection('users').insertOne({ uid: 5, email: 'b@example.com' }),
      unguarded(3, { winners: 'more than one' }),
    );

    lab.instead();
    await lab.onTwoShards('accounts', { key: 'email', at: 'm', unique: true });
    const guarded = recordedIn('concurrent-insert-race');
    const one = { winners: 'exactly one', code: 11000 } as const;
    await lab.race('Twelve clients claim one email.', 12, claim(email), guarded(3, one, 'U2'));
    await lab.race('Twelve claim one of the other shard.', 12, claim('z@example.com'), guarded(4, one, 'U2'));
    await lab.counts('Accounts on each shard.', 'accounts', {}, { counts: [1, 1], claims: ['U2'] });
  },
} satisfies Experiment;
