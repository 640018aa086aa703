import { isDeepStrictEqual } from 'node:util';
import { type Db, MaxKey } from 'mongodb';
import { moveRange, type PlacedChunk, placement } from '../cluster/sharding.ts';
import type { Experiment } from './harness/define.ts';

const users = (db: Db) => db.collection('users');
const forty = Array.from({ length: 40 }, (_, i) => ({ uid: i * 50 - 1000 }));
const middle = { uid: { $gte: -500, $lt: 500 } };
const outer = { $or: [{ uid: { $lt: -500 } }, { uid: { $gte: 500 } }] };
const notAdjoining = (chunks: readonly PlacedChunk[]) =>
  chunks.filter(({ min }, i) => i > 0 && !isDeepStrictEqual(min, chunks[i - 1]?.max));

export default {
  number: 32,
  name: 'chunk-map',
  title: 'The map of chunks and the documents',
  question: 'Does every value of the shard key belong to exactly one shard, and is its document there?',
  claims: ['K14'],
  sources: ['https://www.mongodb.com/docs/manual/core/sharding-data-partitioning/'],

  async run(lab) {
    const [, second = ''] = lab.shards;
    await lab.shardCollection('users', { uid: 1 });
    await lab.splitAt('users', { uid: -500 });
    await lab.splitAt('users', { uid: 500 });
    await lab.moveRange('users', { min: { uid: -500 }, max: { uid: 500 } }, second);
    await lab.step('Forty users.', (db) => users(db).insertMany(forty.map((user) => ({ ...user }))), { ok: true });

    await lab.step('The map has three chunks.', (_, router) => placement(router, lab.ns('users')), { documents: 3 });
    await lab.step(
      'Chunks that do not begin where the one before ends: none.',
      async (_, router) => notAdjoining(await placement(router, lab.ns('users'))),
      { documents: 0, claims: ['K14'] },
    );
    await lab.counts('Users of the middle chunk.', 'users', middle, { counts: [0, 20], claims: ['K14'] });
    await lab.counts('Users of the outer two.', 'users', outer, { counts: [20, 0], claims: ['K14'] });

    const last = { min: { uid: 500 }, max: { uid: new MaxKey() } };
    await lab.step('The last chunk moves.', (_, router) => moveRange(router, lab.ns('users'), last, second), {
      ok: true,
    });
    await lab.counts(
      'Its users are where it is.',
      'users',
      { uid: { $gte: 500 } },
      { counts: [0, 10], claims: ['K14'] },
    );
    await lab.step('The router finds each user once.', (db) => users(db).countDocuments({}), { documents: 40 });

    lab.instead();
    await lab.step(
      'How many documents each shard holds can be asked through the router, too.',
      (db) =>
        users(db)
          .aggregate([{ $collStats: { count: {} } }, { $project: { shard: 1, count: 1 } }, { $sort: { shard: 1 } }])
          .toArray(),
      { documents: 2 },
    );
  },
} satisfies Experiment;
