import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

interface User {
  readonly _id: string;
  readonly uid?: number;
  readonly email?: string;
}
const unique = (key: Record<string, 1>) => (db: Db) => db.collection('users').createIndex(key, { unique: true });
const user = (fields: User) => (db: Db) => db.collection<User>('users').insertOne({ ...fields });
const account = (fields: User) => (db: Db) => db.collection<User>('accounts').insertOne({ ...fields });
const email = 'a@example.com';

export default {
  number: 24,
  name: 'indexes-that-may-be-unique',
  title: 'Which indexes may be unique, and how far each reaches',
  question: 'Which indexes of a collection sharded by a range of `uid` can be unique, and unique on what?',
  claims: ['K5'],
  sources: [
    'https://www.mongodb.com/docs/manual/core/sharding-shard-key/#unique-indexes',
    'checkShardKeyRestrictions in src/mongo/db/index_builds_coordinator.cpp (mongodb/mongo)',
  ],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000, unique: true });

    const rule = recordedIn('unique-on-non-shard-key');
    await lab.step('One that the shard key begins.', unique({ uid: 1, email: 1 }), rule(4, { ok: true }, 'K5'));
    await lab.step('One without the shard key.', unique({ email: 1 }), rule(3, { code: 67 }, 'K5'));
    await lab.step('One that the shard key ends.', unique({ email: 1, uid: 1 }), rule(5, { code: 67 }, 'K5'));
    await lab.step('One that `_id` begins.', unique({ _id: 1, email: 1 }), {
      versions: { '>=4.4.0': { ok: true } },
      states: { code: 67 },
      claims: ['K5'],
      source:
        'ShardKeyPattern::isIndexUniquenessAndCollationCompatible in src/mongo/db/global_catalog/shard_key_pattern.cpp (mongodb/mongo), which exempts `_id`',
    });

    const ids = recordedIn('duplicate-id-across-shards');
    await lab.step('A user.', user({ _id: 'A', uid: 1, email }), { ok: true });
    await lab.step('Its `uid` again.', user({ _id: 'B', uid: 1 }), { code: 11000, claims: ['K5'] });
    await lab.step('Its `_id` and email again, on the other shard.', user({ _id: 'A', uid: 1600, email }), {
      ok: true,
    });
    await lab.step('Its `_id` again, on its own shard.', user({ _id: 'A', uid: 20 }), ids(5, { code: 11000 }, 'K5'));
    await lab.counts(
      'Users with that `_id` and email: unique on each shard, not on both.',
      'users',
      { _id: 'A', email },
      ids(6, { counts: [1, 1] }, 'K5'),
    );

    lab.instead();
    await lab.shardCollection('accounts', { _id: 'hashed' });
    await lab.step('The email as the `_id`, and that as the shard key.', account({ _id: email }), { ok: true });
    await lab.step('The email again.', account({ _id: email }), { code: 11000 });
  },
} satisfies Experiment;
