/** A shell small enough to read: evaluates mongosh text and says which command the real one would send, and where. */
import { runInNewContext } from 'node:vm';
import type { Json, JsonObject } from '../experiments/harness/record.ts';

/** What was sent; database and command as in a record. */
export interface Sent {
  database: string;
  command: JsonObject;
}

type Arg = Json | undefined;
type Method = (...args: Arg[]) => unknown;

/** @throws Error when the text calls what is not here, or is no JavaScript once its placeholders are strings */
export function sentBy(text: string): Sent {
  const script = text
    .replaceAll(/(?<!")<(?:ObjectId|UUID|cursor) \d+>|(?<!")<Timestamp>/g, '"$&"')
    .replaceAll(/\bNaN\b/g, 'Double(NaN)');
  const sent = runInNewContext(script, { db: database('<database>'), sh, ...VALUES });
  return JSON.parse(JSON.stringify(sent)) as Sent;
}

const VALUES = {
  ISODate: (text: string) => ({ $date: text }),
  MinKey: () => ({ $minKey: 1 }),
  MaxKey: () => ({ $maxKey: 1 }),
  Long: (text: string) => ({ $numberLong: text }),
  Decimal128: (text: string) => ({ $numberDecimal: text }),
  Double: (value: number) => ({
    $numberDouble: Object.is(value, -0) ? '-0.0' : Number.isInteger(value) ? value.toFixed(1) : String(value),
  }),
};

const admin = (command: object) => ({ database: 'admin', command });

const sh: Readonly<Record<string, Method>> = {
  shardCollection: (ns, key, unique, options) => admin({ shardCollection: ns, key, unique, ...asObject(options) }),
  splitAt: (ns, middle) => admin({ split: ns, middle }),
  splitFind: (ns, query) => admin({ split: ns, find: query }),
  moveRange: (ns, toShard, min, max) => admin({ moveRange: ns, toShard, min, max }),
  addShardToZone: (shard, zone) => admin({ addShardToZone: shard, zone }),
  removeShardFromZone: (shard, zone) => admin({ removeShardFromZone: shard, zone }),
  updateZoneKeyRange: (ns, min, max, zone) => admin({ updateZoneKeyRange: ns, min, max, zone }),
};

function database(name: string): object {
  const own: Readonly<Record<string, Method>> = {
    getSiblingDB: (other) => database(String(other)),
    getCollection: (collection) => methods(name, String(collection)),
    adminCommand: (command) => admin(command as object),
    runCommand: (command) => ({ database: name, command }),
    createCollection: (create, options) => ({ database: name, command: { create, ...asObject(options) } }),
  };
  return new Proxy(own, { get: (_, property) => own[String(property)] ?? methods(name, String(property)) });
}

/** @throws Error for what {@link database} would take for one of its own methods */
function methods(database: string, collection: string): object {
  const send = (command: object) => ({ database, command });
  const update = (q: Arg, u: Arg, options: Arg, multi?: true) =>
    send({ update: collection, updates: [{ q, u, multi, ...asObject(options) }], ordered: true });
  const remove = (q: Arg, limit: number, options: Arg) =>
    send({ delete: collection, deletes: [{ q, limit, ...asObject(options) }], ordered: true });
  const modify = (query: Arg, change: Arg, options: Arg) => {
    const { projection, returnDocument, upsert = false, ...rest } = asObject(options);
    const isNew = returnDocument === 'after';
    return send({
      findAndModify: collection,
      query,
      remove: false,
      new: isNew,
      upsert,
      update: change,
      fields: projection,
      ...rest,
    });
  };
  const all: Readonly<Record<string, Method>> = {
    insertOne: (document) => send({ insert: collection, documents: [document], ordered: true }),
    insertMany: (documents, options) => send({ insert: collection, documents, ordered: true, ...asObject(options) }),
    updateOne: (q, u, options) => update(q, u, options),
    updateMany: (q, u, options) => update(q, u, options, true),
    replaceOne: (q, u, options) => update(q, u, options),
    deleteOne: (q, options) => remove(q, 1, options),
    deleteMany: (q, options) => remove(q, 0, options),
    findOneAndUpdate: modify,
    findOneAndReplace: modify,
    find: (filter, projection) => cursor(database, { find: collection, filter, projection }),
    aggregate: (pipeline, options) => send({ aggregate: collection, pipeline, cursor: {}, ...asObject(options) }),
    countDocuments: (query) =>
      send({
        aggregate: collection,
        pipeline: [{ $match: query }, { $group: { _id: 1, n: { $sum: 1 } } }],
        cursor: {},
      }),
    distinct: (key, query) => send({ distinct: collection, key, query }),
    createIndex: (key, options) =>
      send({
        createIndexes: collection,
        indexes: [
          {
            name: Object.entries(key as JsonObject)
              .flat()
              .join('_'),
            ...asObject(options),
            key,
          },
        ],
      }),
    dropIndex: (index) => send({ dropIndexes: collection, index }),
    dropIndexes: (index = '*') => send({ dropIndexes: collection, index }),
    getIndexes: () => send({ listIndexes: collection, cursor: {} }),
  };
  return all;
}

/** What is chained to a `find` is a field of the same name. */
function cursor(database: string, command: object): object {
  const chained =
    (field: string): Method =>
    (value) =>
      cursor(database, { ...command, [field]: value });
  const fields = ['sort', 'skip', 'limit', 'hint', 'collation'].map((field) => [field, chained(field)]);
  const explain = (verbosity: Arg) => ({ database, command: { explain: command, verbosity } });
  return { database, command, ...Object.fromEntries(fields), explain };
}

function asObject(options: Arg): JsonObject {
  return (options ?? {}) as JsonObject;
}
