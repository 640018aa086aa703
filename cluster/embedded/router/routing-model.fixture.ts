/**
 * A plain model of chunk lookup and of what filters match, to test the router's against: values are ranks in a list ordered by
 * hand, a document matches by comparing ranks, and its owner is found by going through the chunks.
 */
import { arrayOf, documentOf, encode, type RawElement, type RawValue, rawValue, Type, text } from '../wire/bson.ts';
import { hashOf } from './hash.ts';
import { ORDERED_VALUES } from './ordered-values.fixture.ts';
import { type Chunk, type RoutingTable, routingTable } from './routing.ts';

/** Ranged, compound, nested and hashed keys. */
export const KEY_PATTERNS: readonly object[] = [
  { a: 1 },
  { 'a.b': 1 },
  { a: 1, b: 1 },
  { 'a.b': 1, 'a.c': 1, d: 1 },
  { a: 'hashed' },
  { 'a.b.c': 'hashed' },
  { a: 1, b: 'hashed', c: 1 },
  { a: 'hashed', b: 1 },
];

/** A value as the model sees it: its place in the order, and one of the equal ways to write it. */
export interface Ranked {
  rank: number;
  raw: RawValue;
}

/** A document: the values at the key's paths, `undefined` where the field is missing. */
export type ModelDocument = Record<string, Ranked | undefined>;

/** A filter in BSON, and what it means. */
export interface ModelFilter {
  bson: Buffer;
  matches(document: ModelDocument): boolean;
}

const BRACKETS: Readonly<Record<number, number>> = {
  [Type.int]: Type.double,
  [Type.long]: Type.double,
  [Type.decimal]: Type.double,
  [Type.symbol]: Type.string,
};
const bracket = ({ type }: RawValue): number => BRACKETS[type] ?? type;
const rankOf = (wanted: unknown): number =>
  ORDERED_VALUES.findIndex(
    ([first]) => first?.type === rawValue(wanted).type && first.bytes.equals(rawValue(wanted).bytes),
  );
const NULL_RANK = rankOf(null);
const NAN_RANK = rankOf(Number.NaN);
const LAST_RANK = ORDERED_VALUES.length - 1;

/** What can be in a shard key and in its bounds: the bounds take no regular expression either. */
export const isStorable = ({ type }: RawValue): boolean => type !== Type.array && type !== Type.regex;

/** A hash tells equal numbers apart where a decimal and a double have the same fraction: the server misses them too. */
const hashesAsOne = (row: readonly RawValue[]): boolean => new Set(row.map((raw) => hash(raw))).size === 1;
const hash = (raw: RawValue): bigint => hashOf(raw).bytes.readBigInt64LE(0);

export class Model {
  readonly table: RoutingTable;
  readonly #paths: readonly string[];
  readonly #hashed: ReadonlySet<string>;
  readonly #rows: readonly number[];
  readonly #random: Random;
  /** Split points in order; a hashed field's is a bigint, any other's a rank. */
  readonly #splits: readonly (number | bigint)[][];

  constructor(pattern: object, random: Random) {
    this.#random = random;
    this.#paths = Object.keys(pattern);
    this.#hashed = new Set(Object.entries(pattern).flatMap(([path, kind]) => (kind === 'hashed' ? [path] : [])));
    this.#rows = ORDERED_VALUES.flatMap((row, rank) => (this.#hashed.size === 0 || hashesAsOne(row) ? [rank] : []));
    this.#splits = this.#makeSplits(12);
    this.table = routingTable({
      ns: 'd.c',
      uuid: Buffer.alloc(16),
      keyPattern: encode(pattern),
      unique: false,
      chunks: this.#chunks(),
    });
  }

