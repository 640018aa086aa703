import { type Db, Decimal128, Double, Int32, Long, ObjectId } from 'mongodb';
import type { Experiment } from './harness/define.ts';

const int = new Int32(123);
const numbers = [int, Long.fromNumber(123), new Double(123), Decimal128.fromString('123')];
const day = new Date('2024-05-01T00:00:00Z');
const id = new ObjectId('665000000000000000000001');
/** One document for each value, each under a uid of its own. */
const insert = (values: readonly unknown[], firstUid = 1) => {
  const documents = values.map((ref, i) => ({ uid: firstUid + i, ref }));
  return (db: Db) => db.collection('parts').insertMany(documents.map(copied), { ordered: false });
};
const copied = <T>(one: T): T => ({ ...one });
const label = (ref: unknown) => (db: Db) => db.collection('labels').insertOne({ ref });

export default {
  number: 19,
  name: 'key-types',
  title: 'The type of a unique value',
  question: 'Which values of different types does a unique index hold equal?',
  claims: ['U15'],
  sources: ['https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/'],

  async run(lab) {
    const accepted = { ok: true, claims: ['U15'] } as const;
    const refused = { code: 11000, claims: ['U15'] } as const;
    await lab.onTwoShards('parts', { key: 'uid', at: 3 });
    const unique = (db: Db) => db.collection('parts').createIndex({ uid: 1, ref: 1 }, { unique: true });
    await lab.step('Unique for each uid.', unique, { ok: true });
    await lab.step('123 as int, long, double and decimal.', insert(numbers), accepted);
    await lab.step('The int to each of them: refused four times.', insert([int, int, int, int]), refused);
    await lab.step('The string "123" to each of them.', insert(['123', '123', '123', '123']), accepted);
    await lab.step('Zero, NaN and true.', insert([0, Number.NaN, true], 10), { ok: true });
    await lab.step('To zero minus zero, to NaN another: refused twice.', insert([-0, Number.NaN], 10), { code: 11000 });
    await lab.step('To true the number 1.', insert([1], 12), { ok: true });
    await lab.step('A date and an ObjectId.', insert([day, id], 20), { ok: true });
    await lab.step('Their texts.', insert([day.toISOString(), id.toHexString()], 20), { ok: true });
    await lab.step(
      'The types that are there now, to tell the ObjectId from its text.',
      (db) =>
        db
          .collection('parts')
          .aggregate([{ $match: { uid: 21 } }, { $project: { type: { $type: '$ref' } } }, { $sort: { type: 1 } }])
          .toArray(),
      { documents: 2 },
    );

    lab.instead();
    const validator = { $jsonSchema: { required: ['ref'], properties: { ref: { bsonType: 'string' } } } };
    await lab.step('A rule for the type …', (db) => db.createCollection('labels', { validator }), { ok: true });
    await lab.onTwoShards('labels', { key: 'ref', at: 'm', unique: true });
    await lab.step('… lets the string in …', label('123'), { ok: true });
    await lab.step('… once …', label('123'), { code: 11000 });
    await lab.step('… and the number not at all.', label(123), { code: 121 });
  },
} satisfies Experiment;
