import type { Db } from 'mongodb';
import { addShardToZone, type Router, shardCollection, updateZoneKeyRange } from '../cluster/sharding.ts';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

interface Order {
  readonly _id: number;
  readonly region: string;
  readonly id: number;
}
const insert = (order: Order) => (db: Db) => db.collection<Order>('orders').insertOne({ ...order });
const east = { min: { region: 'e', id: 0 }, max: { region: 'f', id: 0 } };
const west = { min: { region: 'w', id: 0 }, max: { region: 'x', id: 0 } };

export default {
  number: 46,
  name: 'zones',
  title: 'Zones and a unique shard key',
  question:
    'If the region comes first in a unique shard key and each region has a zone, where is an order number unique?',
  claims: ['X14'],
  sources: ['https://www.mongodb.com/docs/manual/core/zone-sharding/'],

  async run(lab) {
    const [first = '', second = ''] = lab.shards;
    const rule = recordedIn('zones-place-ranges');
    const [eastern, western] = [`${lab.database}-east`, `${lab.database}-west`];
    const assign = (router: Router, zones: readonly [string, string] | readonly [null, null]) =>
      updateZoneKeyRange(router, lab.ns('orders'), east, zones[0]).then(() =>
        updateZoneKeyRange(router, lab.ns('orders'), west, zones[1]),
      );

    await lab.step(
      'Each shard gets a zone …',
      async (_, router) => {
        await addShardToZone(router, first, western);
        await addShardToZone(router, second, eastern);
      },
      rule(1, { ok: true }),
    );
    await lab.step(
      '… and each zone a range of regions.',
      (_, router) => assign(router, [eastern, western]),
      rule(3, { ok: true }),
    );
    await lab.step(
      'The collection is sharded by region and number, declared unique.',
      (_, router) => shardCollection(router, lab.ns('orders'), { region: 1, id: 1 }, { unique: true }),
      rule(4, { ok: true }),
    );
    await lab.step('An order of the east.', insert({ _id: 1, region: 'east', id: 1 }), rule(5, { ok: true }));
    await lab.step('Its number in the west.', insert({ _id: 2, region: 'west', id: 1 }), rule(6, { ok: true }, 'X14'));
    await lab.step(
      'Once more in the west.',
      insert({ _id: 3, region: 'west', id: 1 }),
      rule(7, { code: 11000 }, 'X14'),
    );
    await lab.counts('Orders of the east.', 'orders', { region: 'east' }, rule(8, { counts: [0, 1] }, 'X14'));
    await lab.counts('Orders of the west.', 'orders', { region: 'west' }, rule(9, { counts: [1, 0] }, 'X14'));
    await lab.step('Its number in another region of the same zone.', insert({ _id: 4, region: 'wales', id: 1 }), {
      ok: true,
    });
    await lab.step(
      'The zones are taken off again.',
      async (db, router) => {
        await assign(router, [null, null]);
        await db.admin().command({ removeShardFromZone: first, zone: western });
        await db.admin().command({ removeShardFromZone: second, zone: eastern });
      },
      rule(13, { ok: true }),
    );

    lab.instead();
    await lab.onTwoShards('parcels', { key: { zone: 1, id: 1 }, at: { zone: 'f', id: 0 }, unique: true });
    const parcel = (zone: string, region: string) => (db: Db) =>
      db.collection('parcels').insertOne({ zone, region, id: 1 });
    await lab.step('With the name of the zone in the shard key, a number …', parcel('west', 'wales'), { ok: true });
    await lab.step('… is refused in another region of the zone …', parcel('west', 'west'), {
      code: 11000,
      claims: ['X14'],
    });
    await lab.step('… and accepted in another zone.', parcel('east', 'east'), { ok: true, claims: ['X14'] });
    await lab.counts('Parcels on each shard.', 'parcels', {}, { counts: [1, 1] });
  },
} satisfies Experiment;
