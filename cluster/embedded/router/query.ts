/**
 * A filter taken apart as far as routing needs it: conditions on fields, all of which must hold, and alternatives.
 * Whatever is left out narrows nothing, so a filter read here matches at least what it matches on a shard
 * (src/mongo/db/query/compiler/parsers/matcher/expression_parser.cpp).
 */
import { arrayOf, elements, type RawElement, type RawValue, Type, text } from '../wire/bson.ts';
import { compareValues } from './compare.ts';

/** One condition on one field. */
export interface Condition {
  /** Dotted path; `''` for `$text`, which looks at the whole document. */
  path: string;
  /** `$eq`, `$gt`, `$in` …; implicit equality is `$eq`, an implicit or spelled out regular expression `$regex`. */
  operator: string;
  operand: RawValue;
  /** The condition must not hold. */
  negated: boolean;
}

/** At least one of several lists of parts must hold as a whole. */
export interface Alternatives {
  branches: readonly Query[];
}

/** The parts of a filter, all of which must hold. */
export type Query = readonly (Condition | Alternatives)[];

/** Reads a filter. One that a shard would refuse is read without complaint: the shard words the error. */
export function parseQuery(filter: Buffer): Query {
  return elements(filter).flatMap((element) => {
    if (!element.name.startsWith('$')) return conditionsOf(element);
    return logical(element);
  });
}

function logical(element: RawElement): Query {
  switch (element.name) {
    case '$and':
      return branchesOf(element).flat();
    case '$or':
      return alternatives(branchesOf(element));
    case '$text':
      return [{ path: '', operator: '$text', operand: element, negated: false }];
    default:
      return [];
  }
}

function branchesOf({ type, bytes }: RawElement): Query[] {
  if (type !== Type.array) return [];
  return elements(bytes)
    .filter((branch) => branch.type === Type.object)
    .map((branch) => parseQuery(branch.bytes));
}

function alternatives(branches: Query[]): Query {
  const [first] = branches;
  if (!first) return [];
  if (branches.length === 1) return first;
  return equalitiesOfOneField(branches) ?? [{ branches }];
}

/** `{ $or: [{ a: 1 }, { a: 2 }] }` is `{ a: { $in: [1, 2] } }`, as the server rewrites it. */
function equalitiesOfOneField(branches: readonly Query[]): Query | undefined {
  const conditions: Condition[] = [];
  for (const [only, ...more] of branches) {
    if (more.length > 0 || !only || !isEquality(only)) return undefined;
    conditions.push(only);
  }
  const path = (conditions[0] as Condition).path;
  if (conditions.some((condition) => condition.path !== path)) return undefined;
  return [membership(path, arrayOf(conditions.map(({ operand }) => operand)))];
}

/** Whether a part of a query says what one field equals. */
export function isEquality(part: Query[number]): part is Condition {
  return 'operator' in part && part.operator === '$eq' && !part.negated;
}

function conditionsOf({ name: path, type, bytes }: RawElement): Query {
  if (type === Type.regex) return [{ path, operator: '$regex', operand: { type, bytes }, negated: false }];
  if (type === Type.object && isOperatorDocument(bytes)) return operators(path, elements(bytes));
  return [equality(path, { type, bytes })];
}

/** `{ $gt: 1 }` is one, `{ $ref: "c", $id: 1 }` is a value (`isExpressionDocument`). */
function isOperatorDocument(document: Buffer): boolean {
  if (document[5] !== 0x24) return false; // the first name begins with `$`
  const names = elements(document).map(({ name }) => name);
  return !(names.includes('$ref') && names.includes('$id'));
}

function operators(path: string, parts: readonly RawElement[]): Query {
  return parts.flatMap((part) => {
    switch (part.name) {
      case '$in':
        return [membership(path, part)];
      case '$ne':
        return [{ path, operator: '$eq', operand: part, negated: true }];
      case '$nin':
        return [{ path, operator: '$in', operand: part, negated: true }];
      case '$all':
        return everyOne(path, part);
      case '$not':
        return negation(path, part);
      case '$regex':
        return [regularExpression(path, part, parts)];
      default:
        return [{ path, operator: part.name, operand: part, negated: false }];
    }
  });
}

function equality(path: string, operand: RawValue): Condition {
  return { path, operator: '$eq', operand, negated: false };
}

/** `$in` of one value is an equality, as the server rewrites it. */
function membership(path: string, operand: RawValue): Condition {
  const members = operand.type === Type.array ? elements(operand.bytes) : [];
  const [first] = members;
  if (first && members.every((member) => compareValues(member, first) === 0)) {
    return { path, operator: first.type === Type.regex ? '$regex' : '$eq', operand: first, negated: false };
  }
  return { path, operator: '$in', operand, negated: false };
}

function everyOne(path: string, { type, bytes }: RawElement): Query {
  if (type !== Type.array) return [];
  return elements(bytes).flatMap((member) => conditionsOf({ ...member, name: path }));
}

/** The negation of one operator; of several, or of a regular expression, nothing can be said. */
function negation(path: string, { type, bytes }: RawElement): Query {
  const inner = type === Type.object ? operators(path, elements(bytes)) : [];
  const [only] = inner;
  if (inner.length !== 1 || !only || 'branches' in only || only.negated) return [];
  return [{ ...only, negated: true }];
}

function regularExpression(path: string, part: RawElement, siblings: readonly RawElement[]): Condition {
  const options = text(siblings.find(({ name }) => name === '$options'));
  const [pattern = '', flags = ''] = text(part) === undefined ? regexParts(part) : [text(part)];
  return { path, operator: '$regex', operand: regexValue(pattern, options ?? flags), negated: false };
}

/** Pattern and flags of a regular expression value. */
export function regexParts({ type, bytes }: RawValue): [pattern: string, flags: string] {
  if (type !== Type.regex) return ['', ''];
  const [pattern = '', flags = ''] = bytes.toString().split('\0');
  return [pattern, flags];
}

function regexValue(pattern: string, flags: string): RawValue {
  return { type: Type.regex, bytes: Buffer.from(`${pattern}\0${flags}\0`) };
}
