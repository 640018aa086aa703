import type { Db } from 'mongodb';
import type { Experiment } from './harness/define.ts';

type State = 'active' | 'left';
interface Membership {
  readonly _id: number;
  readonly organizationId: number;
  readonly userId: string;
  readonly state: State;
}
const collection = (name: string) => (db: Db) => db.collection<Membership>(name);
const join =
  (name: string, _id: number, organizationId = 1) =>
  (db: Db) =>
    collection(name)(db).insertOne({ _id, organizationId, userId: 'ann', state: 'active' });
const turn = (name: string, _id: number, state: State) => async (db: Db) =>
  (await collection(name)(db).updateOne({ _id, organizationId: 1 }, { $set: { state } })).modifiedCount;

export default {
  number: 22,
  name: 'membership',
  title: 'One active membership per person',
  question: 'How can a person leave an organisation and join it again, and never be a member twice?',
  claims: ['U12'],
  sources: ['https://www.mongodb.com/docs/manual/core/index-partial/#partial-index-with-unique-constraint'],

  async run(lab) {
    const changed = { documents: 1 };
    await lab.onTwoShards('stateful', { key: 'organizationId', at: 100 });
    await lab.step(
      'An index with the state as a third field.',
      (db) => collection('stateful')(db).createIndex({ organizationId: 1, userId: 1, state: 1 }, { unique: true }),
      { ok: true },
    );
    await lab.step('Ann joins.', join('stateful', 1), { ok: true });
    await lab.step('Ann leaves.', turn('stateful', 1, 'left'), changed);
    await lab.step('Ann joins again.', join('stateful', 2), { ok: true });
    await lab.step('Ann leaves a second time.', turn('stateful', 2, 'left'), { code: 11000 });

    lab.instead();
    const refused = { code: 11000, claims: ['U12'] } as const;
    const active = { partialFilterExpression: { state: 'active' } };
    await lab.onTwoShards('memberships', { key: 'organizationId', at: 100 });
    await lab.step(
      'An index of the active memberships.',
      (db) => collection('memberships')(db).createIndex({ organizationId: 1, userId: 1 }, { unique: true, ...active }),
      { ok: true },
    );
    await lab.step('Ann joins.', join('memberships', 1), { ok: true, claims: ['U12'] });
    await lab.step('Ann joins twice.', join('memberships', 2), refused);
    await lab.step('Ann leaves.', turn('memberships', 1, 'left'), { documents: 1, claims: ['U12'] });
    await lab.step('Ann joins again.', join('memberships', 2), { ok: true, claims: ['U12'] });
    await lab.step('Ann leaves a second time.', turn('memberships', 2, 'left'), { documents: 1, claims: ['U12'] });
    await lab.step('Her first membership becomes active again.', turn('memberships', 1, 'active'), changed);
    await lab.step('The second becomes active, too.', turn('memberships', 2, 'active'), refused);
    await lab.step('Ann joins an organisation on the other shard.', join('memberships', 3, 200), { ok: true });
  },
} satisfies Experiment;
