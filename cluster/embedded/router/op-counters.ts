/** `opcounters` of `serverStatus` on a router (src/mongo/db/stats/counters.h); what counts as what was seen on the engine. */
import { field, firstName, number, truthy } from '../wire/bson.ts';
import type { Call } from './command.ts';
import { documentsOf } from './write/command.ts';

type Counter = 'insert' | 'query' | 'update' | 'delete' | 'getmore' | 'command' | 'aggregate';

/** What a command counts as, where that is not `command`. */
const COUNTED_AS: ReadonlyMap<string, readonly Counter[]> = new Map([
  ['find', ['query']],
  ['getMore', ['getmore']],
  ['aggregate', ['command', 'aggregate']],
]);
const COMMAND: readonly Counter[] = ['command'];
/** Writes count by statement. Where the statements are, and what one of them is; an operation of a bulk write says it itself. */
const WRITES: ReadonlyMap<string, { field: string; counter: Counter | undefined }> = new Map([
  ['insert', { field: 'documents', counter: 'insert' }],
  ['update', { field: 'updates', counter: 'update' }],
  ['delete', { field: 'deletes', counter: 'delete' }],
  ['bulkWrite', { field: 'ops', counter: undefined }],
]);

/** See the file's comment. */
export class OpCounters {
  readonly #counts: Record<Counter, number> = {
    insert: 0,
    query: 0,
    update: 0,
    delete: 0,
    getmore: 0,
    command: 0,
    aggregate: 0,
  };

  /** Counts a command that begins, unless it is a write. */
  begun({ name }: Call): void {
    if (WRITES.has(name)) return;
    for (const counter of COUNTED_AS.get(name) ?? COMMAND) this.#counts[counter]++;
  }

  /** Counts the statements that a write has attempted. @param reply what the client is told */
  ended(call: Call, reply: Buffer): void {
    const write = WRITES.get(call.name);
    if (!write) return;
    const statements = documentsOf(call, write.field);
    const end = isOrdered(call) ? (firstFailed(reply) ?? statements.length - 1) + 1 : statements.length;
    for (const statement of statements.slice(0, end)) this.#counts[write.counter ?? kindOf(statement)]++;
  }

  /** How often each happened since the process began. */
  get all(): Readonly<Record<Counter, number>> {
    return { ...this.#counts };
  }
}

function isOrdered({ body }: Call): boolean {
  const ordered = field(body, 'ordered');
  return ordered === undefined || truthy(ordered);
}

/** The place of the first statement that failed; `undefined` when none did. */
function firstFailed(reply: Buffer): number | undefined {
  const within = (body: Buffer, name: string): Buffer[] => documentsOf({ body, sequences: [] }, name);
  const [error] = within(reply, 'writeErrors');
  if (error) return number(field(error, 'index'));
  const cursor = field(reply, 'cursor');
  const failed = cursor && within(cursor.bytes, 'firstBatch').find((entry) => !truthy(field(entry, 'ok')));
  return failed && number(field(failed, 'idx'));
}

function kindOf(operation: Buffer): 'insert' | 'update' | 'delete' {
  return firstName(operation) as 'insert' | 'update' | 'delete'; // others the bulk write would have been refused for
}
