import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';

interface User {
  readonly _id: number;
  readonly uid: number;
  readonly email: string;
}
const email = 'a@example.com';
const collection = (name: string) => (db: Db) => db.collection<User>(name);
const [users, people] = [collection('users'), collection('people')];
const user = (_id: number, uid: number): User => ({ _id, uid, email });
const insert =
  (of: typeof users, ...documents: User[]) =>
  (db: Db) =>
    of(db).insertMany(documents, { ordered: false });
const unique = (of: typeof users) => (db: Db) => of(db).createIndex({ uid: 1, email: 1 }, { unique: true });
const duplicates = (db: Db) =>
  users(db)
    .aggregate([{ $group: { _id: { uid: '$uid', email: '$email' }, n: { $sum: 1 } } }, { $match: { n: { $gt: 1 } } }])
    .toArray();

export default {
  number: 9,
  name: 'clean-up-then-build',
  title: 'A writer between clean-up and index build',
  question: 'Is it enough to remove the duplicates before building a unique index?',
  claims: ['U19'],
  sources: ['https://www.mongodb.com/docs/manual/core/index-unique/#restrictions'],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    const [first, second, far] = [user(1, 1), user(2, 1), user(3, 2000)];
    const late = user(4, 1);
    await lab.step('Three users, two of them equal.', insert(users, first, second, far), { ok: true });
    await lab.step('One combination is there twice.', duplicates, { documents: 1 });
    await lab.step('One of the two is removed.', (db) => users(db).deleteOne({ _id: 2, uid: 1 }), { ok: true });
    await lab.step('No combination is there twice.', duplicates, { documents: 0 });
    await lab.step('Another client writes.', insert(users, late), { ok: true });
    await lab.step('The index build.', unique(users), { code: 11000, claims: ['U19'] });

    lab.instead();
    await lab.onTwoShards('people', { key: 'uid', at: 1000 });
    await lab.step('A new collection has the index before it has documents.', unique(people), { ok: true });
    await lab.step('Clients write to it from now on.', insert(people, user(5, 1)), { ok: true });
    await lab.step(
      'The old documents are copied; what is refused is the list of duplicates to decide on.',
      insert(people, first, far, late),
      { code: 11000 },
    );
    await lab.counts('No combination came twice.', 'people', { email }, { counts: [1, 1] });
  },
} satisfies Experiment;
