/** A command's fields checked as the server's IDL checks them (src/mongo/idl/idl_parser.cpp): unknown, missing, of a wrong type. */
import { elements, number, type RawElement, type RawValue, Type } from '../../wire/bson.ts';
import { type Call, CommandError } from '../command.ts';
import { typeName } from './namespace.ts';

const BAD_VALUE = 2;
const TYPE_MISMATCH = 14;
const MISSING = 40414;
const UNKNOWN = 40415;

/** What a field may be. */
export type FieldType = 'object' | 'bool' | 'string' | 'array' | 'number' | 'long' | 'any';

/** Fields that any command may carry (src/mongo/idl/generic_argument.idl). */
const GENERIC: ReadonlySet<string> = new Set([
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  'maxTimeMS',
  'readConcern',
  'writeConcern',
  'lsid',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'stmtId',
  'comment',
  'rawData',
]);

const ACCEPTED: Readonly<Record<FieldType, readonly number[]>> = {
  object: [Type.object],
  bool: [Type.bool, Type.long, Type.int, Type.decimal, Type.double],
  string: [Type.string],
  array: [Type.array],
  number: [Type.long, Type.int, Type.decimal, Type.double],
  long: [Type.long],
  any: [],
};

/** Where there are several, 9.0 names them in an order of its own for each command. */
const EXPECTED: Readonly<Record<FieldType, string>> = {
  object: "expected type 'object'",
  bool: "expected types '[bool, long, int, decimal, double]'",
  string: "expected type 'string'",
  array: "expected type 'array'",
  number: "expected types '[long, int, decimal, double]'",
  long: "expected type 'long'",
  any: '',
};

/**
 * The fields of a command by name, without its first one. A null counts as missing.
 * @param known every field the command has
 * @throws CommandError 40415 for a field it has not, 14 for one of a wrong type
 */
export function fieldsOf(call: Call, known: Readonly<Record<string, FieldType>>): ReadonlyMap<string, RawValue> {
  const found = new Map<string, RawValue>();
  for (const element of elements(call.body).slice(1)) {
    if (element.name.startsWith('$') || GENERIC.has(element.name) || element.type === Type.null) continue;
    checkType(call.name, element, Object.hasOwn(known, element.name) ? known[element.name] : undefined);
    found.set(element.name, element);
  }
  return found;
}

/** @throws CommandError 40414 when the field is missing */
export function requireField(call: Call, fields: ReadonlyMap<string, RawValue>, name: string): RawValue {
  const value = fields.get(name);
  if (value) return value;
  throw missing(call, name);
}

/**
 * The value of a command's first field.
 * @throws CommandError 40414 when it is null, 14 when it is of a wrong type
 */
export function ownValue(call: Call, wanted: FieldType): RawValue {
  const [own] = elements(call.body);
  if (!own || own.type === Type.null) throw missing(call, call.name);
  checkType(call.name, own, wanted);
  return own;
}

/**
 * The items of an array field without its nulls; none when the field is missing.
 * @throws CommandError 14 when one is of a wrong type
 */
export function itemsIn(call: Call, name: string, array: RawValue | undefined, wanted: FieldType): RawValue[] {
  const items = array?.type === Type.array ? elements(array.bytes).filter(({ type }) => type !== Type.null) : [];
  for (const item of items) checkType(call.name, { ...item, name: `${name}.${item.name}` }, wanted);
  return items;
}

/**
 * The documents of an array field; none when the field is missing.
 * @throws CommandError 14 when another value is among them
 */
export function documentsIn(call: Call, name: string, array: RawValue | undefined): Buffer[] {
  return itemsIn(call, name, array, 'object').map(({ bytes }) => bytes);
}

/** @throws CommandError 2 (src/mongo/idl/idl_parser.h, the validator `gte: 0`) */
export function requireNotNegative(name: string, value: RawValue | undefined): void {
  const found = number(value) ?? 0;
  if (found >= 0) return;
  throw new CommandError(BAD_VALUE, `BSON field '${name}' value must be >= 0, actual value '${Math.trunc(found)}'`);
}

function checkType(command: string, element: RawElement, wanted: FieldType | undefined): void {
  const name = `${command}.${element.name}`;
  if (!wanted) throw new CommandError(UNKNOWN, `BSON field '${name}' is an unknown field.`);
  if (wanted === 'any' || ACCEPTED[wanted].includes(element.type)) return;
  const found = typeName(element);
  throw new CommandError(TYPE_MISMATCH, `BSON field '${name}' is the wrong type '${found}', ${EXPECTED[wanted]}`);
}

function missing(call: Call, name: string): CommandError {
  return new CommandError(MISSING, `BSON field '${call.name}.${name}' is missing but a required field`);
}
