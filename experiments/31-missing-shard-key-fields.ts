import { type Db, type Document, MinKey } from 'mongodb';
import { moveRange } from '../cluster/sharding.ts';
import type { Experiment } from './harness/define.ts';
import { recordedIn } from './harness/expect.ts';

interface Place extends Document {
  readonly _id: string;
}
const places = (db: Db) => db.collection<Place>('places');
const insert = (place: Place) => (db: Db) => places(db).insertOne({ ...place });
const lacking = { $or: [{ x: { $exists: false } }, { y: { $exists: false } }] };
const emptyOnes = { _id: { $in: ['none', 'nulls'] } };

export default {
  number: 31,
  name: 'missing-shard-key-fields',
  title: 'Documents without the shard key',
  question: 'Is a document accepted that lacks the shard key, or a part of it, and on which shard is it?',
  claims: ['K11'],
  needs: { mongodb: '>=4.4.0' },
  sources: ['https://www.mongodb.com/docs/manual/core/sharding-shard-key/#missing-shard-key-fields'],

  async run(lab) {
    const [first = '', second = ''] = lab.shards;
    await lab.onTwoShards('places', { key: { x: 1, y: 1 }, at: { x: 0, y: 0 } });

    const rule = recordedIn('missing-and-null-shard-key');
    const ok = { ok: true } as const;
    await lab.step('A document with both fields.', insert({ _id: 'both', x: 1, y: 1 }), rule(3, ok));
    await lab.step('One without y.', insert({ _id: 'x-only', x: 1 }), rule(4, ok, 'K11'));
    await lab.step('One with null as y.', insert({ _id: 'x-null-y', x: 1, y: null }), rule(5, ok));
    await lab.step('One without x.', insert({ _id: 'y-only', y: 1 }), rule(6, ok, 'K11'));
    await lab.step('One without either.', insert({ _id: 'none' }), rule(7, ok, 'K11'));
    await lab.step('One with null as both.', insert({ _id: 'nulls', x: null, y: null }), rule(8, ok));
    await lab.counts('Documents on each shard.', 'places', {}, rule(9, { counts: [3, 3] }, 'K11'));
    await lab.step(
      'Those that lack a field.',
      (db) => places(db).find(lacking).sort({ _id: 1 }).toArray(),
      rule(10, { documents: 3 }),
    );

    await lab.counts('Documents with null, or nothing, as both fields.', 'places', emptyOnes, {
      counts: [2, 0],
      claims: ['K11'],
    });
    const lower = { min: { x: new MinKey(), y: new MinKey() }, max: { x: 0, y: 0 } };
    await lab.step(
      `The range that null falls into moves from ${first} to ${second}.`,
      (_, router) => moveRange(router, lab.ns('places'), lower, second),
      ok,
    );
    await lab.counts('Documents with null, or nothing, as both fields.', 'places', emptyOnes, {
      counts: [0, 2],
      claims: ['K11'],
    });
    await lab.step('An array is no shard key.', insert({ _id: 'array', x: [1, 2], y: 1 }), rule(13, { code: 61 }));

    lab.instead();
    await lab.step(
      'A missing field is given a value, by a condition that says null for it.',
      async (db) =>
        (await places(db).updateOne({ _id: 'none', x: null, y: null }, { $set: { x: 5, y: 5 } })).modifiedCount,
      { documents: 1 },
    );
    await lab.step('Now fewer lack one.', (db) => places(db).countDocuments(lacking), { documents: 2 });
  },
} satisfies Experiment;
