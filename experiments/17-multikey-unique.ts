import type { Db, Document } from 'mongodb';
import type { Experiment } from './harness/define.ts';

const [a, b, c] = ['a@example.com', 'b@example.com', 'c@example.com'];
const insert = (collection: string, document: Document) => (db: Db) => db.collection(collection).insertOne(document);
const unique = (collection: string, key: Record<string, 1>) => (db: Db) =>
  db.collection(collection).createIndex(key, { unique: true });
const push = (email: string) => async (db: Db) =>
  (
    await db
      .collection<{ emails: string[] }>('users')
      .updateOne({ tenant: 1, name: 'Ann' }, { $push: { emails: email } })
  ).modifiedCount;

export default {
  number: 17,
  name: 'multikey-unique',
  title: 'A unique index on an array',
  question: 'Is every element of an array unique when a unique index is on the array?',
  claims: ['U13'],
  sources: ['https://www.mongodb.com/docs/manual/core/index-unique/#unique-constraint-across-separate-documents'],

  async run(lab) {
    const accepted = { ok: true, claims: ['U13'] } as const;
    const refused = { code: 11000, claims: ['U13'] } as const;
    await lab.onTwoShards('users', { key: 'tenant', at: 100 });
    await lab.step('A unique index on the emails.', unique('users', { tenant: 1, emails: 1 }), { ok: true });
    await lab.step('Ann gives one email twice.', insert('users', { tenant: 1, name: 'Ann', emails: [a, a] }), accepted);
    await lab.step('Bob gives it, too.', insert('users', { tenant: 1, name: 'Bob', emails: [b, a] }), refused);
    await lab.step('Bob gives only others.', insert('users', { tenant: 1, name: 'Bob', emails: [b, c] }), accepted);
    await lab.step('Ann adds hers a third time.', push(a), { documents: 1, claims: ['U13'] });
    await lab.step("Ann adds one of Bob's.", push(b), refused);
    await lab.step("Cem of a tenant on the other shard gives Ann's.", insert('users', { tenant: 200, emails: [a] }), {
      ok: true,
    });

    lab.instead();
    const email = (user: string, email: string) => insert('emails', { tenant: 1, user, email });
    await lab.onTwoShards('emails', { key: 'tenant', at: 100 });
    await lab.step('A collection with one document for each email.', unique('emails', { tenant: 1, email: 1 }), {
      ok: true,
    });
    await lab.step('Ann gives one.', email('Ann', a), { ok: true });
    await lab.step('Ann gives it twice.', email('Ann', a), { code: 11000 });
    await lab.step('Bob gives it, too.', email('Bob', a), { code: 11000 });
  },
} satisfies Experiment;
