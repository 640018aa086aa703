import type { Db, Document } from 'mongodb';
import type { Experiment } from './harness/define.ts';

const collation = { locale: 'en', strength: 2 };
const insert = (collection: string, document: Document) => (db: Db) => db.collection(collection).insertOne(document);
const unique = (collection: string, key: Record<string, 1>, options: object) => (db: Db) =>
  db.collection(collection).createIndex(key, { unique: true, ...options });
const byEmail = (options: object) => (db: Db) => db.collection('people').find({ email: 'ann@example.com' }, options);

export default {
  number: 16,
  name: 'collation-unique',
  title: 'Emails that differ in letter case',
  question: 'Can a collation make emails unique whatever their letter case, and which queries find them?',
  claims: ['U11'],
  sources: [
    'https://www.mongodb.com/docs/manual/reference/collation/#collation-and-index-use',
    'isIndexUniquenessAndCollationCompatible in src/mongo/db/global_catalog/shard_key_pattern.cpp (mongodb/mongo)',
  ],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'tenant', at: 100 });
    await lab.step(
      'A unique index with a collation, on a sharded collection.',
      unique('users', { tenant: 1, email: 1 }, { collation }),
      {
        versions: { '<=8.0': { ok: true }, '>=9.0.0': { code: 67 } },
        states: { code: 67 },
        recording: 'collation-unique#3',
      },
    );

    await lab.step('The same on an unsharded collection.', unique('people', { email: 1 }, { collation }), { ok: true });
    await lab.step('An email.', insert('people', { _id: 1, email: 'Ann@example.com' }), { ok: true, claims: ['U11'] });
    await lab.step('It again, in other letters.', insert('people', { _id: 2, email: 'ANN@Example.com' }), {
      code: 11000,
      claims: ['U11'],
    });
    await lab.explain('A query without the collation (only the first shard has the collection).', byEmail({}), {
      scan: 'COLLSCAN',
      claims: ['U11'],
    });
    await lab.step('It does not find the email.', (db) => byEmail({})(db).toArray(), { documents: 0 });
    await lab.explain('A query with it.', byEmail({ collation }), { scan: 'email_1', claims: ['U11'] });
    await lab.step('It finds the email.', (db) => byEmail({ collation })(db).toArray(), { documents: 1 });

    lab.instead();
    const account = (_id: number, tenant: number, email: string) =>
      insert('accounts', { _id, tenant, email, emailKey: email.toLowerCase() });
    await lab.onTwoShards('accounts', { key: 'tenant', at: 100 });
    await lab.step(
      'A unique index on the email in small letters.',
      unique('accounts', { tenant: 1, emailKey: 1 }, {}),
      {
        ok: true,
      },
    );
    await lab.step('An email.', account(1, 1, 'Ann@example.com'), { ok: true });
    await lab.step('It again, in other letters.', account(2, 1, 'ANN@Example.com'), { code: 11000 });
    await lab.step('The email of a tenant on the other shard.', account(3, 200, 'Ann@example.com'), { ok: true });
  },
} satisfies Experiment;
