import { type Db, MaxKey, MinKey } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

const order = (_id: number, region: string, number: number) => (db: Db) =>
  db.collection<{ _id: number; region: string; number: number }>('orders').insertOne({ _id, region, number });
const invoice = (_id: number, number: number) => (db: Db) =>
  db.collection<{ _id: number; number: number }>('invoices').insertOne({ _id, number });

export default {
  number: 6,
  name: 'compound-shard-key-unique',
  title: 'A shard key of two fields, declared unique',
  question: 'Is an order number unique on the cluster when the shard key is `{ region, number }` and unique?',
  claims: ['K4'],
  sources: ['https://www.mongodb.com/docs/manual/core/sharding-shard-key/#unique-indexes'],

  async run(lab) {
    const [, second = ''] = lab.shards;
    const fromM = {
      min: { region: 'm', number: new MinKey() },
      max: { region: new MaxKey(), number: new MaxKey() },
    };
    await lab.shardCollection('orders', { region: 1, number: 1 }, { unique: true });
    await lab.splitAt('orders', fromM.min);
    await lab.moveRange('orders', fromM, second);

    const zones = recordedIn('zones-place-ranges');
    await lab.step('Order 1 of region east.', order(1, 'east', 1), zones(5, { ok: true }));
    await lab.step('Order 1 of region west, on the other shard.', order(2, 'west', 1), zones(6, { ok: true }, 'K4'));
    await lab.step('Order 1 of region west again.', order(3, 'west', 1), zones(7, { code: 11000 }, 'K4'));
    await lab.step('Order 2 of region west.', order(4, 'west', 2), { ok: true, claims: ['K4'] });
    await lab.step('Order 1 of a third region, on the first shard.', order(5, 'centre', 1), {
      ok: true,
      claims: ['K4'],
    });
    await lab.counts('Orders with number 1.', 'orders', { number: 1 }, { counts: [2, 1], claims: ['K4'] });

    lab.instead();
    await lab.onTwoShards('invoices', { key: 'number', at: 1000, unique: true });
    await lab.step('Invoice 1, its number being the whole shard key.', invoice(1, 1), { ok: true });
    await lab.step('Number 1 again.', invoice(2, 1), { code: 11000 });
    await lab.step('A number of the other shard.', invoice(3, 5000), { ok: true });
    await lab.step('That number again.', invoice(4, 5000), { code: 11000 });
  },
} satisfies Experiment;
