import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

interface User {
  readonly _id: number;
  readonly uid: number;
  readonly phone?: string | null;
}
const insert = (collection: string, user: User) => (db: Db) => db.collection<User>(collection).insertOne({ ...user });
const index = (collection: string, options: object) => (db: Db) =>
  db.collection(collection).createIndex({ uid: 1, phone: 1 }, { unique: true, ...options });
const phone = '1';

export default {
  number: 10,
  name: 'null-and-missing',
  title: 'A unique index and documents without the field',
  question: 'How many documents may lack a field that a unique index is on?',
  claims: ['U4', 'K8'],
  sources: [
    'https://www.mongodb.com/docs/manual/core/index-unique/#missing-document-field-in-a-unique-single-field-index',
  ],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    const seen = recordedIn('unique-null-and-missing');
    await lab.step('A plain unique index.', index('users', {}), seen(3, { ok: true }));
    await lab.step('A user without a phone.', insert('users', { _id: 1, uid: 1 }), seen(4, { ok: true }, 'U4', 'K8'));
    await lab.step(
      'Another without a phone.',
      insert('users', { _id: 2, uid: 1 }),
      seen(5, { code: 11000 }, 'U4', 'K8'),
    );
    await lab.step(
      'One whose phone is null.',
      insert('users', { _id: 3, uid: 1, phone: null }),
      seen(6, { code: 11000 }, 'U4', 'K8'),
    );
    await lab.step('One with a phone.', insert('users', { _id: 4, uid: 1, phone }), seen(7, { ok: true }));
    await lab.step(
      'One without a phone, on the other shard.',
      insert('users', { _id: 6, uid: 2000 }),
      seen(9, { ok: true }),
    );
    await lab.step(
      'The null is in the index only: the document has no phone.',
      (db) =>
        db
          .collection('users')
          .find({ uid: 1, phone: { $exists: false } })
          .toArray(),
      { documents: 1 },
    );

    lab.instead();
    await lab.onTwoShards('people', { key: 'uid', at: 1000 });
    const whereItIs = { partialFilterExpression: { phone: { $type: 'string' } } };
    await lab.step('A partial unique index of the phones that are strings.', index('people', whereItIs), { ok: true });
    await lab.step('A user without a phone.', insert('people', { _id: 1, uid: 1 }), { ok: true });
    await lab.step('Another without a phone.', insert('people', { _id: 2, uid: 1 }), { ok: true });
    await lab.step('One whose phone is null.', insert('people', { _id: 3, uid: 1, phone: null }), { ok: true });
    await lab.step('One with a phone.', insert('people', { _id: 4, uid: 1, phone }), { ok: true });
    await lab.step('Another with that phone.', insert('people', { _id: 5, uid: 1, phone }), { code: 11000 });
  },
} satisfies Experiment;
