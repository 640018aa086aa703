import type { Db, Document } from 'mongodb';
import type { Experiment } from './harness/define.ts';

const sku = 'X';
const query = (filter: Document) => (db: Db) => db.collection('products').find(filter);
const index = (key: Record<string, 1>, options: object) => (db: Db) =>
  db.collection('products').createIndex(key, options);
const scans = (scan: string) => ({ scan, claims: ['U7'] }) as const;

export default {
  number: 14,
  name: 'partial-index-and-planner',
  title: 'When a query uses a partial index',
  question: 'Which queries can use an index that holds the active products only?',
  claims: ['U7'],
  sources: [
    'https://www.mongodb.com/docs/manual/core/index-partial/#query-coverage',
    'QueryPlanner::plan in src/mongo/db/query/query_planner.cpp (mongodb/mongo), for the hint',
  ],

  async run(lab) {
    await lab.onTwoShards('products', { key: 'businessId', at: 100 });
    await lab.step(
      'An active product on each shard, and one that is not active.',
      (db) =>
        db.collection<{ _id: number; businessId: number; sku: string; active: boolean }>('products').insertMany([
          { _id: 1, businessId: 1, sku, active: true },
          { _id: 2, businessId: 200, sku, active: true },
          { _id: 3, businessId: 300, sku, active: false },
        ]),
      { ok: true },
    );
    const partial = { partialFilterExpression: { active: true }, name: 'active_sku' };
    await lab.step('An index of the active ones.', index({ sku: 1 }, partial), { ok: true });
    await lab.explain('A query for active ones.', query({ sku, active: true }), scans('active_sku'));
    await lab.explain('A query that does not say.', query({ sku }), scans('COLLSCAN'));
    await lab.explain(
      '"Not inactive" does not guarantee it.',
      query({ sku, active: { $ne: false } }),
      scans('COLLSCAN'),
    );
    await lab.step('The query that does not say finds all.', (db) => query({ sku })(db).sort({ _id: 1 }).toArray(), {
      documents: 3,
    });
    await lab.step(
      'Made to use the index by a hint, it loses a product.',
      (db) => query({ sku })(db).sort({ _id: 1 }).hint('active_sku').toArray(),
      { documents: 2 },
    );

    lab.instead();
    await lab.step('An index for both kinds.', index({ sku: 1, active: 1 }, { name: 'sku_active' }), { ok: true });
    await lab.explain('It serves the query that does not say.', query({ sku }), { scan: 'sku_active' });
    await lab.step('It finds all.', (db) => query({ sku })(db).sort({ _id: 1 }).toArray(), { documents: 3 });
  },
} satisfies Experiment;
