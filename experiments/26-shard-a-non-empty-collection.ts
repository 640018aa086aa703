import { type Db, MaxKey } from 'mongodb';
import { shardCollection } from '../cluster/sharding.ts';
import type { Experiment } from './harness/define.ts';
import { type Expectation, recordedIn } from './harness/expect.ts';

const users = (db: Db) => db.collection<{ _id: number; uid: number }>('users');
const index = (key: Record<string, 1 | -1>, options?: object) => (db: Db) => users(db).createIndex(key, options);

export default {
  number: 26,
  name: 'shard-a-non-empty-collection',
  title: 'Sharding an empty collection and one with documents',
  question: 'Which index must exist before a collection can be sharded, and where are its documents afterwards?',
  claims: ['K1'],
  sources: [
    'https://www.mongodb.com/docs/manual/core/sharding-shard-key/#shard-key-indexes',
    'validateShardKeyIndexExistsOrCreateIfPossible in src/mongo/db/global_catalog/ddl/shard_key_index_util.cpp (mongodb/mongo)',
  ],

  async run(lab) {
    await lab.shardCollection('fresh', { uid: 1 });
    await lab.step(
      'The empty collection got an index of the shard key, beside that of `_id`.',
      (db) => db.collection('fresh').listIndexes().toArray(),
      { documents: 2, claims: ['K1'] },
    );

    const rule = recordedIn('shard-non-empty-needs-index');
    const shard = (caption: string, expectation: Expectation) =>
      lab.step(caption, (_, router) => shardCollection(router, lab.ns('users'), { uid: 1 }), expectation);
    await lab.step(
      'Another collection has documents.',
      (db) => users(db).insertMany([1, 2, 2000].map((uid) => ({ _id: uid, uid }))),
      rule(0, { ok: true }),
    );
    await shard('It is to be sharded without an index of the shard key.', rule(1, { code: 72 }, 'K1'));
    await lab.step('A descending index …', index({ uid: -1 }), { ok: true });
    await lab.step('… and a sparse one.', index({ uid: 1, email: 1 }, { sparse: true }), { ok: true });
    await shard('Neither of them serves.', { code: 72, claims: ['K1'] });

    lab.instead();
    await lab.step('An index that begins with the shard key.', index({ uid: 1, x: 1 }), rule(2, { ok: true }));
    await shard('It serves.', rule(3, { ok: true }, 'K1'));
    await lab.counts('Sharding alone moves nothing.', 'users', {}, { counts: [3, 0] });
    await lab.splitAt('users', { uid: 1000 });
    await lab.moveRange('users', { min: { uid: 1000 }, max: { uid: new MaxKey() } }, lab.shards[1] ?? '');
    await lab.counts('A chunk that moves takes its documents along.', 'users', {}, { counts: [2, 1] });
  },
} satisfies Experiment;
