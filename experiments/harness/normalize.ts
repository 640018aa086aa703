/**
 * Makes what was sent and what came back the same on every run. What a run makes up (ObjectIds, UUIDs, cursor ids, hosts, the name
 * of the scratch database) becomes a placeholder numbered by first appearance, so that equal things stay recognisably
 * equal. Times of the run become placeholders without a number: whether two of them coincide is chance.
 *
 * Left out altogether is what driver and servers add for themselves, so that a command reads as a person would send it:
 * from commands `lsid`, `txnNumber`, `$clusterTime`, `$db` and the read preference that goes without saying; from replies the cluster's
 * gossip ({@link GOSSIP}) and this project's own mark of who answered.
 */
import { type Binary, type Document, EJSON, type Int32 } from 'bson';
import type { Json, JsonObject } from './record.ts';

/** The top-level field in which the embedded executables say who answered. */
export const MARK = '$shardlab';

const PLUMBING = new Set(['lsid', 'txnNumber', '$clusterTime', '$db']);
const GOSSIP = new Set([
  '$clusterTime',
  '$configTime',
  '$topologyTime',
  '$gleStats',
  'operationTime',
  'lastCommittedOpTime',
]);
/** Where a reply holds what was found: documents of the experiment. */
const RESULTS = new Set(['firstBatch', 'nextBatch']);
const DURATION = /(millis|micros|nanos)(estimate)?$/i;
/** Clocks of one machine agree better than this; a date further from the run was written by the experiment. */
const CLOCK_SLACK_MS = 60_000;

const IN_TEXT = new RegExp(
  [
    /(?<version>\b\d+\|\d+\|\|[0-9a-f]{24}(?:\|\|Timestamp\(\d+, ?\d+\))?)/,
    /(?<uuid>\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)/,
    /(?<oid>\b[0-9a-f]{24}\b)/,
    /(?<timestamp>Timestamp\(\d+, ?\d+\))/,
    /(?<host>(?:127\.0\.0\.1|localhost|\[::1\]):\d+)/,
  ]
    .map((part) => part.source)
    .join('|'),
  'gi',
);

/** What is known of a run before it begins. */
export interface RunFacts {
  /** The name of the scratch database; undefined when none was made. */
  readonly database: string | undefined;
  /** What to call each `host:port` that is known. */
  readonly hosts: ReadonlyMap<string, string>;
  /** Takes out what no record may keep. */
  readonly mask?: ((text: string) => string) | undefined;
  /** When the run began and ended. */
  readonly since: Date;
  readonly until: Date;
}

/** Turns the values of one run, taken in the order of the report, into reproducible JSON. */
export class Normalizer {
  readonly #facts: RunFacts;
  readonly #numbers = new Map<string, Map<string, number>>();

  constructor(facts: RunFacts) {
    this.#facts = facts;
  }

