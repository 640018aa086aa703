/** Which writes of a step were refused. */
import type { Exchange, Json, JsonObject } from '../experiments/harness/record.ts';
import { SCRATCH } from './json.ts';

/** A write that was refused. */
export interface Refusal {
  readonly what: 'refused';
  readonly collection: string;
  /** Which of the step's exchanges it is, from 0. */
  readonly exchange: number;
  /** `insert`, `update` … */
  readonly command: string;
  /** Absent where the reply names none. */
  readonly code?: number;
  /** What was to be inserted. */
  readonly document?: JsonObject;
}

const WRITES = ['insert', 'update', 'delete', 'findAndModify', 'findandmodify'];

/** What an exchange says was refused. A command that got no answer is none. */
export function refusalsIn({ database, command, reply }: Exchange, exchange: number): Refusal[] {
  const [name = ''] = Object.keys(command);
  if (!reply) return [];
  if (name === 'bulkWrite') return refusedOfBulk(command, reply, exchange);
  if (!WRITES.includes(name) || database !== SCRATCH) return [];
  const head = { what: 'refused', collection: String(command[name]), exchange, command: name } as const;
  const documents = objects(command.documents);
  if (reply.ok === 0) {
    const [document, ...others] = documents;
    return [{ ...head, ...codeOf(reply), ...(document && others.length === 0 && { document }) }];
  }
  return objects(reply.writeErrors).map((error) => {
    const document = documents[Number(error.index)];
    return { ...head, ...codeOf(error), ...(document && { document }) };
  });
}

/** Each operation names its collection by its place in `nsInfo`, each refusal its operation by `idx`. */
function refusedOfBulk(command: JsonObject, reply: JsonObject, exchange: number): Refusal[] {
  const [ops, namespaces] = [objects(command.ops), objects(command.nsInfo)];
  const batch =
    reply.ok === 0 ? [{ ok: 0, idx: 0, ...codeOf(reply) }] : objects((reply.cursor as JsonObject)?.firstBatch);
  return batch
    .filter(({ ok }) => ok === 0)
    .flatMap(({ idx, ...result }) => {
      const op = ops[Number(idx)] ?? {};
      const kind = ['insert', 'update', 'delete'].find((one) => one in op) ?? '';
      const ns = String(namespaces[Number(op[kind])]?.ns);
      if (!ns.startsWith(`${SCRATCH}.`)) return [];
      const head = { what: 'refused', collection: ns.slice(SCRATCH.length + 1), exchange, command: kind } as const;
      return [{ ...head, ...codeOf(result), ...(kind === 'insert' && { document: op.document as JsonObject }) }];
    });
}

function codeOf({ code }: JsonObject): Pick<Refusal, 'code'> {
  return code === undefined ? {} : { code: Number(code) };
}

/** `refused: error 11000` */
export function refusedText({ code }: Refusal): string {
  return code === undefined ? 'refused' : `refused: error ${code}`;
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}
