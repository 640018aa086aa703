import { type Db, MaxKey } from 'mongodb';
import { shardCollection } from '../cluster/sharding.ts';
import type { Experiment } from './harness/define.ts';
import { type Expectation, recordedIn } from './harness/expect.ts';

const users = (db: Db) => db.collection<{ _id: number }>('users');
const index = (key: Record<string, 1>, options?: object) => (db: Db) => users(db).createIndex(key, options);
const drop = (name: string) => (db: Db) => users(db).dropIndex(name);
const unique = { unique: true };

export default {
  number: 25,
  name: 'shard-with-existing-unique-index',
  title: 'Sharding a collection that has unique indexes',
  question: 'Can a collection be sharded while an index on another field is unique?',
  claims: ['K6'],
  sources: [
    'https://www.mongodb.com/docs/manual/core/sharding-shard-key/#unique-indexes',
    'validateShardKeyIndexExistsOrCreateIfPossible in src/mongo/db/global_catalog/ddl/shard_key_index_util.cpp (mongodb/mongo)',
  ],

  async run(lab) {
    const rule = recordedIn('shard-with-existing-unique-index');
    const partial = { ...unique, partialFilterExpression: { deletedAt: null } };
    const shard = (caption: string, expectation: Expectation) =>
      lab.step(caption, (_, router) => shardCollection(router, lab.ns('users'), { uid: 1 }), expectation);

    await lab.step('A unique index on `email` …', index({ email: 1 }, unique), rule(0, { ok: true }));
    await lab.step('… and a plain one on `uid`.', index({ uid: 1 }), rule(1, { ok: true }));
    await shard('The collection is to be sharded by `uid`.', rule(2, { code: 72 }, 'K6'));
    await lab.step(
      'The unique index becomes a partial one.',
      async (db) => {
        await drop('email_1')(db);
        await index({ email: 1 }, partial)(db);
      },
      { ok: true },
    );
    await shard('That changes nothing.', { code: 72, claims: ['K6'] });
    await lab.step('It goes …', drop('email_1'), rule(3, { ok: true }));
    await lab.step(
      '… and one comes that begins with `uid`.',
      index({ uid: 1, email: 1 }, unique),
      rule(4, { ok: true }),
    );

    lab.instead();
    await shard('Now it can be sharded.', rule(5, { ok: true }, 'K6'));
    await lab.splitAt('users', { uid: 1000 });
    await lab.moveRange('users', { min: { uid: 1000 }, max: { uid: new MaxKey() } }, lab.shards[1] ?? '');
    const user = (fields: { _id: number; uid: number }) => (db: Db) =>
      users(db).insertOne({ ...fields, ...{ email: 'a@example.com' } });
    await lab.step('A user.', user({ _id: 1, uid: 1 }), { ok: true });
    await lab.step('Its `uid` and email again.', user({ _id: 2, uid: 1 }), { code: 11000 });
    await lab.step('Its email under another `uid`: that is no longer refused.', user({ _id: 3, uid: 2000 }), {
      ok: true,
    });
    await lab.counts('Users with that email.', 'users', { email: 'a@example.com' }, { counts: [1, 1] });
  },
} satisfies Experiment;
