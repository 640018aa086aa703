/** A write command as the router works on it: its statements one by one, and what they share. */
import {
  documentOf,
  elements,
  field,
  type RawElement,
  rawValue,
  splitDocuments,
  Type,
  text,
  truthy,
} from '../../wire/bson.ts';
import type { DocumentSequence } from '../../wire/message.ts';
import type { Call } from '../command.ts';

export type WriteKind = 'insert' | 'update' | 'delete';

/** The field that holds the statements. */
const STATEMENTS: Readonly<Record<WriteKind, string>> = { insert: 'documents', update: 'updates', delete: 'deletes' };
/** Of one client and its session, so no shard's affair. */
const SESSION_FIELDS = ['lsid', 'txnNumber', 'stmtId', 'stmtIds', '$clusterTime'];

/** See the file's comment. */
export interface WriteCommand {
  kind: WriteKind;
  db: string;
  collection: string;
  /** `db.coll` */
  ns: string;
  ordered: boolean;
  /** Documents of an insert, `{ q, u, … }` of an update, `{ q, limit, … }` of a delete. */
  statements: readonly Buffer[];
  /** Everything else that was sent (`let`, `writeConcern`, `bypassDocumentValidation` …). */
  shared: readonly RawElement[];
}

/** Reads a write command; `undefined` when it is not of a write command's form, which a shard then refuses in the server's words. */
export function parseWrite(kind: WriteKind, call: Call): WriteCommand | undefined {
  const collection = text(field(call.body, kind));
  const statements = statementsOf(kind, call);
  if (collection === undefined || !statements || statements.length === 0) return undefined;
  const ordered = field(call.body, 'ordered');
  const own = new Set([kind, STATEMENTS[kind], 'ordered', '$db', ...SESSION_FIELDS]);
  return {
    kind,
    db: call.db,
    collection,
    ns: `${call.db}.${collection}`,
    ordered: ordered === undefined || truthy(ordered),
    statements,
    shared: elements(call.body).filter(({ name }) => !own.has(name)),
  };
}

function statementsOf(kind: WriteKind, { body, sequences }: Call): Buffer[] | undefined {
  const sequence = sequences.find(({ name }) => name === STATEMENTS[kind]);
  if (sequence) return splitDocuments(sequence.bytes);
  const array = field(body, STATEMENTS[kind]);
  if (array?.type !== Type.array) return undefined;
  const values = elements(array.bytes);
  return values.every(({ type }) => type === Type.object) ? values.map(({ bytes }) => bytes) : undefined;
}

/** The documents that a command carries in a field or beside it; none when they are no array. */
export function documentsOf({ body, sequences }: Pick<Call, 'body' | 'sequences'>, name: string): Buffer[] {
  const sequence = sequences.find((sent) => sent.name === name);
  if (sequence) return splitDocuments(sequence.bytes);
  const array = field(body, name);
  return array?.type === Type.array ? elements(array.bytes).map(({ bytes }) => bytes) : [];
}

/** The command that runs some of the statements. */
export function commandFor(
  { kind, db, collection, ordered, shared }: Omit<WriteCommand, 'ns' | 'statements'>,
  statements: readonly Buffer[],
): { body: Buffer; sequences: DocumentSequence[] } {
  const body = documentOf([
    { name: kind, ...rawValue(collection) },
    { name: 'ordered', ...rawValue(ordered) },
    ...shared,
    { name: '$db', ...rawValue(db) },
  ]);
  return { body, sequences: [{ name: STATEMENTS[kind], bytes: Buffer.concat(statements) }] };
}
