import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

type Named = { _id: string; uid?: number; n?: number };
const _id = 'same-id';
const insert = (collection: string, document: Named) => (db: Db) =>
  db.collection<Named>(collection).insertOne(document);
const find = (filter: Partial<Named>) => (db: Db) => users(db).find(filter).sort({ uid: 1 }).toArray();
const users = (db: Db) => db.collection<Named>('users');

export default {
  number: 2,
  name: 'duplicate-id-across-shards',
  title: 'One `_id` on two shards',
  question: 'Is `_id` unique on a sharded cluster, and which reads see two documents that share one?',
  claims: ['G4', 'X12'],
  sources: ['https://www.mongodb.com/docs/manual/core/sharding-shard-key/#unique-indexes'],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });

    const writes = recordedIn('duplicate-id-across-shards');
    await lab.step('A document of the first shard.', insert('users', { _id, uid: 1 }), writes(3, { ok: true }, 'G4'));
    await lab.step(
      'Its `_id` again, in a document of the second shard.',
      insert('users', { _id, uid: 1600 }),
      writes(4, { ok: true }, 'G4'),
    );
    await lab.step(
      'Its `_id` again, in a document of the first shard.',
      insert('users', { _id, uid: 20 }),
      writes(5, { code: 11000 }, 'G4'),
    );
    await lab.counts('Documents with this `_id`.', 'users', { _id }, writes(6, { counts: [1, 1] }, 'G4'));

    const reads = recordedIn('reads-of-a-duplicated-id');
    await lab.step('A read by `_id` alone finds both.', find({ _id }), writes(7, { documents: 2 }, 'X12'));
    await lab.step(
      'A count finds both, too.',
      (db) => users(db).countDocuments({ _id }),
      reads(4, { documents: 2 }, 'X12'),
    );
    await lab.step(
      'A read that gives the shard key too finds the one.',
      find({ _id, uid: 1600 }),
      reads(7, { documents: 1 }, 'X12'),
    );

    lab.instead();
    await lab.onTwoShards('accounts', { key: '_id', at: 'm' });
    await lab.step('With `_id` as the shard key, a first document.', insert('accounts', { _id, n: 1 }), { ok: true });
    await lab.step('Its `_id` again: it goes to the shard of the first.', insert('accounts', { _id, n: 2 }), {
      code: 11000,
    });
    await lab.counts('Documents with this `_id`.', 'accounts', { _id }, { counts: [0, 1] });
  },
} satisfies Experiment;
