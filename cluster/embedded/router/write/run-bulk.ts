/** A `bulkWrite` from its arrival to its reply. */
import { Double } from 'bson';
import { append, elements, encode, field, number, without } from '../../wire/bson.ts';
import type { Call, Reply, Router } from '../command.ts';
import { MergedCursor } from '../read/merged-cursor.ts';
import { QueuedDocuments } from '../read/queued-documents.ts';
import { passTo } from '../read/routed.ts';
import type { History } from '../sessions.ts';
import { BulkTally } from './bulk-tally.ts';
import { type BulkWrite, type Part, parseBulkWrite } from './bulk-write.ts';
import { execute } from './execute.ts';
import { Outcome } from './outcome.ts';
import { recall } from './run.ts';

/** Of the cursor over the results. */
const NS = 'admin.$cmd.bulkWrite';
const EMPTY_DOCUMENT = encode({});
const OK: ReadonlySet<string> = new Set(['ok']);

export async function bulkWrite(call: Call, router: Router): Promise<Reply> {
  const bulk = parseBulkWrite(call);
  if (!bulk) return passTo(router.catalog.shards()[0]?.id ?? 'config', call, router); // which refuses it
  return router.retries.run(call, async (history) => {
    const tally = new BulkTally(bulk.errorsOnly);
    for (const part of bulk.parts) {
      await runPart(part, bulk, tally, router, history);
      if (bulk.ordered && tally.sums.nErrors > 0) break;
    }
    return replyOf(tally, call, router);
  });
}

async function runPart(
  part: Part,
  { size }: BulkWrite,
  tally: BulkTally,
  { metadata: catalog }: Router,
  all: History | undefined,
): Promise<void> {
  const { command, offset } = part;
  const outcome = new Outcome();
  const history = all?.from(offset);
  const indexes = command.statements.map((_, index) => index);
  const left = history ? recall(indexes, history, outcome) : indexes;
  await execute({ whole: undefined, size, operation: 'update', command, catalog, history, outcome }, left);
  tally.add(part, outcome);
}

async function replyOf({ entries, sums, retried, answeredBy }: BulkTally, call: Call, router: Router): Promise<Reply> {
  const cursor = new MergedCursor(new QueuedDocuments(entries));
  const batchSize = number(field(field(call.body, 'cursor')?.bytes ?? EMPTY_DOCUMENT, 'batchSize'));
  const first = await cursor.first(batchSize ?? Number.POSITIVE_INFINITY);
  const { body } = router.cursors.open(cursor, [NS], first, answeredBy, call);
  const rest = { ...sums, ...(retried.length > 0 && { retriedStmtIds: retried }), ok: new Double(1) };
  return { body: append(without(body, OK), elements(encode(rest))), answeredBy };
}
