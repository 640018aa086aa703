import { type Db, MinKey } from 'mongodb';
import { moveRange, splitAt } from '../cluster/sharding.ts';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

const twenty = Array.from({ length: 20 }, (_, _id) => ({ _id, uid: 7 }));
const users = (db: Db) => db.collection<{ _id: number }>('users');

export default {
  number: 48,
  name: 'one-value-chunk',
  title: 'Many documents with one value of the shard key',
  question: 'Can documents that share their value of the shard key be spread over two shards?',
  claims: ['K14'],
  needs: { mongodb: '>=4.4.0' },
  sources: [
    'https://www.mongodb.com/docs/manual/core/sharding-data-partitioning/#indivisible-jumbo-chunks',
    'https://www.mongodb.com/docs/manual/reference/command/refineCollectionShardKey/',
  ],

  async run(lab) {
    const [, second = ''] = lab.shards;
    const rule = recordedIn('chunk-of-one-value');
    const median = (db: Db) => db.admin().command({ split: lab.ns('users'), find: { uid: 7 } });
    await lab.shardCollection('users', { uid: 1 });
    await lab.step('Twenty users with one `uid`.', (db) => users(db).insertMany([...twenty]), rule(1, { ok: true }));
    await lab.step('The chunk is to be split at its median.', median, rule(2, { code: 87 }));
    await lab.step(
      'It is split below the value …',
      (_, router) => splitAt(router, lab.ns('users'), { uid: 7 }),
      rule(3, { ok: true }),
    );
    await lab.step(
      '… and above it.',
      (_, router) => splitAt(router, lab.ns('users'), { uid: 8 }),
      rule(4, { ok: true }),
    );
    await lab.step('What is left cannot be split …', median, rule(5, { code: 87 }));
    await lab.step(
      '… but it can move.',
      (_, router) => moveRange(router, lab.ns('users'), { min: { uid: 7 }, max: { uid: 8 } }, second),
      rule(6, { ok: true }),
    );
    await lab.counts('All of them have moved.', 'users', { uid: 7 }, rule(7, { counts: [0, 20] }, 'K14'));

    lab.instead();
    await lab.step('An index on a longer key.', (db) => users(db).createIndex({ uid: 1, _id: 1 }), { ok: true });
    await lab.step(
      'The shard key becomes the longer one.',
      (db) => db.admin().command({ refineCollectionShardKey: lab.ns('users'), key: { uid: 1, _id: 1 } }),
      { ok: true },
    );
    const half = { min: { uid: 7, _id: new MinKey() }, max: { uid: 7, _id: 10 } };
    await lab.step(
      'Now the chunk can be split within the value.',
      (_, router) => splitAt(router, lab.ns('users'), half.max),
      { ok: true },
    );
    await lab.step(
      'One half moves back.',
      (_, router) => moveRange(router, lab.ns('users'), half, lab.shards[0] ?? ''),
      { ok: true },
    );
    await lab.counts('Users with that `uid`.', 'users', { uid: 7 }, { counts: [10, 10], claims: ['K14'] });
  },
} satisfies Experiment;
