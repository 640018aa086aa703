import { type Db, MaxKey } from 'mongodb';
import { moveRange } from '../cluster/sharding.ts';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

interface Account {
  readonly _id?: number;
  readonly email: string;
  readonly shown?: string;
}
const accounts = (db: Db) => db.collection<Account>('accounts');
const insert = (account: Account) => (db: Db) => accounts(db).insertOne({ ...account });
const taken = { code: 11000 };

export default {
  number: 23,
  name: 'global-unique-by-shard-key',
  title: 'The unique field as the shard key',
  question: 'Is a field unique on the whole cluster once it is the shard key, declared unique?',
  claims: ['G5'],
  sources: ['https://www.mongodb.com/docs/manual/core/sharding-shard-key/#unique-indexes'],

  async run(lab) {
    const [first = ''] = lab.shards;
    await lab.onTwoShards('accounts', { key: 'email', at: 'm', unique: true });

    const global = recordedIn('global-unique-by-shard-key');
    await lab.step(
      'An account of the first shard.',
      insert({ _id: 1, email: 'a@example.com' }),
      global(3, { ok: true }),
    );
    await lab.step('Its email again.', insert({ _id: 2, email: 'a@example.com' }), global(4, taken, 'G5'));
    await lab.step(
      'An account of the second shard.',
      insert({ _id: 3, email: 'z@example.com' }),
      global(5, { ok: true }),
    );
    await lab.step('Its email again.', insert({ _id: 4, email: 'z@example.com' }), global(6, taken, 'G5'));
    await lab.race(
      'Twelve clients insert one email at the same time.',
      12,
      (db) => accounts(db).insertOne({ email: 'n@example.com' }),
      recordedIn('concurrent-insert-race')(4, { winners: 'exactly one', ...taken }, 'G5'),
    );
    await lab.counts('Accounts on each shard.', 'accounts', {}, { counts: [1, 2] });

    await lab.step(
      'The chunk of the second shard moves to the first.',
      (_, router) =>
        moveRange(router, lab.ns('accounts'), { min: { email: 'm' }, max: { email: new MaxKey() } }, first),
      { ok: true },
    );
    await lab.step('An email that has moved, again.', insert({ _id: 5, email: 'z@example.com' }), {
      ...taken,
      claims: ['G5'],
    });
    await lab.step('In capitals it is another email.', insert({ _id: 6, email: 'Z@EXAMPLE.COM' }), { ok: true });

    lab.instead();
    await lab.step(
      'The email in lower case, and beside it as it was typed.',
      insert({ _id: 7, email: 'z@example.com', shown: 'Z@Example.com' }),
      taken,
    );
  },
} satisfies Experiment;
