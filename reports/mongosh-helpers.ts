/**
 * Which helper of mongosh sends a command, if one does. What they send is known from packages/shell-api/src/shard.ts, collection.ts and
 * database.ts (mongodb-js/mongosh) and from the Node.js driver below them (src/operations in mongodb/node-mongodb-native).
 */
import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../experiments/harness/record.ts';
import { isObject } from './json.ts';

/** Method calls, each on what the one before it returned. */
export type HelperCalls = readonly (readonly [method: string, ...args: Json[]])[];

/** Undefined where no helper sends exactly that command. */
type Rule = (fields: JsonObject, first: string) => HelperCalls | undefined;

/** The calls on `sh` that send a command to the database `admin` of the router; undefined where none sends exactly that. */
export function shardingHelper(command: JsonObject): HelperCalls | undefined {
  return calls(OF_SHARDING, command);
}

/** As {@link shardingHelper}, on a database. */
export function databaseHelper(command: JsonObject): HelperCalls | undefined {
  return calls(OF_DATABASE, command);
}

/** As {@link shardingHelper}, on a collection, and on which. */
export function collectionHelper(command: JsonObject): { collection: string; calls: HelperCalls } | undefined {
  const { explain, verbosity, ...rest } = command;
  if (isObject(explain))
    return typeof verbosity === 'string' && isEmpty(rest) ? explained(explain, verbosity) : undefined;
  const found = calls(OF_COLLECTION, command);
  return found && { collection: String(Object.values(command)[0]), calls: found };
}

function explained(command: JsonObject, verbosity: string): ReturnType<typeof collectionHelper> {
  const helper = 'find' in command ? collectionHelper(command) : undefined;
  return helper && { ...helper, calls: [...helper.calls, ['explain', verbosity]] };
}

function calls(rules: Readonly<Record<string, Rule>>, command: JsonObject): HelperCalls | undefined {
  const [[name, first] = ['', null], ...fields] = Object.entries(command);
  if (typeof first !== 'string' || !Object.hasOwn(rules, name)) return undefined;
  return rules[name]?.(Object.fromEntries(fields), first);
}

const OF_SHARDING: Readonly<Record<string, Rule>> = {
  enableSharding: (fields, database) => exactly('enableSharding', database, fields),
  shardCollection: (fields, ns) => byKey('shardCollection', ns, fields),
  reshardCollection: (fields, ns) => byKey('reshardCollection', ns, fields),
  split: (fields, ns) => exactly('splitAt', ns, fields, 'middle') ?? exactly('splitFind', ns, fields, 'find'),
  moveChunk: (fields, ns) => exactly('moveChunk', ns, fields, 'find', 'to'),
  moveRange: (fields, ns) => exactly('moveRange', ns, fields, 'toShard', 'min', 'max'),
  addShardToZone: (fields, shard) => exactly('addShardToZone', shard, fields, 'zone'),
  removeShardFromZone: (fields, shard) => exactly('removeShardFromZone', shard, fields, 'zone'),
  updateZoneKeyRange: (fields, ns) => exactly('updateZoneKeyRange', ns, fields, 'min', 'max', 'zone'),
};

const OF_DATABASE: Readonly<Record<string, Rule>> = {
  create: (fields, collection) =>
    withOptions('createCollection', [collection], fields, [
      'validator',
      'validationLevel',
      'validationAction',
      'collation',
    ]),
};

const OF_COLLECTION: Readonly<Record<string, Rule>> = {
  insert,
  update,
  delete: remove,
  find,
  aggregate,
  distinct: ({ key, query, ...rest }) =>
    typeof key === 'string' && isObject(query) && isEmpty(rest) ? [['distinct', key, query]] : undefined,
  findAndModify,
  createIndexes,
  dropIndexes: ({ index, ...rest }) => {
    if (!isEmpty(rest) || index === undefined) return undefined;
    if (index === '*') return [['dropIndexes']];
    return [[Array.isArray(index) ? 'dropIndexes' : 'dropIndex', index]];
  },
  listIndexes: ({ cursor, ...rest }) =>
    isObject(cursor) && isEmpty(cursor) && isEmpty(rest) ? [['getIndexes']] : undefined,
};

/** A method whose arguments are the command's value and then these fields. */
function exactly(method: string, first: string, fields: JsonObject, ...names: string[]): HelperCalls | undefined {
  const args = names.flatMap((name) => fields[name] ?? []);
  return args.length === names.length && Object.keys(fields).length === names.length
    ? [[method, first, ...args]]
    : undefined;
}

function byKey(method: string, ns: string, { key, unique, ...options }: JsonObject): HelperCalls | undefined {
  if (!isObject(key) || (unique !== undefined && typeof unique !== 'boolean')) return undefined;
  return [[method, ns, key, ...(unique === undefined ? [] : [unique]), ...(isEmpty(options) ? [] : [options])]];
}

/** Drivers give an `_id` to a document that has none. */
function insert({ documents, ordered, ...rest }: JsonObject): HelperCalls | undefined {
  if (!isEmpty(rest) || typeof ordered !== 'boolean' || !isList(documents)) return undefined;
  const [first] = documents;
  if (!first || !documents.every((document) => isObject(document) && '_id' in document)) return undefined;
  if (!ordered) return [['insertMany', documents, { ordered }]];
  return [documents.length === 1 ? ['insertOne', first] : ['insertMany', documents]];
}

