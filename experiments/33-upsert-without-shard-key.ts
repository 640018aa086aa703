import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

interface User {
  readonly _id: string;
  readonly uid?: number | null;
  readonly n?: number;
}
const users = (db: Db) => db.collection<User>('users');
const upsert = (filter: Partial<User>, n: number) => (db: Db) =>
  users(db).updateOne(filter, { $set: { n } }, { upsert: true });
/** Since 7.1 the router looks on every shard first, and has one of them make the document. */
const since71 = { versions: { '>=4.4.0 <7.1.0': { code: 61 }, '>=7.1.0': { ok: true } } } as const;
/** Where one shard alone can hold it, the upsert goes there as it is; 8.0.5 has been seen to fail at that. */
const ofOneShard = {
  versions: { '>=4.4.0 <7.1.0': { code: 61 }, '>=9.0.0': { ok: true } },
  source:
    'targetUpdate in src/mongo/db/router_role/collection_routing_info_targeter.cpp (mongodb/mongo), and SERVER-106069 of 8.0',
} as const;

export default {
  number: 33,
  name: 'upsert-without-shard-key',
  title: 'Upserts that do not give the shard key',
  question: 'Can a document be upserted by `_id` where the shard key is another field?',
  claims: ['K13', 'X15'],
  sources: [
    'https://www.mongodb.com/docs/manual/core/sharding-shard-key/#missing-shard-key-fields',
    'https://www.mongodb.com/docs/manual/reference/method/db.collection.updateOne/',
    'src/mongo/s/commands/cluster_query_without_shard_key_cmd.cpp (mongodb/mongo, 7.1 and later)',
  ],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    await lab.step('A user of the second shard.', (db) => users(db).insertOne({ _id: 'A', uid: 2000 }), { ok: true });

    const rule = recordedIn('upsert-without-shard-key');
    await lab.step('An upsert by an `_id` that there is not.', upsert({ _id: 'B' }, 1), rule(3, since71, 'X15'));
    await lab.step('One by an `_id` that there is.', upsert({ _id: 'A' }, 1), { ...since71, claims: ['X15'] });
    await lab.step('One by neither `_id` nor shard key.', upsert({ n: 5 }, 6), rule(5, since71));
    await lab.step(
      'One by `_id`, with null as the shard key.',
      upsert({ _id: 'C', uid: null }, 2),
      rule(4, { ok: true }, 'K13', 'X15'),
    );
    await lab.step(
      'One by `_id`, with a shard key that must not exist.',
      upsert({ _id: 'D', uid: { $exists: false } as never }, 3),
      {
        ...ofOneShard,
        states: { code: 61 },
        claims: ['K13'],
      },
    );
    await lab.step('The users now.', (db) => users(db).find().sort({ uid: 1, n: 1 }).toArray(), {
      versions: { '>=4.4.0 <7.1.0': { documents: 2 }, '>=9.0.0': { documents: 5 } },
    });

    lab.instead();
    await lab.step('An upsert by `_id` and shard key.', upsert({ _id: 'A', uid: 2000 }, 4), {
      ok: true,
    });
    await lab.step('One that makes a document.', upsert({ _id: 'E', uid: 3000 }, 5), { ok: true });
    await lab.counts('Users that have a shard key.', 'users', { uid: { $gt: 0 } }, { counts: [0, 2] });
  },
} satisfies Experiment;
