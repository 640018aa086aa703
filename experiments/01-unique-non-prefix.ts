import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

const email = 'a@example.com';
const other = 'z@example.com';
const unique = (key: Record<string, 1>) => (db: Db) => db.collection('users').createIndex(key, { unique: true });
const user = (fields: object) => (db: Db) => db.collection('users').insertOne({ ...fields });
const account = (fields: object) => (db: Db) => db.collection('accounts').insertOne({ ...fields });

export default {
  number: 1,
  name: 'unique-non-prefix',
  title: 'Unique indexes on a collection sharded by another field',
  question: 'Which unique indexes does a collection sharded by `uid` accept, and what does an accepted one guarantee?',
  claims: ['G1', 'G2', 'G3', 'K7'],
  sources: [
    'https://www.mongodb.com/docs/manual/core/sharding-shard-key/#unique-indexes',
    'checkShardKeyRestrictions in src/mongo/db/index_builds_coordinator.cpp (mongodb/mongo)',
  ],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });

    const rule = recordedIn('unique-on-non-shard-key');
    await lab.step('A unique index on `email` alone.', unique({ email: 1 }), rule(3, { code: 67 }, 'G1', 'K7'));
    await lab.step('The shard key in front of it.', unique({ uid: 1, email: 1 }), rule(4, { ok: true }, 'G2', 'K7'));
    await lab.step('The shard key behind it.', unique({ email: 1, uid: 1 }), rule(5, { code: 67 }, 'G2', 'K7'));

    const meaning = recordedIn('prefix-unique-meaning');
    await lab.step('A first user.', user({ _id: 1, uid: 1, email }), meaning(4, { ok: true }));
    await lab.step('Its `uid` and `email` again.', user({ _id: 2, uid: 1, email }), meaning(5, { code: 11000 }, 'G3'));
    await lab.step(
      'Its email under a uid of the other shard.',
      user({ _id: 3, uid: 2000, email }),
      meaning(6, { ok: true }, 'G3'),
    );
    await lab.step(
      'Its email under another uid of its own shard.',
      user({ _id: 4, uid: 2, email }),
      meaning(7, { ok: true }, 'G3'),
    );
    await lab.counts('How often the email exists now.', 'users', { email }, meaning(8, { counts: [2, 1] }, 'G3'));

    lab.instead();
    await lab.onTwoShards('accounts', { key: 'email', at: 'm', unique: true });
    const global = recordedIn('global-unique-by-shard-key');
    await lab.step('A first account.', account({ _id: 1, email }), global(3, { ok: true }));
    await lab.step('Its email again.', account({ _id: 2, email }), global(4, { code: 11000 }));
    await lab.step('An email of the other shard.', account({ _id: 3, email: other }), global(5, { ok: true }));
    await lab.step('That email again.', account({ _id: 4, email: other }), global(6, { code: 11000 }));
    await lab.counts('How often each email exists now.', 'accounts', {}, { counts: [1, 1] });
  },
} satisfies Experiment;