const STATEMENT_OPTIONS = ['upsert', 'hint', 'arrayFilters', 'collation'];

function update({ updates, ordered, ...rest }: JsonObject): HelperCalls | undefined {
  const statement = onlyOne(updates);
  if (!isEmpty(rest) || ordered !== true || !statement) return undefined;
  const { q, u, multi, ...options } = statement;
  if (!isObject(q) || u === undefined || (multi !== undefined && multi !== true)) return undefined;
  if (hasOperators(u)) return withOptions(multi ? 'updateMany' : 'updateOne', [q, u], options, STATEMENT_OPTIONS);
  return multi || !isObject(u)
    ? undefined
    : withOptions('replaceOne', [q, u], options, ['upsert', 'hint', 'collation']);
}

function remove({ deletes, ordered, ...rest }: JsonObject): HelperCalls | undefined {
  const statement = onlyOne(deletes);
  if (!isEmpty(rest) || ordered !== true || !statement) return undefined;
  const { q, limit, ...options } = statement;
  if (!isObject(q) || (limit !== 0 && limit !== 1)) return undefined;
  return withOptions(limit === 1 ? 'deleteOne' : 'deleteMany', [q], options, ['hint', 'collation']);
}

function find({ filter, projection, ...more }: JsonObject): HelperCalls | undefined {
  const modifiers = Object.entries(more);
  if (!isObject(filter) || !modifiers.every(([name, value]) => FIND_MODIFIERS.has(name) && isGiven(value)))
    return undefined;
  return [['find', filter, ...(projection === undefined ? [] : [projection])], ...modifiers];
}

/** Methods of a cursor with the same name as the field that they send. */
const FIND_MODIFIERS = new Set(['sort', 'skip', 'limit', 'hint', 'collation']);

function aggregate({ pipeline, cursor, ...options }: JsonObject): HelperCalls | undefined {
  if (!isList(pipeline) || !isObject(cursor) || !isEmpty(cursor)) return undefined;
  const [match, group, ...more] = pipeline;
  const isCount = isObject(match) && isObject(match.$match) && isDeepStrictEqual([group, ...more], [COUNTED]);
  if (isCount && Object.keys(match).length === 1 && isEmpty(options))
    return [['countDocuments', match.$match as JsonObject]];
  return withOptions('aggregate', [pipeline], options, ['hint', 'collation', 'let']);
}

const COUNTED = { $group: { _id: 1, n: { $sum: 1 } } };

function findAndModify({ query, update, remove, new: isNew, upsert, ...rest }: JsonObject): HelperCalls | undefined {
  const { fields, ...options } = rest;
  if (!isObject(query) || remove !== false || typeof isNew !== 'boolean' || typeof upsert !== 'boolean')
    return undefined;
  if (update === undefined || !(hasOperators(update) || isObject(update))) return undefined;
  const all = {
    ...(fields !== undefined && { projection: fields }),
    ...options,
    ...(upsert && { upsert }),
    ...(isNew && { returnDocument: 'after' }),
  };
  const method = hasOperators(update) ? 'findOneAndUpdate' : 'findOneAndReplace';
  return withOptions(method, [query, update], all, ['projection', 'sort', 'collation', 'upsert', 'returnDocument']);
}

const INDEX_OPTIONS = [
  'unique',
  'sparse',
  'hidden',
  'partialFilterExpression',
  'collation',
  'expireAfterSeconds',
  'name',
];

function createIndexes({ indexes, ...rest }: JsonObject): HelperCalls | undefined {
  const index = onlyOne(indexes);
  if (!isEmpty(rest) || !index || !isObject(index.key) || typeof index.name !== 'string') return undefined;
  const { key, name, ...options } = index;
  const isUsual =
    name ===
    Object.entries(key as JsonObject)
      .flat()
      .join('_');
  return withOptions('createIndex', [index.key], { ...options, ...(!isUsual && { name }) }, INDEX_OPTIONS);
}

/** Undefined where one of the options would not be sent as it is. */
function withOptions(method: string, args: Json[], options: JsonObject, known: string[]): HelperCalls | undefined {
  if (!Object.entries(options).every(([name, value]) => known.includes(name) && isGiven(value))) return undefined;
  return [[method, ...args, ...(isEmpty(options) ? [] : [options])]];
}

/** Drivers leave out some of the options that are off, empty or null. */
function isGiven(value: Json): boolean {
  return Boolean(value) && !(isObject(value) && isEmpty(value));
}

function onlyOne(statements: Json | undefined): JsonObject | undefined {
  const [statement, more] = isList(statements) ? statements : [];
  return isObject(statement) && more === undefined ? statement : undefined;
}

/** As drivers tell an update from a replacement; a list is a pipeline. */
function hasOperators(update: Json): boolean {
  if (isList(update)) return update.length > 0;
  return isObject(update) && !isEmpty(update) && Object.keys(update).every((key) => key.startsWith('$'));
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}