  document(): ModelDocument {
    return Object.fromEntries(this.#paths.map((path) => [path, this.#random(8) === 0 ? undefined : this.#stored()]));
  }

  /** The shard that the table under test finds. */
  lookUp(document: ModelDocument): string {
    return this.table.chunkOf(this.table.keyOf(nested(document))).shard;
  }

  /** The shard that going through all chunks finds. */
  owner(document: ModelDocument): string {
    const key = this.#paths.map((path) => this.#keyPart(path, document[path]));
    return shardName(this.#splits.filter((split) => comparePlainly(split, key) <= 0).length);
  }

  equality(document: ModelDocument): Buffer {
    return documentOf(this.#paths.map((path) => ({ name: path, ...(document[path]?.raw ?? rawValue(null)) })));
  }

  filter(depth: number): ModelFilter {
    const kind = depth > 0 ? this.#random(6) : 5;
    if (kind === 0) return both('$and', this.#filters(depth));
    if (kind === 1) return both('$or', this.#filters(depth));
    const [first, ...rest] = this.#paths.map((path) => this.#condition(path));
    const parts = [first as Condition, ...rest.filter(() => this.#random(2) === 0)];
    return {
      bson: documentOf(parts.map(({ element }) => element)),
      matches: (document) => parts.every((part) => part.matches(document)),
    };
  }

  #filters(depth: number): ModelFilter[] {
    return Array.from({ length: 1 + this.#random(3) }, () => this.filter(depth - 1));
  }

  #condition(path: string): Condition {
    const operand = this.#any();
    switch (this.#random(9)) {
      case 0:
      case 1:
        return condition(path, operand.raw, equals(operand));
      case 2:
      case 3:
        return this.#inequality(path);
      case 4:
        return this.#membership(path);
      case 5:
        return operators(path, { $ne: operand.raw }, (value) => !equals(operand)(value));
      case 6: {
        const wanted = this.#random(2) === 0;
        return operators(path, { $exists: rawValue(wanted) }, (value) => (value !== undefined) === wanted);
      }
      case 7: {
        const inner = this.#inequality(path);
        return operators(path, { $not: inner.element }, (value) => !inner.matches({ [path]: value }));
      }
      default:
        return this.#regularExpression(path);
    }
  }

  #inequality(path: string): Condition {
    const operator = ['$gt', '$gte', '$lt', '$lte'][this.#random(4)] as string;
    const operand = this.#pick(this.#rows.filter((rank) => isStorable(ranked(rank, 0).raw)));
    return operators(path, { [operator]: operand.raw }, (value) => isInequal(operator, value, operand));
  }

  #membership(path: string): Condition {
    const members = Array.from({ length: this.#random(4) }, () => this.#any());
    const isMember = (value: Ranked | undefined): boolean => members.some((member) => equals(member)(value));
    const list = arrayOf(members.map(({ raw }) => raw));
    if (this.#random(3) === 0) return operators(path, { $nin: list }, (value) => !isMember(value));
    return operators(path, { $in: list }, isMember);
  }

  #regularExpression(path: string): Condition {
    const pattern = ['^a', '^ab?', '^\\u{e9}', 'b', '^[ab]'][this.#random(5)] as string;
    const regex: RawValue = { type: Type.regex, bytes: Buffer.from(`${pattern.replace('\\u{e9}', 'é')}\0\0`) };
    const matches = (value: Ranked | undefined): boolean => {
      const content = text(value?.raw);
      return content === undefined
        ? value?.raw.type === Type.regex && value.raw.bytes.equals(regex.bytes)
        : new RegExp(pattern, 'u').test(content);
    };
    return condition(path, regex, matches);
  }

  #any(): Ranked {
    return this.#pick(this.#rows);
  }

  #stored(): Ranked {
    return this.#pick(this.#rows.filter((rank) => ORDERED_VALUES[rank]?.[0]?.type !== Type.array));
  }

  #pick(ranks: readonly number[]): Ranked {
    const rank = ranks[this.#random(ranks.length)] as number;
    return ranked(rank, this.#random((ORDERED_VALUES[rank] as RawValue[]).length));
  }

  #keyPart(path: string, value: Ranked | undefined): number | bigint {
    if (this.#hashed.has(path)) return hash(value?.raw ?? rawValue(null));
    return value?.rank ?? NULL_RANK;
  }

  #makeSplits(count: number): (number | bigint)[][] {
    const bounds = this.#rows.filter((rank) => isStorable(ranked(rank, 0).raw) && rank > 0 && rank < LAST_RANK);
    const part = (path: string): number | bigint =>
      this.#hashed.has(path)
        ? BigInt(this.#random(2 ** 31) - 2 ** 30) << 33n
        : (bounds[this.#random(bounds.length)] as number);
    const splits = Array.from({ length: count }, () => this.#paths.map(part)).sort(comparePlainly);
    return splits.filter((split, i) => i === 0 || comparePlainly(split, splits[i - 1] as (number | bigint)[]) > 0);
  }

  #chunks(): Chunk[] {
    const ends = [this.#paths.map(() => 0), ...this.#splits, this.#paths.map(() => LAST_RANK)].map((split) =>
      documentOf(split.map((part, i) => ({ name: this.#paths[i] as string, ...bound(part) }))),
    );
    return ends.slice(1).map((max, i) => ({ min: ends[i] as Buffer, max, shard: shardName(i) }));
  }
}

/** A condition on one path, as an element of a filter. */
interface Condition {
  element: RawElement;
  matches(document: ModelDocument): boolean;
}

function condition(path: string, raw: RawValue, matches: (value: Ranked | undefined) => boolean): Condition {
  return { element: { name: path, type: raw.type, bytes: raw.bytes }, matches: (document) => matches(document[path]) };
}

function operators(
  path: string,
  parts: Record<string, RawValue>,
  matches: (value: Ranked | undefined) => boolean,
): Condition {
  const bytes = documentOf(Object.entries(parts).map(([name, raw]) => ({ type: raw.type, bytes: raw.bytes, name })));
  return condition(path, { type: Type.object, bytes }, matches);
}

/** An implicit equality with a regular expression means its matches, which the model leaves to its own condition. */
function equals({ rank, raw }: Ranked): (value: Ranked | undefined) => boolean {
  return (value) => (value?.rank ?? NULL_RANK) === rank && raw.type !== Type.regex;
}

function isInequal(operator: string, value: Ranked | undefined, operand: Ranked): boolean {
  const { rank, raw } = value ?? ranked(NULL_RANK, 0);
  const orEqual = operator.endsWith('e');
  const unbracketed = operand.rank === 0 || operand.rank === LAST_RANK;
  if (rank === operand.rank) return orEqual;
  if (!unbracketed && (bracket(raw) !== bracket(operand.raw) || rank === NAN_RANK || operand.rank === NAN_RANK))
    return false;
  return operator.startsWith('$gt') ? rank > operand.rank : rank < operand.rank;
}

function both(operator: '$and' | '$or', filters: readonly ModelFilter[]): ModelFilter {
  const list = arrayOf(filters.map(({ bson }) => ({ type: Type.object, bytes: bson })));
  return {
    bson: documentOf([{ ...list, name: operator }]),
    matches: (document) =>
      operator === '$and'
        ? filters.every((filter) => filter.matches(document))
        : filters.some((filter) => filter.matches(document)),
  };
}

function ranked(rank: number, variant: number): Ranked {
  return { rank, raw: ORDERED_VALUES[rank]?.[variant] as RawValue };
}

function bound(part: number | bigint): RawValue {
  if (typeof part === 'number') return ranked(part, 0).raw;
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(part);
  return { type: Type.long, bytes };
}

function comparePlainly(a: readonly (number | bigint)[], b: readonly (number | bigint)[]): number {
  const at = a.findIndex((part, i) => part !== b[i]);
  return at < 0 ? 0 : (a[at] as number) < (b[at] as number) ? -1 : 1;
}

function shardName(index: number): string {
  return `s${index % 5}`;
}

/** The document with its dotted paths unfolded. */
export function nested(document: ModelDocument): Buffer {
  const names = [...new Set(Object.keys(document).map((path) => path.split('.')[0] as string))];
  const parts = names.flatMap((name): RawElement[] => {
    if (name in document) return document[name] ? [{ name, ...document[name].raw }] : [];
    const below = Object.entries(document).filter(([path]) => path.startsWith(`${name}.`));
    const inner = Object.fromEntries(below.map(([path, value]) => [path.slice(name.length + 1), value]));
    return [{ name, type: Type.object, bytes: nested(inner) }];
  });
  return documentOf(parts);
}

export function describeDocument(document: ModelDocument): string {
  return Object.entries(document)
    .map(([path, value]) => `${path}: ${value ? `rank ${value.rank}, type ${value.raw.type}` : 'missing'}`)
    .join('; ');
}

/** Whole numbers below a limit. */
export type Random = (limit: number) => number;

/** A small seeded generator (mulberry32). */
export function generator(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}
