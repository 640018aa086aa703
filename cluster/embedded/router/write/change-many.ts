/** An update of many documents that may change shard keys: allowed as far as it changes none. */
import { arrayOf, documentOf, field, type RawElement, type RawValue, rawValue, Type } from '../../wire/bson.ts';
import { compareKeys } from '../compare.ts';
import { openOn } from '../read/fan-out.ts';
import type { ShardCursor } from '../read/shard-cursor.ts';
import type { RoutingTable } from '../routing.ts';
import type { Unmatched } from './insert-new.ts';
import { type Done, errorsIn, NOTHING } from './outcome.ts';
import { keyAfter } from './put-changed.ts';
import { scratchUpdate, tryOut } from './scratch.ts';
import { type Result, sendTo, stageError, type Write } from './shards.ts';
import { type Statement, withFields } from './statement.ts';

const INVALID_OPTIONS = 72;
/** Documents whose change is found out together. */
const BATCH = 100;

/**
 * Changes every match on each shard in turn, up to the first whose key would change.
 * @returns `undefined` when nothing matches
 * @throws CommandError 72 when a key would change, 54 when it would hold an array
 */
export async function changeMany(asked: Unmatched, table: RoutingTable, write: Write): Promise<Result | undefined> {
  let done: Done = NOTHING;
  for (const shard of asked.shards) {
    const result = await changeManyOn(shard, asked, table, write);
    if (result.errors.length > 0) return result;
    done = { n: done.n + result.done.n, nModified: done.nModified + result.done.nModified, upserted: [] };
  }
  return done.n > 0 ? { done, errors: [] } : undefined;
}

async function changeManyOn(shard: string, asked: Unmatched, table: RoutingTable, write: Write): Promise<Result> {
  const cursor = await openOn(write.catalog, shard, findAll(asked.statement, write));
  let done: Done = NOTHING;
  try {
    for (let batch = await takeBatch(cursor); batch.length > 0; batch = await takeBatch(cursor)) {
      const result = await changeBatch(shard, batch, asked, table, write);
      if (result.errors.length > 0) return result;
      done = { n: done.n + result.done.n, nModified: done.nModified + result.done.nModified, upserted: [] };
    }
  } finally {
    await cursor.close();
  }
  return { done, errors: [] };
}

/** In the order of the record store, which no update changes: else a document could be met again. */
function findAll({ q, collation }: Statement, { command }: Write): Buffer {
  const options: RawElement[] = command.shared.filter(({ name }) => name === 'let');
  if (collation) options.push({ name: 'collation', type: Type.object, bytes: collation });
  return documentOf([
    { name: 'find', ...rawValue(command.collection) },
    { name: 'filter', type: Type.object, bytes: q },
    { name: 'hint', ...rawValue({ $natural: 1 }) },
    ...options,
    { name: '$db', ...rawValue(command.db) },
  ]);
}

async function takeBatch(cursor: ShardCursor): Promise<Buffer[]> {
  const batch: Buffer[] = [];
  while (batch.length < BATCH) {
    await cursor.fill(BATCH);
    if (cursor.isExhausted) break;
    batch.push(cursor.batch.take());
  }
  return batch;
}

async function changeBatch(
  shard: string,
  batch: readonly Buffer[],
  { index, statement }: Unmatched,
  table: RoutingTable,
  write: Write,
): Promise<Result> {
  const trial = await tryOut(write.catalog.peer(shard), batch, scratchUpdate(write.command, statement));
  const errors = errorsIn(trial.reply, [index]);
  if (errors.length > 0) return { done: NOTHING, errors };
  const keeping = batch.findIndex((before, i) => changesKey(before, trial.documents[i] as Buffer, table, write));
  const unchanged = keeping < 0 ? batch : batch.slice(0, keeping);
  const result = await applyTo(unchanged, shard, index, statement, write);
  if (keeping < 0) return result;
  throw stageError(
    write,
    INVALID_OPTIONS,
    'Multi-update operations are not allowed when updating the shard key field.',
  );
}

function changesKey(before: Buffer, after: Buffer, table: RoutingTable, write: Write): boolean {
  return compareKeys(table.keyOf(before), keyAfter(table, after, write)) !== 0;
}

/** The update itself, of these documents only. */
async function applyTo(
  documents: readonly Buffer[],
  shard: string,
  index: number,
  { bytes, q }: Statement,
  write: Write,
): Promise<Result> {
  if (documents.length === 0) return { done: NOTHING, errors: [] };
  const ids = documents.map((document) => field(document, '_id') as RawValue);
  const byId = documentOf([{ name: '_id', type: Type.object, bytes: documentOf([{ name: '$in', ...arrayOf(ids) }]) }]);
  const both = arrayOf([byId, q].map((condition) => ({ type: Type.object, bytes: condition })));
  const narrowed: RawElement = { name: 'q', type: Type.object, bytes: documentOf([{ name: '$and', ...both }]) };
  return sendTo(shard, [index], write, [withFields(bytes, [narrowed, { name: 'upsert', ...rawValue(false) }])]);
}
