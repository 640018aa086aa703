import { expect, test } from 'vitest';
import { encode } from '../../wire/bson.ts';
import { splitNamespace } from './namespace.ts';
import { checkCollation, checkExisting, checkName, checkRequest } from './shard-collection-checks.ts';

function request(fields: { ns?: string; key?: Record<string, unknown>; unique?: boolean; collation?: object } = {}) {
  const { ns = 'db.c', key = { a: 1 }, unique = false, collation } = fields;
  return {
    namespace: splitNamespace(ns),
    key: encode(key),
    unique,
    collation: collation && encode(collation),
  };
}

function existing(options: Record<string, unknown>, type = 'collection') {
  return { type, options: encode(options), uuid: Buffer.alloc(16) };
}

const refusal = (code: number, message: string): unknown => expect.objectContaining({ code, message });

test.each([[{ a: 'hashed' }], [{ a: 1, b: 'hashed' }]])('the hashed key %j cannot be unique', (key) => {
  expect(() => checkRequest(request({ key, unique: true }))).toThrow(
    refusal(
      72,
      "Hashed shard keys cannot be declared unique. It's possible to ensure uniqueness on the hashed field by declaring an additional (non-hashed) unique index on the field.",
    ),
  );
  expect(() => checkRequest(request({ key }))).not.toThrow();
});

test.each(['db.system.profile', 'config.shards', 'admin.x'])(
  'shard_config_db_collections.js: %s is never sharded',
  (ns) => {
    expect(() => checkRequest(request({ ns }))).toThrow(
      refusal(20, `Special collection '${ns}' can't be registered in the sharding catalog`),
    );
  },
);

test('internal collections and long names are refused', () => {
  expect(() => checkName(splitNamespace('db.system.buckets.x'))).toThrow(
    refusal(5731501, 'Sharding a buckets collection is not allowed'),
  );
  const ns = `db.${'x'.repeat(233)}`;
  expect(() => checkRequest(request({ ns }))).toThrow(refusal(73, `Namespace too long. Namespace: ${ns} Max: 235`));
  expect(() => checkRequest(request({ ns: ns.slice(0, -1) }))).not.toThrow();
});

test('views and capped collections are refused', () => {
  expect(() => checkExisting(splitNamespace('db.c'), existing({}, 'view'))).toThrow(
    refusal(166, "Cannot shard collection 'db.c' because a view already exists with the same namespace"),
  );
  expect(() => checkExisting(splitNamespace('db.c'), existing({ capped: true, size: 4096 }))).toThrow(
    refusal(72, "can't shard a capped collection"),
  );
});

test('sharding is by the simple collation, which has to be asked for where the collection has another', () => {
  expect(() => checkCollation(request({ collation: { locale: 'en' } }), undefined)).toThrow(
    refusal(2, 'The collation for shardCollection must be {locale: \'simple\'}, but found: { locale: "en" }'),
  );
  const collated = existing({ collation: { locale: 'en', strength: 2 } });
  expect(() => checkCollation(request(), collated)).toThrow(
    refusal(
      2,
      'If no collation was specified, the collection collation must be {locale: \'simple\'}, but found: { locale: "en", caseLevel: false, caseFirst: "off", strength: 2, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" }',
    ),
  );
  expect(() => checkCollation(request({ collation: { locale: 'simple' } }), collated)).not.toThrow();
});
