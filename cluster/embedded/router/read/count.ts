/** `count`: the sum of the shards' counts (src/mongo/s/commands/cluster_count_cmd.h). */
import { Double, Long } from 'bson';
import { documentOf, elements, encode, field, number, rawValue } from '../../wire/bson.ts';
import { type Call, CommandError, type Reply, type Router } from '../command.ts';
import { fieldsOf, requireNotNegative } from '../ddl/request.ts';
import { acceptedOr } from '../refused.ts';
import { routed } from './routed.ts';

const BAD_VALUE = 2;
const INT32_MAX = 2 ** 31 - 1;
const ROUTERS_PART: ReadonlySet<string> = new Set(['skip', 'limit']);

/** src/mongo/db/query/count_command.idl, besides the fields of every command. */
const FIELDS = {
  query: 'object',
  limit: 'any',
  skip: 'number',
  hint: 'any',
  collation: 'object',
  fields: 'any',
  encryptionInformation: 'object',
  includeQueryStatsMetrics: 'bool',
  mirrored: 'any',
} as const;

/** @throws CommandError 2, 14 or 40415 for what the server's parser refuses before it asks a shard */
export async function count(call: Call, router: Router): Promise<Reply> {
  const fields = fieldsOf(call, FIELDS);
  requireNotNegative('skip', fields.get('skip'));
  const limit = field(call.body, 'limit');
  if (limit && number(limit) === undefined) throw new CommandError(BAD_VALUE, 'limit value is not a valid number');
  return routed(call, router, 'query', ({ shards }) => countOn(shards, call, router));
}

async function countOn(shards: readonly string[], call: Call, { catalog }: Router): Promise<Reply> {
  const skip = number(field(call.body, 'skip')) ?? 0;
  const limit = Math.abs(number(field(call.body, 'limit')) ?? 0);
  const command = commandForShards(call.body, skip, limit);
  const replies = await Promise.all(shards.map((shard) => catalog.peer(shard).send(command)));
  const counts = replies.map((reply, i) => countIn(reply, shards[i] as string));
  const found = Math.max(0, counts.reduce((sum, n) => sum + n, 0) - skip);
  const n = limit > 0 ? Math.min(limit, found) : found;
  const subtotals = Object.fromEntries(shards.map((shard, i) => [shard, integer(counts[i] as number)]));
  return { body: encode({ shards: subtotals, n: integer(n), ok: new Double(1) }), answeredBy: 'engine' };
}

/** Any shard may hold all of the first `skip + limit` documents. */
export function commandForShards(body: Buffer, skip: number, limit: number): Buffer {
  const kept = elements(body).filter(({ name }) => !ROUTERS_PART.has(name));
  return documentOf(limit > 0 ? [...kept, { name: 'limit', ...rawValue(skip + limit) }] : kept);
}

function countIn(reply: Buffer, shard: string): number {
  return number(field(acceptedOr(`failed on: ${shard}`, reply), 'n')) ?? 0;
}

function integer(n: number): number | Long {
  return n > INT32_MAX ? Long.fromNumber(n) : n;
}
