import { type Db, MaxKey, MinKey } from 'mongodb';
import { shardCollection } from '../cluster/sharding.ts';
import type { Experiment } from './harness/define.ts';

interface Order {
  readonly region: string;
  readonly number: number;
}
const orders = (db: Db) => db.collection<Order>('orders');
const unique =
  (...fields: string[]) =>
  (db: Db) =>
    orders(db).createIndex(Object.fromEntries(fields.map((field) => [field, 1])), { unique: true });
const insert = (region: string, number: number) => (db: Db) => orders(db).insertOne({ region, number });

export default {
  number: 43,
  name: 'compound-hashed',
  title: 'Compound hashed shard keys and uniqueness',
  question: 'What can be unique where a hashed field is a part of the shard key?',
  claims: ['X10'],
  needs: { mongodb: '>=4.4.0' },
  sources: [
    'https://www.mongodb.com/docs/manual/core/hashed-sharding/',
    'jstests/sharding/hash_shard_unique_compound.js (mongodb/mongo)',
  ],

  async run(lab) {
    const shard = (caption: string, key: Record<string, 1 | 'hashed'>) =>
      lab.step(caption, (_, router) => shardCollection(router, lab.ns('orders'), key, { unique: true }), {
        code: 72,
        claims: ['X10'],
      });
    await shard('A key that ends with a hashed field, declared unique.', { region: 1, number: 'hashed' });
    await shard('One that begins with it.', { number: 'hashed', region: 1 });

    await lab.shardCollection('orders', { region: 1, number: 'hashed' });
    const upper = { min: { region: 'm', number: new MinKey() }, max: { region: new MaxKey(), number: new MaxKey() } };
    await lab.splitAt('orders', upper.min);
    await lab.moveRange('orders', upper, lab.shards[1] ?? '');
    await lab.step('A unique index on the hashed field alone.', unique('number'), { code: 67 });
    await lab.step('One on both, the hashed field first.', unique('number', 'region'), { code: 67 });

    lab.instead();
    await lab.step('One on both in the order of the shard key.', unique('region', 'number'), { ok: true });
    await lab.step('An order.', insert('east', 7), { ok: true });
    await lab.step('Its region and number again.', insert('east', 7), { code: 11000 });
    await lab.step('Its number in a region of the other shard.', insert('west', 7), { ok: true });
    await lab.counts('Orders on each shard.', 'orders', {}, { counts: [1, 1] });
  },
} satisfies Experiment;