  /**
   * A command as a person would send it.
   * @param isDirect it went to one member, for which drivers add a read preference (`primaryPreferred`) of their own
   */
  command(command: Document, isDirect = false): JsonObject {
    const usual = isDirect ? 'primaryPreferred' : 'primary';
    const kept = Object.entries(command).filter(([key, value]) => !PLUMBING.has(key) && !isMode(usual, key, value));
    return Object.fromEntries(kept.map(([key, value]) => [this.text(key), this.#argument(key, value)]));
  }

  /** A whole reply without the cluster's gossip. */
  reply(reply: Document): JsonObject {
    return this.document(Object.fromEntries(Object.entries(reply).filter(([key]) => key !== MARK)));
  }

  document(document: Document): JsonObject {
    const entries = Object.entries(document).filter(([key]) => !GOSSIP.has(key));
    return Object.fromEntries(entries.map(([key, value]) => [this.text(key), this.#field(key, value)]));
  }

  /** What somebody stored or asks for: a field may have the name of one that servers add, and is kept. */
  content(document: Document): JsonObject {
    const entries = Object.entries(document);
    return Object.fromEntries(entries.map(([key, value]) => [this.text(key), this.#contentIn(value)]));
  }

  text(text: string): string {
    const { database, mask = (whole) => whole } = this.#facts;
    return mask(database ? text.replaceAll(database, '<database>') : text).replace(IN_TEXT, (match, ...rest) =>
      this.#inText(match, rest.at(-1) as Record<string, string | undefined>),
    );
  }

  value(value: unknown): Json {
    if (value === undefined || value === null) return null;
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (value instanceof Date) return this.#isOfTheRun(value) ? '<date>' : extended(value);
    if (isDocument(value)) return this.document(value);
    return this.#bson((value as { _bsontype?: string })._bsontype, value);
  }

  /** The number by which an ObjectId or UUID is called; infinity as long as it has none, undefined for any other value. */
  numberOf(value: unknown): number | undefined {
    const [kind, identity] = madeUp(value) ?? [];
    if (!kind || !identity) return undefined;
    return this.#numbers.get(kind)?.get(identity) ?? Number.POSITIVE_INFINITY;
  }

  #argument(key: string, value: unknown): Json {
    if (key === 'getMore') return this.#cursor(value);
    if (key === 'cursors' && Array.isArray(value)) return value.map((id) => this.#cursor(id));
    return this.#contentIn(value);
  }

  #contentIn(value: unknown): Json {
    if (Array.isArray(value)) return value.map((item) => this.#contentIn(item));
    return isDocument(value) ? this.content(value) : this.value(value);
  }

  #field(key: string, value: unknown): Json {
    if (RESULTS.has(key)) return this.#contentIn(value);
    if (typeof value === 'number' && DURATION.test(key)) return '<duration>';
    if (key === 'raw' && isDocument(value)) return inKeyOrder(this.document(value));
    if (key === 'cursor' && isDocument(value) && 'id' in value)
      return { ...this.document(value), id: this.#cursor(value.id) };
    return this.value(value);
  }

  /** Cursor ids are random, except for 0, which says that there is no more. */
  #cursor(id: unknown): Json {
    return String(id) === '0' ? 0 : this.#numbered('cursor', String(id));
  }

  #isOfTheRun(date: Date): boolean {
    const { since, until } = this.#facts;
    return date.getTime() >= since.getTime() - CLOCK_SLACK_MS && date.getTime() <= until.getTime() + CLOCK_SLACK_MS;
  }

  #bson(type: string | undefined, value: unknown): Json {
    const made = madeUp(value);
    if (made) return this.#numbered(...made);
    if (type === 'Timestamp') return '<Timestamp>';
    if (type === 'Int32') return (value as Int32).value;
    if (type === 'Long') return { $numberLong: String(value) };
    if (type === 'Double' || Object.is(value, -0)) return double(Number(value));
    return extended(value);
  }

  #inText(match: string, groups: Record<string, string | undefined>): string {
    if (groups.version) return '<chunk version>';
    if (groups.uuid) return this.#numbered('UUID', match.toLowerCase());
    if (groups.oid) return this.#numbered('ObjectId', match.toLowerCase());
    if (groups.timestamp) return '<Timestamp>';
    return this.#facts.hosts.get(match) ?? this.#numbered('host', match);
  }

  #numbered(kind: string, identity: string): string {
    const known = this.#numbers.get(kind) ?? new Map<string, number>();
    this.#numbers.set(kind, known);
    if (!known.has(identity)) known.set(identity, known.size + 1);
    return `<${kind} ${known.get(identity)}>`;
  }
}

function isMode(mode: string, key: string, value: unknown): boolean {
  return key === '$readPreference' && isDocument(value) && value.mode === mode;
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

/** What a run made up, by its kind. */
function madeUp(value: unknown): [kind: string, identity: string] | undefined {
  const type = (value as { _bsontype?: string } | null)?._bsontype;
  if (type === 'ObjectId') return [type, String(value)];
  if (type === 'Binary' && isUuid(value as Binary)) return ['UUID', String((value as Binary).toUUID())];
  return undefined;
}

function isUuid(binary: Binary): boolean {
  return binary.sub_type === 4 && binary.length() === 16;
}

function inKeyOrder(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** A whole number would be taken for an int. */
function double(value: number): Json {
  if (!Number.isInteger(value)) return extended(value);
  return { $numberDouble: `${Object.is(value, -0) ? '-0' : value}.0` };
}

/** Relaxed Extended JSON. */
function extended(value: unknown): Json {
  return (EJSON.serialize({ value }, { relaxed: true }) as { value: Json }).value;
}
