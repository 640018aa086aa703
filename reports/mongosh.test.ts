import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Exchange, JsonObject, ResultRecord } from '../experiments/harness/record.ts';
import { sentBy } from './mongosh.fixture.ts';
import { connectedTo, mongoshText } from './mongosh.ts';

const results = new URL('results/', import.meta.url);
const records = readdirSync(results, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));

test('what a shell sends for the text of each committed exchange is the whole command', () => {
  const exchanges = records.flatMap(exchangesIn);
  expect(exchanges.length).toBeGreaterThan(500);
  for (const exchange of exchanges) {
    const { database, command } = exchange;
    expect(sentBy(mongoshText(exchange))).toEqual({ database, command });
  }
});

function exchangesIn(file: string): readonly Exchange[] {
  const record: ResultRecord = JSON.parse(readFileSync(new URL(file, results), 'utf8'));
  return record.steps.flatMap((step) => step.exchanges);
}

function exchange(command: JsonObject, database = '<database>', to = 'router'): Exchange {
  return { to, database, command, reply: { ok: 1 }, answeredBy: 'server' };
}

const documents = [{ _id: 1 }, { _id: 2 }];
const inserted = { insert: 'users', documents, ordered: true };
const update = { update: 'users', updates: [{ q: {}, u: { $set: { n: 1 } } }], ordered: true };

test.each<[Exchange, string]>([
  [exchange({ ...inserted, documents: [{ _id: 1 }] }), 'db.users.insertOne({ _id: 1 })'],
  [exchange(inserted), 'db.users.insertMany([ { _id: 1 }, { _id: 2 } ])'],
  [exchange({ ...inserted, ordered: false }), 'db.users.insertMany([ { _id: 1 }, { _id: 2 } ], { ordered: false })'],
  [exchange(update), 'db.users.updateOne({}, { $set: { n: 1 } })'],
  [
    exchange({ find: 'users', filter: {}, projection: { a: 1 }, sort: { a: -1 }, limit: 2 }),
    'db.users.find({}, { a: 1 }).sort({ a: -1 }).limit(2)',
  ],
  [exchange({ find: 'chunks', filter: {} }, 'config'), 'db.getSiblingDB("config").chunks.find({})'],
  [exchange({ find: 'my-users', filter: {} }), 'db.getCollection("my-users").find({})'],
  [exchange({ find: 'version', filter: {} }), 'db.getCollection("version").find({})'],
  [exchange({ find: 'stats', filter: {} }), 'db.getCollection("stats").find({})'],
  [exchange({ dropIndexes: 'users', index: '*' }), 'db.users.dropIndexes()'],
  [
    exchange({ moveRange: 'a.b', toShard: 's', min: { _id: 1 }, max: { _id: 2 } }, 'admin'),
    'sh.moveRange("a.b", "s", { _id: 1 }, { _id: 2 })',
  ],
  [
    exchange({ shardCollection: 'a.b', key: { a: 1 }, numInitialChunks: 2 }, 'admin'),
    'sh.shardCollection("a.b", { a: 1 }, { numInitialChunks: 2 })',
  ],
])('%j in the shell', (sent, text) => {
  expect(mongoshText(sent)).toBe(text);
});

test.each<[string, Exchange, string]>([
  ['a field that a helper does not send', exchange({ ...inserted, maxTimeMS: 5 }), 'runCommand'],
  ['an insert that is neither ordered nor unordered', exchange({ insert: 'users', documents }), 'runCommand'],
  ['documents that a driver would give an _id', exchange({ ...inserted, documents: [{ a: 1 }] }), 'runCommand'],
  ['several updates', exchange({ ...update, updates: [...update.updates, ...update.updates] }), 'runCommand'],
  [
    'an option that is off',
    exchange({ ...update, updates: [{ ...update.updates[0], upsert: false } as JsonObject] }),
    'runCommand',
  ],
  ['variables of a find', exchange({ find: 'users', filter: {}, let: { a: 1 } }), 'runCommand'],
  [
    'an index option that drivers do not know',
    exchange({ createIndexes: 'users', indexes: [{ key: { a: 1 }, name: 'a_1', prepareUnique: true }] }),
    'runCommand',
  ],
  [
    'a commit quorum',
    exchange({ createIndexes: 'users', indexes: [{ key: { a: 1 }, name: 'a_1' }], commitQuorum: 1 }),
    'runCommand',
  ],
  ['an aggregation of the whole database', exchange({ aggregate: 1, pipeline: [], cursor: {} }), 'runCommand'],
  [
    'a wait for deletion',
    exchange({ moveRange: 'a.b', toShard: 's', min: { a: 1 }, waitForDelete: true }, 'admin'),
    'adminCommand',
  ],
  ['what is no helper of a shard', exchange({ split: 'a.b', middle: { a: 1 } }, 'admin', 'sh0'), 'adminCommand'],
])('%s is sent whole', (_, sent, method) => {
  expect(mongoshText(sent)).toContain(`db.${method}({`);
  expect(sentBy(mongoshText(sent))).toEqual({ database: sent.database, command: sent.command });
});

test('what follows a call of several lines stands behind it', () => {
  const long = 'a value that leaves no room for anything else on its line, whatever it may be';
  expect(mongoshText(exchange({ find: 'users', filter: { long }, sort: { a: 1 } }))).toBe(
    `db.users.find({\n  long: "${long}"\n}).sort({ a: 1 })`,
  );
});

test('the shell is connected to the member that was asked', () => {
  expect([exchange({ ping: 1 }), exchange({ ping: 1 }, 'admin', 'sh1')].map(connectedTo)).toEqual([
    'the router',
    'shard sh1',
  ]);
});
