import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';

const composed = 'Zoë@example.com'.normalize('NFC');
const variants = [
  composed,
  composed.normalize('NFD'),
  composed.toUpperCase(),
  ' zoë+news@example.com'.normalize('NFC'),
];
/** What this business holds equal: letter case, composition, blanks around, and what follows a plus. */
const normalised = (email: string) =>
  email
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replace(/\+.*(?=@)/, '');
const insert = (collection: string, documents: object[]) => (db: Db) =>
  db.collection(collection).insertMany(
    documents.map((one) => ({ ...one })),
    { ordered: false },
  );
const index = (collection: string, key: Record<string, 1>, options: object) => (db: Db) =>
  db.collection(collection).createIndex(key, { unique: true, ...options });
const emails = variants.map((email, i) => ({ _id: i + 1, tenant: 1, email }));

export default {
  number: 20,
  name: 'normalisation',
  title: 'One email, written in four ways',
  question: 'Does a unique index refuse an email that is there already, written in another way?',
  claims: ['U16'],
  sources: ['https://www.mongodb.com/docs/manual/reference/collation/', 'https://www.unicode.org/reports/tr15/'],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'tenant', at: 100 });
    await lab.step('A plain unique index.', index('users', { tenant: 1, email: 1 }, {}), { ok: true });
    await lab.step('Composed, decomposed, in capitals, with a blank and a tag.', insert('users', emails), {
      ok: true,
      claims: ['U16'],
    });
    await lab.step(
      'The first two look alike and differ in their bytes.',
      (db) =>
        db
          .collection('users')
          .aggregate([{ $project: { email: 1, bytes: { $strLenBytes: '$email' } } }, { $sort: { _id: 1 } }])
          .toArray(),
      { documents: 4 },
    );
    const collation = { locale: 'en', strength: 2 };
    await lab.step('A collation, on an unsharded collection.', index('people', { email: 1 }, { collation }), {
      ok: true,
    });
    await lab.step('It refuses the second and third, not the fourth.', insert('people', emails), {
      code: 11000,
      claims: ['U16'],
    });

    lab.instead();
    const keyed = emails.map((one) => ({ ...one, emailKey: normalised(one.email) }));
    await lab.onTwoShards('accounts', { key: 'tenant', at: 100 });
    await lab.step('A field for the normalised email.', index('accounts', { tenant: 1, emailKey: 1 }, {}), {
      ok: true,
    });
    await lab.step('All but the first are refused.', insert('accounts', keyed), { code: 11000, claims: ['U16'] });
    await lab.counts('Accounts on each shard.', 'accounts', {}, { counts: [1, 0], claims: ['U16'] });
  },
} satisfies Experiment;
