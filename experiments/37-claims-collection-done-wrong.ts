import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';

interface Profile {
  readonly uid: number;
  readonly email: string;
}
interface Claim {
  readonly _id: string | number;
  readonly owner: number;
  readonly email?: string;
}
const a = 'a@example.com';
const b = 'b@example.com';
const c = 'c@example.com';
const write = (uid: number, email: string) => (db: Db) => db.collection<Profile>('profiles').insertOne({ uid, email });
const claim = (collection: string, fields: Claim) => (db: Db) =>
  db.collection<Claim>(collection).insertOne({ ...fields });
const inTurn =
  (...calls: ((db: Db) => Promise<unknown>)[]) =>
  async (db: Db) => {
    for (const call of calls) await call(db);
  };
const ok = { ok: true } as const;
const taken = { code: 11000 };

export default {
  number: 37,
  name: 'claims-collection-done-wrong',
  title: 'A claims collection, done wrong',
  question:
    'What goes wrong when a claim is written last, released first, or sharded by something else than its value?',
  claims: ['X3'],
  sources: ['https://www.mongodb.com/docs/manual/core/sharding-shard-key/#unique-indexes'],

  async run(lab) {
    await lab.onTwoShards('profiles', { key: 'uid', at: 1000 });
    await lab.onTwoShards('claims', { key: '_id', at: 'm' });

    await lab.step(
      'Profile first: user 1 writes its profile, then claims the email.',
      inTurn(write(1, a), claim('claims', { _id: a, owner: 1 })),
      ok,
    );
    await lab.step(
      'User 2000 does the same, and is refused too late.',
      inTurn(write(2000, a), claim('claims', { _id: a, owner: 2000 })),
      taken,
    );
    await lab.counts('Profiles with that email.', 'profiles', { email: a }, { counts: [1, 1] });

    await lab.step(
      'Claim released first: user 3 has an email …',
      inTurn(claim('claims', { _id: b, owner: 3 }), write(3, b)),
      ok,
    );
    await lab.step(
      '… deletes its claim, and crashes before it deletes its profile.',
      (db) => db.collection<Claim>('claims').deleteOne({ _id: b, owner: 3 }),
      ok,
    );
    await lab.step(
      'User 2001 claims the email and writes its profile.',
      inTurn(claim('claims', { _id: b, owner: 2001 }), write(2001, b)),
      ok,
    );
    await lab.counts('Profiles with that email.', 'profiles', { email: b }, { counts: [1, 1] });

    await lab.onTwoShards('claims_by_owner', { key: 'owner', at: 1000 });
    await lab.step('A claim that is sharded by its owner …', claim('claims_by_owner', { _id: c, owner: 4 }), ok);
    await lab.step('… does not meet that of another owner.', claim('claims_by_owner', { _id: c, owner: 2002 }), ok);
    await lab.counts('Claims of that email.', 'claims_by_owner', { _id: c }, { counts: [1, 1] });

    lab.instead();
    await lab.step(
      'Sharded by the value and written first, a claim is accepted …',
      inTurn(claim('claims', { _id: c, owner: 4 }), write(4, c)),
      ok,
    );
    await lab.step(
      '… and the next one is refused in time.',
      inTurn(claim('claims', { _id: c, owner: 2002 }), write(2002, c)),
      { ...taken, claims: ['X3'] },
    );
    await lab.counts('Profiles with that email.', 'profiles', { email: c }, { counts: [1, 0], claims: ['X3'] });
  },
} satisfies Experiment;
