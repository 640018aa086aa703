import type { Db, Document } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

const unique = (collection: string, key: Record<string, 1>, options: object) => (db: Db) =>
  db.collection(collection).createIndex(key, { unique: true, ...options });
const insert = (collection: string, document: Document) => (db: Db) => db.collection(collection).insertOne(document);
const sparse = { sparse: true };

export default {
  number: 15,
  name: 'sparse-unique',
  title: 'Sparse unique indexes',
  question: 'Does a sparse unique index let many documents be without the field?',
  claims: ['U8'],
  sources: ['https://www.mongodb.com/docs/manual/core/index-sparse/'],

  async run(lab) {
    const refused = { code: 11000, claims: ['U8'] } as const;
    const accepted = { ok: true, claims: ['U8'] } as const;
    await lab.step('A sparse unique index on an unsharded collection.', unique('guests', { phone: 1 }, sparse), {
      ok: true,
    });
    await lab.step('A user without a phone.', insert('guests', { _id: 1 }), accepted);
    await lab.step('Another without a phone.', insert('guests', { _id: 2 }), accepted);
    await lab.step('One whose phone is null.', insert('guests', { _id: 3, phone: null }), accepted);
    await lab.step('Another whose phone is null.', insert('guests', { _id: 4, phone: null }), refused);

    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    const rule = recordedIn('partial-unique-needs-prefix');
    await lab.step('The same on a sharded collection.', unique('users', { phone: 1 }, sparse), rule(4, { code: 67 }));
    await lab.step('One with the shard key in front.', unique('users', { uid: 1, phone: 1 }, sparse), { ok: true });
    await lab.step('A user without a phone.', insert('users', { _id: 1, uid: 1 }), { ok: true });
    await lab.step(
      'Another without a phone: having a uid, it is in the index, too.',
      insert('users', { _id: 2, uid: 1 }),
      {
        code: 11000,
        source: 'https://www.mongodb.com/docs/manual/core/index-sparse/#sparse-compound-indexes',
      },
    );

    lab.instead();
    await lab.onTwoShards('people', { key: 'uid', at: 1000 });
    const partial = { partialFilterExpression: { phone: { $exists: true } } };
    await lab.step(
      'A partial unique index of the phones that exist.',
      unique('people', { uid: 1, phone: 1 }, partial),
      { ok: true },
    );
    await lab.step('A user without a phone.', insert('people', { _id: 1, uid: 1 }), { ok: true });
    await lab.step('Another without a phone.', insert('people', { _id: 2, uid: 1 }), { ok: true });
    await lab.step('One with a phone.', insert('people', { _id: 3, uid: 1, phone: '1' }), { ok: true });
    await lab.step('Another with that phone.', insert('people', { _id: 4, uid: 1, phone: '1' }), { code: 11000 });
  },
} satisfies Experiment;
