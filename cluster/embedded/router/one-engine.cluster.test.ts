/** Order, hash, texts and targeting held against the engine, which is a real server's code. */
import { Decimal128, Double, Long } from 'bson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endAll, startMongod } from '../mongod.fixture.ts';
import {
  decodePlain,
  documentOf,
  elements,
  encode,
  field,
  type RawElement,
  type RawValue,
  rawValue,
  Type,
} from '../wire/bson.ts';
import { Peer } from '../wire/client.ts';
import { ask, findAll } from './ask.ts';
import { valueText } from './bson-text.ts';
import { hashOf } from './hash.ts';
import { ORDERED_VALUES } from './ordered-values.fixture.ts';
import { describeDocument, generator, KEY_PATTERNS, Model, nested, type Random } from './routing-model.fixture.ts';

const DB = 'oracle';

let engine: Peer;
beforeAll(async () => {
  engine = new Peer(`127.0.0.1:${(await startMongod()).port}`);
});
afterAll(async () => {
  engine.close();
  await endAll();
});

/** @throws Error naming what the server refused */
async function insert(collection: string, documents: readonly Buffer[]): Promise<void> {
  const reply = decodePlain(await insertRaw(collection, documents));
  if (reply.n !== documents.length) throw new Error(`insert into ${collection}: ${JSON.stringify(reply)}`);
}

function insertRaw(collection: string, documents: readonly Buffer[]): Promise<Buffer> {
  const body = encode({ insert: collection, $db: DB });
  return engine.send(body, [{ name: 'documents', bytes: Buffer.concat(documents) }]);
}

function element(name: string, value: RawValue): RawElement {
  return { name, type: value.type, bytes: value.bytes };
}

const VALUES = ORDERED_VALUES.flatMap((row, rank) => row.map((value, variant) => ({ rank, variant, value })));

describe('the order of values', () => {
  // An index sorts by KeyString, as chunks do. Equal values come by falling rank and variant: what the engine holds equal and
  // is not written down as equal, or the other way round, is out of place.
  const expected = VALUES.toSorted((a, b) => a.rank - b.rank || b.variant - a.variant);

  test.each<[string, (value: RawValue) => RawValue, boolean]>([
    ['alone', (value) => value, false],
    ['inside objects', (value) => ({ type: Type.object, bytes: documentOf([element('x', value)]) }), true],
  ])('%s is the engine’s', async (name, wrap, arrays) => {
    const collection = `order ${name}`;
    const used = expected.filter(({ value }) => arrays || value.type !== Type.array);
    const shuffled = used.toSorted((a, b) => ((a.rank * 31) % 17) - ((b.rank * 31) % 17));
    const documentFor = ({ rank, variant, value }: (typeof VALUES)[number]): Buffer =>
      documentOf([element('rank', rawValue(rank)), element('variant', rawValue(variant)), element('v', wrap(value))]);
    await insert(collection, shuffled.map(documentFor));
    const key = { v: 1, rank: -1, variant: -1 };
    await ask(engine, DB, { createIndexes: collection, indexes: [{ key, name: 'order' }] });
    const found = await findAll(engine, DB, { find: collection, hint: key, projection: { _id: 0, v: 0 } });
    expect(found.map(decodePlain)).toEqual(used.map(({ rank, variant }) => ({ rank, variant })));
  });
});

