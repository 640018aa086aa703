import type { Db, Document } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

const unique = (collection: string, partialFilterExpression: Document) => (db: Db) =>
  db.collection(collection).createIndex({ biz: 1, sku: 1 }, { unique: true, partialFilterExpression });
const insert = (collection: string, document: Document) => (db: Db) => db.collection(collection).insertOne(document);
const first = { biz: 1, sku: 'X' };
const second = { biz: 1, sku: 'Y' };
const deletedAt = new Date('2024-05-01T00:00:00Z');

export default {
  number: 12,
  name: 'soft-delete-filter-forms',
  title: 'How to say "not deleted" in a partial index',
  question: 'Which filter makes a unique index bind the documents that are not deleted?',
  claims: ['U5'],
  sources: ['https://www.mongodb.com/docs/manual/core/index-partial/#create-a-partial-index'],

  async run(lab) {
    await lab.onTwoShards('flagged', { key: 'biz', at: 100 });
    const forms = recordedIn('soft-delete-filter-forms');
    const flagged = (filter: Document) => unique('flagged', filter);
    await lab.step('By `$exists: false`.', flagged({ deletedAt: { $exists: false } }), forms(3, { code: 67 }));
    await lab.step('By `$ne`.', flagged({ deletedAt: { $ne: null } }), forms(4, { code: 67 }));
    await lab.step('By `$nor`.', flagged({ $nor: [{ deleted: true }] }), forms(5, { code: 67 }));
    await lab.step('By a flag that is false.', flagged({ deleted: false }), forms(6, { ok: true }));
    await lab.step(
      'A document without the flag.',
      insert('flagged', { _id: 1, ...first }),
      forms(7, { ok: true }, 'U5'),
    );
    await lab.step(
      'Its key again, without the flag.',
      insert('flagged', { _id: 2, ...first }),
      forms(8, { ok: true }, 'U5'),
    );
    await lab.step(
      'One with the flag.',
      insert('flagged', { _id: 3, ...second, deleted: false }),
      forms(9, { ok: true }),
    );
    await lab.step(
      'Its key again, with the flag.',
      insert('flagged', { _id: 4, ...second, deleted: false }),
      forms(10, { code: 11000 }, 'U5'),
    );

    lab.instead();
    await lab.onTwoShards('dated', { key: 'biz', at: 100 });
    const refused = { code: 11000, claims: ['U5'] } as const;
    const accepted = { ok: true, claims: ['U5'] } as const;
    await lab.step('By a date that is null.', unique('dated', { deletedAt: null }), { ok: true });
    await lab.step('A document without a date.', insert('dated', { _id: 1, ...first }), accepted);
    await lab.step('Its key again, without a date.', insert('dated', { _id: 2, ...first }), refused);
    await lab.step('Its key again, the date null.', insert('dated', { _id: 3, ...first, deletedAt: null }), refused);
    await lab.step('Its key again, deleted.', insert('dated', { _id: 4, ...first, deletedAt }), accepted);
    await lab.step('Its key again, deleted, too.', insert('dated', { _id: 5, ...first, deletedAt }), accepted);
    await lab.step('Its key on the other shard.', insert('dated', { _id: 6, ...first, biz: 500 }), { ok: true });
  },
} satisfies Experiment;
