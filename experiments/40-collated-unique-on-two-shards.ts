import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

interface Person {
  readonly name: string;
  readonly folded?: string;
}
const people = (db: Db) => db.collection<Person>('people');
const insert = (name: string) => (db: Db) => people(db).insertOne({ name });
const member = (name: string) => (db: Db) =>
  db.collection<Person>('members').insertOne({ name, folded: name.toLowerCase() });
const ignoringCase = { collation: { locale: 'en', strength: 2 } };

export default {
  number: 40,
  name: 'collated-unique-on-two-shards',
  title: 'Unique without regard to case, on two shards',
  question: 'Can a unique index of a sharded collection ignore letter case?',
  claims: ['X7'],
  sources: [
    'ShardKeyPattern::isIndexUniquenessAndCollationCompatible in src/mongo/db/global_catalog/shard_key_pattern.cpp (mongodb/mongo, 9.0)',
  ],

  async run(lab) {
    await lab.onTwoShards('people', { key: 'name', at: 'a' });
    await lab.step(
      'A unique index on the shard key that ignores case.',
      (db) => people(db).createIndex({ name: 1 }, { unique: true, name: 'any_case', ...ignoringCase }),
      recordedIn('collation-unique')(
        3,
        { versions: { '>=4.4.0 <8.1.0': { ok: true }, '>=9.0.0': { code: 67 } }, states: { code: 67 } },
        'X7',
      ),
    );
    await lab.step(
      'One that is not unique is accepted.',
      (db) =>
        people(db).createIndex(
          { name: 1 },
          { name: 'search', ...ignoringCase, collation: { locale: 'en', strength: 1 } },
        ),
      { ok: true },
    );
    await lab.step('A name.', insert('Ann'), { ok: true });
    await lab.step('Another that is equal to it but for case.', insert('ann'), { ok: true });
    await lab.counts('Each is on a shard of its own.', 'people', {}, { counts: [1, 1] });

    lab.instead();
    await lab.onTwoShards('members', { key: 'folded', at: 'm', unique: true });
    await lab.step('The name in lower case as the shard key, and beside it as it was typed.', member('Ann'), {
      ok: true,
    });
    await lab.step('Another that is equal but for case.', member('ann'), { code: 11000 });
  },
} satisfies Experiment;
