import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

const users = (db: Db) => db.collection('users');
const index = (key: Record<string, 1>, options?: object) => (db: Db) => users(db).createIndex(key, options);
const drop = (name: string) => (db: Db) => users(db).dropIndex(name);
/** Protection came with 6.0 and went back to 5.0.19; of 5.1 to 5.3 nothing is known. */
const unprotected = '<5.0.19';
const isProtected = '>=5.0.19 <5.1.0 || >=6.0.0';
const source = 'SERVER-6491 in source/includes/changelogs/releases/5.0.19.rst (mongodb/docs)';
/** Without protection a step may find it gone already. */
const refused = (before: { ok: true } | { code: number }) => ({
  versions: { [unprotected]: before, [isProtected]: { code: 370 } },
  states: { code: 370 },
  source,
});

export default {
  number: 28,
  name: 'shard-key-index-protected',
  title: 'Dropping the index of the shard key',
  question: 'Can the index of the shard key be dropped?',
  claims: ['K2'],
  sources: [
    'https://www.mongodb.com/docs/manual/core/sharding-shard-key/#shard-key-indexes',
    'https://jira.mongodb.org/browse/SERVER-6491',
    'src/mongo/db/shard_role/shard_catalog/drop_indexes.cpp (mongodb/mongo)',
  ],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });
    await lab.step('A user on each shard.', (db) => users(db).insertMany([{ uid: 1 }, { uid: 2000 }]), { ok: true });

    const rule = recordedIn('shard-key-index-protected');
    await lab.step(
      'The only index that supports the shard key is to go, by name …',
      drop('uid_1'),
      rule(3, refused({ ok: true }), 'K2'),
    );
    await lab.step('… and by key.', (db) => db.command({ dropIndexes: 'users', index: { uid: 1 } }), {
      ...refused({ code: 27 }),
      claims: ['K2'],
    });
    await lab.step('A sparse index that begins with the shard key comes …', index({ uid: 1, a: 1 }, { sparse: true }), {
      ok: true,
    });
    await lab.step('… and the first is to go once more.', drop('uid_1'), { ...refused({ code: 27 }), claims: ['K2'] });

    lab.instead();
    await lab.step(
      'A plain one that begins with the shard key comes …',
      index({ uid: 1, x: 1 }),
      rule(5, { ok: true }),
    );
    await lab.step('… and the first is to go once more.', drop('uid_1'), {
      versions: { [unprotected]: { code: 27 }, [isProtected]: { ok: true } },
      states: { ok: true },
      claims: ['K2'],
      source,
    });
    await lab.step('All indexes are dropped …', (db) => users(db).dropIndexes(), rule(7, { ok: true }));
    await lab.step('… and these are left.', (db) => users(db).listIndexes().toArray(), {
      versions: { [unprotected]: { documents: 1 }, [isProtected]: { documents: 2 } },
      states: { documents: 2 },
      claims: ['K2'],
      source,
    });
  },
} satisfies Experiment;
