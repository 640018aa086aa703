import type { Db, Document } from 'mongodb';
import type { Experiment } from './harness/define.ts';

const email = 'a@example.com';
const date = new Date('2024-05-01T00:00:00Z');
const index = (collection: string, emailVerifiedAt: Document) => (db: Db) =>
  db
    .collection(collection)
    .createIndex({ tenant: 1, email: 1 }, { unique: true, partialFilterExpression: { emailVerifiedAt } });
const register = (collection: string, name: string, tenant: number) => (db: Db) =>
  db.collection<{ _id: string }>(collection).insertOne({ _id: name, ...{ tenant, email } });
const verify = (collection: string, name: string, tenant: number, emailVerifiedAt: Date | string) => async (db: Db) => {
  const users = db.collection<{ _id: string; tenant: number; emailVerifiedAt: Date | string }>(collection);
  return (await users.updateOne({ _id: name, tenant }, { $set: { emailVerifiedAt } })).modifiedCount;
};

export default {
  number: 13,
  name: 'partial-unique-lifecycle',
  title: 'Emails that are unique once they are verified',
  question: 'When does a unique index of verified emails refuse: at registration or at verification?',
  claims: ['U6', 'U18'],
  sources: ['https://www.mongodb.com/docs/manual/core/index-partial/#partial-index-with-unique-constraint'],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'tenant', at: 100 });
    await lab.step('A unique index of the emails whose verification has a date.', index('users', { $type: 'date' }), {
      ok: true,
    });
    await lab.step('Ann registers.', register('users', 'ann', 1), { ok: true, claims: ['U6'] });
    await lab.step('Bob registers with her email.', register('users', 'bob', 1), { ok: true, claims: ['U6'] });
    await lab.step('Ann verifies it.', verify('users', 'ann', 1, date), { documents: 1, claims: ['U6'] });
    await lab.step('Bob verifies it.', verify('users', 'bob', 1, date), { code: 11000, claims: ['U6', 'U18'] });
    await lab.step('Cem of another tenant registers.', register('users', 'cem', 500), { ok: true });
    await lab.step('Cem verifies it.', verify('users', 'cem', 500, date), { documents: 1 });
    await lab.step('Bob verifies it with a date that is a string.', verify('users', 'bob', 1, date.toISOString()), {
      documents: 1,
    });
    const verified = { tenant: 1, email, emailVerifiedAt: { $exists: true } };
    await lab.counts('Users of his tenant with the email verified.', 'users', verified, { counts: [2, 0] });

    lab.instead();
    await lab.onTwoShards('people', { key: 'tenant', at: 100 });
    await lab.step(
      'An index of the emails that have the field, whatever its type.',
      index('people', { $exists: true }),
      {
        ok: true,
      },
    );
    await lab.step('Ann registers.', register('people', 'ann', 1), { ok: true });
    await lab.step('Bob registers with her email.', register('people', 'bob', 1), { ok: true });
    await lab.step('Ann verifies it.', verify('people', 'ann', 1, date), { documents: 1 });
    await lab.step('Bob verifies it with a string.', verify('people', 'bob', 1, date.toISOString()), { code: 11000 });
  },
} satisfies Experiment;
