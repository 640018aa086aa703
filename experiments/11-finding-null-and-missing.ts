import type { Db, Document } from 'mongodb';
import type { Experiment } from './harness/define.ts';

const find = (filter: Document) => (db: Db) => db.collection('users').find(filter).sort({ _id: 1 }).toArray();
const documents = (documents: number) => ({ documents, claims: ['K12'] }) as const;

export default {
  number: 11,
  name: 'finding-null-and-missing',
  title: 'Finding documents without a field',
  question: 'Which query finds the documents without a phone, and which those whose phone is null?',
  claims: ['K12'],
  sources: ['https://www.mongodb.com/docs/manual/tutorial/query-for-null-fields/'],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    const users = [
      { _id: 'missing', uid: 1 },
      { _id: 'null', uid: 2, phone: null },
      { _id: 'present', uid: 3, phone: '1' },
      { _id: 'far-missing', uid: 1001 },
      { _id: 'far-null', uid: 1002, phone: null },
      { _id: 'far-present', uid: 1003, phone: '1' },
    ];
    await lab.step(
      'On each shard a user without a phone, one whose phone is null, and one with a phone.',
      (db) => db.collection<(typeof users)[0]>('users').insertMany(users),
      { ok: true },
    );
    await lab.step('Equal to null: those without and those that are null.', find({ phone: null }), documents(4));
    await lab.step('Not existing: those without.', find({ phone: { $exists: false } }), documents(2));
    await lab.step('Existing: those that are null, too.', find({ phone: { $exists: true } }), documents(4));

    lab.instead();
    await lab.step('Those that are null, by type.', find({ phone: { $type: 'null' } }), { documents: 2 });
    await lab.step('Those with a phone: neither null nor missing.', find({ phone: { $ne: null } }), { documents: 2 });
  },
} satisfies Experiment;
