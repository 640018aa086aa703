import { type Db, MinKey } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

const users = (db: Db) => db.collection<{ _id: number }>('users');
const index =
  (key: Record<string, 1>, unique = false) =>
  (db: Db) =>
    users(db).createIndex(key, unique ? { unique } : {});
const same = { uid: 1, phone: '555' };
const user = (_id: number, fields: { email: string }) => (db: Db) => users(db).insertOne({ _id, ...same, ...fields });

export default {
  number: 35,
  name: 'refine-shard-key',
  title: 'A longer shard key and the unique indexes',
  question: 'What becomes of unique indexes when fields are added to the shard key?',
  claims: ['X2'],
  needs: { mongodb: '>=4.4.0' },
  sources: [
    'https://www.mongodb.com/docs/manual/reference/command/refineCollectionShardKey/',
    'jstests/sharding/refine_collection_shard_key_basic.js (mongodb/mongo)',
  ],

  async run(lab) {
    const rule = recordedIn('refine-shard-key');
    const refine = (key: Record<string, 1>) => (db: Db) =>
      db.admin().command({ refineCollectionShardKey: lab.ns('users'), key });

    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    await lab.step('A unique index that the shard key begins.', index({ uid: 1, phone: 1 }, true), { ok: true });
    await lab.step('A plain one on the shard key to be.', index({ uid: 1, email: 1 }), rule(5, { ok: true }));
    await lab.step('A key that does not begin with the shard key.', refine({ email: 1 }), rule(6, { code: 72 }));
    await lab.step(
      'A longer key, which does not begin the unique index.',
      refine({ uid: 1, email: 1 }),
      recordedIn('refine-with-unique-index')(5, { code: 72 }, 'X2'),
    );

    lab.instead();
    await lab.step('That index goes …', (db) => users(db).dropIndex('uid_1_phone_1'), { ok: true });
    await lab.step(
      '… and one comes that the longer key begins.',
      index({ uid: 1, email: 1, phone: 1 }, true),
      rule(9, { ok: true }),
    );
    await lab.step('Now the shard key is refined.', refine({ uid: 1, email: 1 }), rule(7, { ok: true }, 'X2'));
    await lab.step('The index that went is refused.', index({ uid: 1, phone: 1 }, true), rule(8, { code: 67 }));

    const split = { uid: 1, email: 'm' };
    await lab.splitAt('users', split);
    await lab.moveRange('users', { min: split, max: { uid: 1000, email: new MinKey() } }, lab.shards[1] ?? '');
    await lab.step('A user …', user(1, { email: 'a@example.com' }), { ok: true });
    await lab.step('… and another with the same `uid` and phone.', user(2, { email: 'z@example.com' }), { ok: true });
    await lab.counts('Users with that `uid` and phone.', 'users', same, { counts: [1, 1] });
  },
} satisfies Experiment;
