import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

const hide = (name: string, hidden: boolean) => (db: Db) => db.command({ collMod: 'users', index: { name, hidden } });
/** Protection is in 6.2 and went back to 6.0.4; whether to 5.0 and 6.1, too, is not known. */
const refused = {
  versions: { '<5.0.0 || >=6.0.0 <6.0.4': { ok: true }, '>=6.0.4 <6.1.0 || >=6.2.0': { code: 72 } },
  states: { code: 72 },
  source: 'SERVER-68769 in source/includes/changelogs/releases/6.0.4.rst (mongodb/docs)',
} as const;

export default {
  number: 29,
  name: 'shard-key-index-hidden',
  title: 'Hiding the index of the shard key',
  question: 'Can the index of the shard key be hidden from the planner?',
  claims: ['K2'],
  needs: { features: ['collMod'] },
  sources: [
    'https://www.mongodb.com/docs/manual/core/sharding-shard-key/#shard-key-indexes',
    'https://jira.mongodb.org/browse/SERVER-68769',
  ],

  async run(lab) {
    await lab.onTwoShards('users', { key: 'uid', at: 1000 });

    const rule = recordedIn('shard-key-index-cannot-be-hidden');
    await lab.step(
      'The only index that supports the shard key is to be hidden.',
      hide('uid_1', true),
      rule(3, refused, 'K2'),
    );

    lab.instead();
    await lab.step(
      'Another index that begins with the shard key …',
      (db) => db.collection('users').createIndex({ uid: 1, x: 1 }),
      rule(4, { ok: true }),
    );
    await lab.step('… lets the first be hidden.', hide('uid_1', true), rule(5, { ok: true }, 'K2'));
    await lab.step('Now that one is the last that is visible.', hide('uid_1_x_1', true), {
      ...refused,
      claims: ['K2'],
    });
    await lab.step('An index that is shown again …', hide('uid_1', false), { ok: true });
    await lab.step('… lets the other be hidden.', hide('uid_1_x_1', true), { ok: true, claims: ['K2'] });
  },
} satisfies Experiment;
