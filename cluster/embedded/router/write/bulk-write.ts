/** `bulkWrite`: writes of any kind to any collections in one command (8.0+, src/mongo/s/commands/query_cmd/cluster_bulk_write_cmd.h). */
import { documentOf, elements, field, number, type RawElement, rawValue, Type, text, truthy } from '../../wire/bson.ts';
import type { Call } from '../command.ts';
import { documentsOf, type WriteCommand, type WriteKind } from './command.ts';

/** What its operations share with the writes that they become. */
const SHARED: ReadonlySet<string> = new Set([
  'let',
  'bypassDocumentValidation',
  'comment',
  'maxTimeMS',
  'writeConcern',
]);

/** A bulk write in parts: consecutive operations of one kind on one collection. */
export interface BulkWrite {
  parts: readonly Part[];
  /** How many operations there are. */
  size: number;
  ordered: boolean;
  /** The client wants to be told of errors only. */
  errorsOnly: boolean;
}

export interface Part {
  command: WriteCommand;
  /** The place of its first operation in the bulk write. */
  offset: number;
}

/** Reads a bulk write; `undefined` when it is malformed, which a shard then refuses in the server's words. */
export function parseBulkWrite(call: Call): BulkWrite | undefined {
  const operations = documentsOf(call, 'ops').map(parseOperation);
  const namespaces = documentsOf(call, 'nsInfo').map((info) => text(field(info, 'ns')) ?? '');
  const isValid = operations.every((operation) => operation && isNamespace(namespaces[operation.ns]));
  if (call.db !== 'admin' || operations.length === 0 || !isValid) return undefined;
  const ordered = field(call.body, 'ordered');
  const options = {
    ordered: ordered === undefined || truthy(ordered),
    errorsOnly: truthy(field(call.body, 'errorsOnly')),
  };
  const shared = elements(call.body).filter(({ name }) => SHARED.has(name));
  return {
    parts: partsOf(operations as Operation[], namespaces, options, shared),
    size: operations.length,
    ...options,
  };
}

interface Operation {
  kind: WriteKind;
  /** Place in `nsInfo`. */
  ns: number;
  statement: Buffer;
}

function parseOperation(bytes: Buffer): Operation | undefined {
  const [first, ...rest] = elements(bytes);
  const ns = number(first);
  if (!first || ns === undefined || !Object.hasOwn(STATEMENTS, first.name)) return undefined;
  const kind = first.name as WriteKind;
  const statement = STATEMENTS[kind](rest);
  return statement && { kind, ns, statement };
}

/** How an operation is worded as a statement of its own command. */
const STATEMENTS: Readonly<Record<WriteKind, (fields: readonly RawElement[]) => Buffer | undefined>> = {
  insert: (fields) => fields.find(({ name, type }) => name === 'document' && type === Type.object)?.bytes,
  update: (fields) =>
    documentOf(fields.map(({ name, ...value }) => ({ ...value, name: UPDATE_FIELDS.get(name) ?? name }))),
  delete: (fields) => {
    const multi = truthy(fields.find(({ name }) => name === 'multi'));
    const kept = fields.filter(({ name }) => name !== 'multi');
    const renamed = kept.map(({ name, ...value }) => ({ ...value, name: UPDATE_FIELDS.get(name) ?? name }));
    return documentOf([...renamed, { name: 'limit', ...rawValue(multi ? 0 : 1) }]);
  },
};

const UPDATE_FIELDS: ReadonlyMap<string, string> = new Map([
  ['filter', 'q'],
  ['updateMods', 'u'],
  ['constants', 'c'],
]);

function isNamespace(ns: string | undefined): boolean {
  const dot = ns?.indexOf('.') ?? -1;
  return ns !== undefined && dot > 0 && dot < ns.length - 1;
}

/** Operations whose single results are to be told are parts of their own, but for inserts, each of which inserts one document. */
function partsOf(
  operations: readonly Operation[],
  namespaces: readonly string[],
  { ordered, errorsOnly }: { ordered: boolean; errorsOnly: boolean },
  shared: readonly RawElement[],
): Part[] {
  const parts: { command: WriteCommand & { statements: Buffer[] }; offset: number }[] = [];
  for (const [offset, { kind, ns: at, statement }] of operations.entries()) {
    const ns = namespaces[at] as string;
    const last = parts.at(-1)?.command;
    if (last?.kind === kind && last.ns === ns && (errorsOnly || kind === 'insert')) {
      last.statements.push(statement);
      continue;
    }
    const dot = ns.indexOf('.');
    const names = { db: ns.slice(0, dot), collection: ns.slice(dot + 1), ns };
    parts.push({ command: { kind, ...names, ordered, statements: [statement], shared }, offset });
  }
  return parts;
}
