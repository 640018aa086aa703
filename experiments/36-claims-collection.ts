import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';

interface Claim {
  readonly _id: string;
  readonly owner: number;
}
interface Profile {
  readonly _id: number;
  readonly uid: number;
  readonly email: string;
}
const a = 'a@example.com';
const b = 'b@example.com';
const n = 'n@example.com';
const claims = (db: Db) => db.collection<Claim>('claims');
const profiles = (db: Db) => db.collection<Profile>('profiles');
/** Inserts the claim, finds it if it is the owner's own, and fails if it is another's: so it may be tried again. */
const claim = (owner: number, email: string) => (db: Db) =>
  claims(db).replaceOne({ _id: email, owner }, { owner }, { upsert: true });
const write = (uid: number, email: string) => (db: Db) =>
  profiles(db).replaceOne({ _id: uid, uid }, { uid, email }, { upsert: true });
const register = (uid: number, email: string) => async (db: Db) => {
  await claim(uid, email)(db);
  await write(uid, email)(db);
};
const ok = { ok: true } as const;
const taken = { code: 11000, claims: ['X3'] } as const;

export default {
  number: 36,
  name: 'claims-collection',
  title: 'A unique field that is not the shard key: claim it first',
  question: 'Can an email be unique on the whole cluster while profiles are sharded by `uid`?',
  claims: ['X3'],
  sources: ['https://www.mongodb.com/docs/manual/core/sharding-shard-key/#unique-indexes'],

  async run(lab) {
    await lab.onTwoShards('profiles', { key: 'uid', at: 1000 });
    await lab.onTwoShards('claims', { key: '_id', at: 'm' });

    await lab.step('User 1 claims an email, then writes its profile.', register(1, a), ok);
    await lab.step('User 2000, of the other shard, claims it too, and gets no further.', register(2000, a), taken);
    await lab.counts('Profiles with that email.', 'profiles', { email: a }, { counts: [1, 0], claims: ['X3'] });

    await lab.step('User 2 claims another email, and crashes before it writes.', claim(2, b), ok);
    await lab.step('User 2001 does not get that email.', register(2001, b), taken);
    await lab.step('User 2 tries again: both writes find what is there, or make it.', register(2, b), ok);
    await lab.step('And once more.', register(2, b), ok);
    await lab.counts('Profiles with that email.', 'profiles', { email: b }, { counts: [1, 0], claims: ['X3'] });

    let next = 0;
    const someone = () => 3000 + next++; // of one shard, so that the documents per shard do not hang on who wins
    const race = { winners: 'exactly one', ...taken } as const;
    await lab.race('Twelve users register one email at once.', 12, (db) => register(someone(), n)(db), race);
    await lab.step('Profiles with that email.', (db) => profiles(db).countDocuments({ email: n }), {
      documents: 1,
      claims: ['X3'],
    });

    lab.instead();
    await lab.step(
      'To give an email back, user 1 deletes its profile first …',
      (db) => profiles(db).deleteOne({ uid: 1, email: a }),
      ok,
    );
    await lab.step('… and then its own claim.', (db) => claims(db).deleteOne({ _id: a, owner: 1 }), ok);
    await lab.step('Now user 2000 gets the email.', register(2000, a), ok);
    await lab.counts('Profiles with that email.', 'profiles', { email: a }, { counts: [0, 1] });
  },
} satisfies Experiment;
