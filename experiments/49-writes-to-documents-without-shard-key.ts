import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';

interface User {
  readonly _id: string;
  readonly uid?: number | null;
  readonly n?: number;
}
const users = (db: Db) => db.collection<User>('users');
const change = (filter: Partial<User>, n: number) => (db: Db) => users(db).findOneAndUpdate(filter, { $set: { n } });

export default {
  number: 49,
  name: 'writes-to-documents-without-shard-key',
  title: 'Writes to a document that lacks the shard key',
  question: 'How is one document changed that lacks the shard key, and how does it get one?',
  claims: ['K13'],
  needs: { mongodb: '>=4.4.0' },
  sources: [
    'https://www.mongodb.com/docs/manual/core/sharding-shard-key/#missing-shard-key-fields',
    'https://www.mongodb.com/docs/manual/core/sharding-set-missing-shard-key-fields/',
  ],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    await lab.step(
      'Two users without the shard key, one with null, one of the other shard.',
      (db) => users(db).insertMany([{ _id: 'A' }, { _id: 'B' }, { _id: 'C', uid: null }, { _id: 'D', uid: 2000 }]),
      { ok: true },
    );
    await lab.step(
      'Null as the shard key finds three of them.',
      (db) => users(db).find({ uid: null }).sort({ _id: 1 }).toArray(),
      {
        documents: 3,
      },
    );
    await lab.step('With an `_id` beside it, one is found and changed.', change({ _id: 'A', uid: null }, 1), {
      ok: true,
      claims: ['K13'],
    });
    await lab.step('With the `_id` alone.', change({ _id: 'A' }, 2), {
      versions: { '>=4.4.0 <7.1.0': { code: 61 }, '>=7.1.0': { ok: true } },
      states: { code: 61 },
      claims: ['K13'],
      source: 'https://www.mongodb.com/docs/manual/reference/command/findAndModify/#sharded-collections',
    });
    await lab.step(
      'An update by the `_id` alone.',
      async (db) => (await users(db).updateOne({ _id: 'B' }, { $set: { n: 3 } })).modifiedCount,
      { documents: 1 },
    );

    lab.instead();
    await lab.step(
      'One gets a shard key by an update that says null for it.',
      async (db) => (await users(db).updateOne({ _id: 'B', uid: null }, { $set: { uid: 1 } })).modifiedCount,
      { documents: 1 },
    );
    await lab.step('It is found by it.', (db) => users(db).find({ uid: 1 }).toArray(), { documents: 1 });
    await lab.step('Two still lack one, or have null.', (db) => users(db).countDocuments({ uid: null }), {
      documents: 2,
    });
  },
} satisfies Experiment;
