import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';

const insert = (_id: string, tenant: number, handle: string) => (db: Db) =>
  db.collection<{ _id: string; tenant: number; handle: string }>('users').insertOne({ _id, tenant, handle });
const rename = (_id: string, tenant: number, handle: string) => async (db: Db) =>
  (await db.collection<{ _id: string }>('users').updateOne({ _id, ...{ tenant } }, { $set: { handle } })).modifiedCount;
const reserve = (handle: string, user: string) => (db: Db) => db.collection('handles').insertOne({ handle, user });

export default {
  number: 21,
  name: 'update-frees-key',
  title: 'A unique value that is given up',
  question: 'When can somebody else take a unique value after its owner has changed it?',
  claims: ['U17'],
  sources: ['https://www.mongodb.com/docs/manual/core/index-unique/'],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'tenant', at: 100 });
    await lab.step(
      'Handles are unique in a tenant.',
      (db) => db.collection('users').createIndex({ tenant: 1, handle: 1 }, { unique: true }),
      { ok: true },
    );
    await lab.step('Ann takes @sun.', insert('ann', 1, 'sun'), { ok: true });
    await lab.step('Bob takes @sun.', insert('bob', 1, 'sun'), { code: 11000, claims: ['U17'] });
    await lab.step('Ann becomes @moon.', rename('ann', 1, 'moon'), { documents: 1, claims: ['U17'] });
    await lab.step('Bob takes @sun.', insert('bob', 1, 'sun'), { ok: true, claims: ['U17'] });
    await lab.step('Ann wants @sun back.', rename('ann', 1, 'sun'), { code: 11000 });
    await lab.step('Bob wants @moon, which Ann has.', rename('bob', 1, 'moon'), { code: 11000 });

    lab.instead();
    await lab.onTwoShards('handles', { key: 'handle', at: 'n', unique: true });
    await lab.step('A document for each handle that was ever used: Ann takes @sun …', reserve('sun', 'ann'), {
      ok: true,
    });
    await lab.step('… and then @moon.', reserve('moon', 'ann'), { ok: true });
    await lab.step('Bob takes @sun.', reserve('sun', 'bob'), { code: 11000 });
    await lab.step(
      "It is still Ann's.",
      async (db) => db.collection('handles').find({ handle: 'sun', user: 'ann' }).toArray(),
      { documents: 1 },
    );
  },
} satisfies Experiment;