describe('the hash', () => {
  test('of every type is $toHashedIndexKey', async () => {
    expect(await differing(VALUES.map(({ value }) => value))).toEqual([]);
  });

  test('of numbers at random, decimals among them, is $toHashedIndexKey', async () => {
    const random = generator(42);
    expect(await differing(Array.from({ length: 1000 }, () => rawValue(randomNumber(random))))).toEqual([]);
  });

  /** The values that the engine hashes otherwise, as text. */
  async function differing(values: readonly RawValue[]): Promise<string[]> {
    const collection = `hash of ${values.length}`;
    await insert(
      collection,
      values.map((value) => documentOf([element('v', value)])),
    );
    const pipeline = [{ $project: { v: 1, hash: { $toHashedIndexKey: '$v' } } }];
    const hashed = await findAll(engine, DB, { aggregate: collection, pipeline, cursor: {} });
    expect(hashed).toHaveLength(values.length);
    return hashed
      .map((document) => ({ value: field(document, 'v') as RawValue, hash: field(document, 'hash') }))
      .filter(({ value, hash }) => !hash?.bytes.equals(hashOf(value).bytes))
      .map(({ value }) => valueText(value));
  }

  function randomNumber(random: Random): unknown {
    const digits = `${random(2) ? '-' : ''}${random(2 ** 31)}${random(2) ? random(2 ** 31) : ''}`;
    const kinds = [
      () => Decimal128.fromString(`${digits}E${random(60) - 40}`),
      () => Decimal128.fromString(`${random(100) - 50}.${random(2) ? 5 : random(100)}`),
      () => new Double(Number(digits) * 10 ** (random(40) - 20)),
      () => Long.fromString(digits),
    ];
    return kinds[random(kinds.length)]?.();
  }
});

test('values print as in the text of a duplicate key error', async () => {
  await ask(engine, DB, { createIndexes: 'text', indexes: [{ key: { v: 1 }, name: 'v_1', unique: true }] });
  const doubles = [1e20, 1e16, 1e-5, 123456789012345.25, 2 ** 51 + 0.5, -0, 1 / 3].map((value) =>
    rawValue(new Double(value)),
  );
  const values = [...VALUES.map(({ value }) => value), ...doubles].filter(({ type }) => type !== Type.array);
  const wrong: string[] = [];
  for (const value of values) {
    const document = documentOf([element('v', value)]);
    await insertRaw('text', [document]);
    const { writeErrors } = decodePlain(await insertRaw('text', [document]));
    const printed = String(writeErrors?.[0]?.errmsg).split(' dup key: ')[1];
    if (printed !== `{ v: ${valueText(value)} }`) wrong.push(`${printed} against ${valueText(value)}`);
  }
  expect(wrong).toEqual([]);
});

describe.each(KEY_PATTERNS)('targets under %o', (pattern) => {
  const DOCUMENTS = 250;
  const FILTERS = 120;

  test('hold every document that the engine finds', async () => {
    const model = new Model(pattern, generator(JSON.stringify(pattern).length * 104_729));
    const documents = Array.from({ length: DOCUMENTS }, () => model.document());
    const collection = JSON.stringify(pattern);
    await insert(
      collection,
      documents.map((document, i) => documentOf([element('_id', rawValue(i)), ...elements(nested(document))])),
    );
    const missed: string[] = [];
    let answered = 0;
    for (let i = 0; i < FILTERS; i++) {
      const { bson } = model.filter(2);
      const ids = await idsOf(collection, bson);
      if (ids) answered++;
      const { shards } = model.table.targets(bson);
      for (const id of ids ?? []) {
        const document = documents[id];
        if (document && !shards.includes(model.owner(document))) {
          missed.push(`${bson.toString('hex')} misses ${describeDocument(document)}`);
        }
      }
    }
    expect(missed).toEqual([]);
    expect(answered).toBeGreaterThan(FILTERS / 2);
  });

  /** `undefined` for a filter that the engine refuses, as one with `$ne` of a regular expression. */
  async function idsOf(collection: string, filter: Buffer): Promise<number[] | undefined> {
    const [find, ...rest] = elements(
      encode({ find: collection, projection: { _id: 1 }, batchSize: DOCUMENTS, $db: DB }),
    );
    const command = documentOf([find as RawElement, { name: 'filter', type: Type.object, bytes: filter }, ...rest]);
    const reply = decodePlain(await engine.send(command));
    return reply.cursor?.firstBatch.map(({ _id }: { _id: number }) => _id);
  }
});
