import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

const deleted = { deletedAt: new Date('2024-05-01T00:00:00Z') };
const live = { deletedAt: null };
const products = (db: Db) => db.collection<{ _id: string }>('products');
const unique = (key: Record<string, 1>, options: object) => (db: Db) =>
  products(db).createIndex(key, { unique: true, ...options });
const create = (fields: { _id: string; businessId: number; sku: string }) => (db: Db) =>
  products(db).insertOne({ ...fields, ...live });
const change = (_id: string, fields: object) => async (db: Db) =>
  (await products(db).updateOne({ _id, businessId: 1 }, { $set: fields })).modifiedCount;

export default {
  number: 4,
  name: 'soft-delete-restore',
  title: 'Soft delete and restore on a sharded collection',
  question: 'Can the key of a soft-deleted document be used again, and what happens when the document is restored?',
  claims: ['U9', 'U10', 'X5'],
  sources: ['https://www.mongodb.com/docs/manual/core/index-partial/#partial-index-with-unique-constraint'],

  async run(lab) {
    await lab.onTwoShards('products', { key: 'businessId', at: 100 });
    const A = { _id: 'A', businessId: 1, sku: 'X' };
    const B = { ...A, _id: 'B' };
    const key = { businessId: 1, sku: 1 } as const;
    const changed = { documents: 1 };

    await lab.step('A plain unique index.', unique(key, {}), { ok: true });
    await lab.step('Product A.', create(A), { ok: true });
    await lab.step('A is deleted softly.', change('A', deleted), changed);
    await lab.step('Product B with the key of A.', create(B), { code: 11000, claims: ['U9'] });

    const prefix = recordedIn('partial-unique-needs-prefix');
    const onLive = { partialFilterExpression: live, name: 'live_sku' };
    await lab.step('A partial unique index on `sku` alone.', unique({ sku: 1 }, onLive), prefix(3, { code: 67 }, 'X5'));
    await lab.step('A sparse one.', unique({ sku: 1 }, { sparse: true }), prefix(4, { code: 67 }, 'X5'));

    const story = recordedIn('soft-delete-restore');
    await lab.step('The plain index goes …', (db) => products(db).dropIndex('businessId_1_sku_1'), { ok: true });
    await lab.step(
      '… and a partial one with the shard key in front comes.',
      unique(key, onLive),
      story(3, { ok: true }, 'X5'),
    );
    await lab.step('Product B with the key of A.', create(B), story(7, { ok: true }, 'U9'));
    await lab.step('A is restored while B has its key.', change('A', live), story(8, { code: 11000 }, 'U10'));
    await lab.step('B is deleted softly.', change('B', deleted), story(9, changed));
    await lab.step('A is restored now that its key is free.', change('A', live), story(10, changed, 'U10'));

    lab.instead();
    await lab.step('B is restored under a key of its own.', change('B', { ...live, sku: 'X-2' }), changed);
    await lab.step(
      'A business on the other shard has a product with this sku, and even with this `_id`.',
      create({ ...A, businessId: 500 }),
      story(12, { ok: true }),
    );
    await lab.counts('Live products with sku X.', 'products', { sku: 'X', ...live }, story(13, { counts: [1, 1] }));
  },
} satisfies Experiment;
