import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

const product = (fields: object) => (db: Db) => db.collection('products').insertOne({ ...fields });
const entry = (fields: object) => (db: Db) => db.collection('catalogue').insertOne({ ...fields });
const sku = 'X';

export default {
  number: 5,
  name: 'compound-unique',
  title: 'A unique index on two fields',
  question: 'What does a unique index on `businessId` and `sku` refuse, and what does it accept?',
  claims: ['U1'],
  sources: ['https://www.mongodb.com/docs/manual/core/index-unique/#unique-compound-index'],

  async run(lab) {
    await lab.onTwoShards('products', { key: 'businessId', at: 100 });

    const rule = recordedIn('prefix-unique-meaning');
    await lab.step(
      'A unique index on the two.',
      (db) => db.collection('products').createIndex({ businessId: 1, sku: 1 }, { unique: true }),
      rule(3, { ok: true }),
    );
    await lab.step('Product X of business 1.', product({ _id: 1, businessId: 1, sku }), rule(4, { ok: true }));
    await lab.step(
      'The same combination again.',
      product({ _id: 2, businessId: 1, sku }),
      rule(5, { code: 11000 }, 'U1'),
    );
    await lab.step('The same business, another sku.', product({ _id: 3, businessId: 1, sku: 'Y' }), {
      ok: true,
      claims: ['U1'],
    });
    await lab.step(
      'The same sku, another business of the same shard.',
      product({ _id: 4, businessId: 2, sku }),
      rule(7, { ok: true }, 'U1'),
    );
    await lab.step(
      'The same sku, a business of the other shard.',
      product({ _id: 5, businessId: 200, sku }),
      rule(6, { ok: true }, 'U1'),
    );
    await lab.counts('Products with this sku.', 'products', { sku }, rule(8, { counts: [2, 1] }));

    lab.instead();
    await lab.onTwoShards('catalogue', { key: 'sku', at: 'm', unique: true });
    await lab.step('Product X of business 1, the sku being the shard key.', entry({ _id: 1, businessId: 1, sku }), {
      ok: true,
    });
    await lab.step('The same sku, another business.', entry({ _id: 2, businessId: 200, sku }), { code: 11000 });
  },
} satisfies Experiment;
