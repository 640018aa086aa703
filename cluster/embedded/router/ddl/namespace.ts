/** Namespaces as commands name them (`parseNsFullyQualified`, `parseNsCollectionRequired`, src/mongo/db/commands.cpp). */
import { field, type RawValue, Type, text } from '../../wire/bson.ts';
import { type Call, CommandError } from '../command.ts';

const BAD_VALUE = 2;
const INVALID_NAMESPACE = 73;
const TYPE_NAMES: Readonly<Record<number, string>> = {
  [Type.double]: 'double',
  [Type.string]: 'string',
  [Type.object]: 'object',
  [Type.array]: 'array',
  [Type.binData]: 'binData',
  [Type.objectId]: 'objectId',
  [Type.bool]: 'bool',
  [Type.date]: 'date',
  [Type.null]: 'null',
  [Type.int]: 'int',
  [Type.long]: 'long',
  [Type.decimal]: 'decimal',
};

/** `db.coll`, taken apart at the first dot. */
export interface Namespace {
  ns: string;
  db: string;
  collection: string;
}

/** @param ns `db.coll` */
export function splitNamespace(ns: string): Namespace {
  const dot = ns.indexOf('.');
  return dot < 0 ? { ns, db: ns, collection: '' } : { ns, db: ns.slice(0, dot), collection: ns.slice(dot + 1) };
}

/**
 * The full namespace that an admin command names in its first field, as `{ shardCollection: "db.coll" }`.
 * @throws CommandError 2 when it is no string, 73 when it is no namespace of a collection
 */
export function fullNamespace({ body, name }: Call): Namespace {
  const namespace = splitNamespace(requireString(field(body, name)));
  if (!isCollection(namespace)) throw invalid(namespace.ns);
  return namespace;
}

/**
 * The collection that a command names in its first field, as `{ createIndexes: "coll" }`.
 * @throws CommandError 73 when it is no collection's name
 */
export function collectionNamespace({ body, name, db }: Call): Namespace {
  const value = field(body, name);
  const collection = text(value);
  const wrong = collection === undefined ? notText(value) : unfit(db, collection);
  if (wrong !== undefined) throw new CommandError(INVALID_NAMESPACE, wrong);
  return { ns: `${db}.${collection}`, db, collection: collection as string };
}

function notText(value: RawValue | undefined): string {
  return value?.type === Type.binData
    ? 'Collection name must be provided. UUID is not valid in this context'
    : `Collection name has invalid type ${value ? typeName(value) : 'missing'}`;
}

/** Why it is no collection's name, in the words of 9.0's engine. */
function unfit(db: string, collection: string): string | undefined {
  if (collection === '') return `Invalid namespace specified: ${db}`;
  if (collection.startsWith('.')) return `Collection names cannot start with '.': ${collection}`;
  return collection.includes('\0') ? 'namespaces cannot have embedded null characters' : undefined;
}

/** The name of a BSON type in error messages. */
export function typeName({ type }: RawValue): string {
  return TYPE_NAMES[type] ?? 'unknown';
}

function requireString(value: RawValue | undefined): string {
  const found = text(value);
  if (found !== undefined) return found;
  const type = value ? typeName(value) : 'missing';
  throw new CommandError(BAD_VALUE, `collection name has invalid type ${type}`);
}

function isCollection({ db, collection }: Namespace): boolean {
  return /^[^\0/\\. "$]{1,63}$/.test(db) && /^[^.\0][^\0]*$/.test(collection);
}

function invalid(ns: string): CommandError {
  return new CommandError(INVALID_NAMESPACE, `Invalid namespace specified '${ns}'`);
}
