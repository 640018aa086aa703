/** Copies the documents of a range from one shard to another as bytes: a batch is read while the one before is written. */
import { documentOf, elements, encode, field, number } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { all } from '../all.ts';
import { askRaw, throwIfRefused } from '../ask.ts';
import type { Namespace } from '../ddl/namespace.ts';
import { compose, Raw } from '../metadata/compose.ts';
import { findInRange, type KeyRange, type ShardCollection } from './shard-range.ts';

/** Documents of one batch at most; a reply holds 16 MB, an insert 100,000 documents. */
const BATCH_SIZE = 50_000;

/** What has been copied. */
export interface Copied {
  documents: number;
  bytes: number;
}

interface Batch {
  documents: Buffer[];
  /** The command for the batch that follows; `undefined` behind the last one. */
  next: Buffer | undefined;
}

/** The first documents of a range, read before anything is decided. */
export async function firstBatch(from: ShardCollection, range: KeyRange): Promise<Batch> {
  return readBatch(from, findInRange(from, range, { batchSize: BATCH_SIZE }));
}

/** Ends the reading of a range before its last batch; a shard that is gone has ended it already. */
export async function endRead(
  { peer, namespace: { db, collection } }: ShardCollection,
  { next }: Batch,
): Promise<void> {
  const id = next && field(next, 'getMore');
  if (!id) return;
  const kill = compose({ killCursors: collection, cursors: [new Raw(id)], $db: db });
  await peer.send(kill).catch(() => {});
}

/**
 * Copies a range, beginning with a batch that has been read.
 * @throws CommandError with the recipient's code and text when it refuses a document
 */
export async function copyRange(from: ShardCollection, to: Peer, first: Batch): Promise<Copied> {
  const copied = { documents: 0, bytes: 0 };
  for (let batch: Batch | undefined = first; batch; batch = await following(from, to, batch, copied));
  return copied;
}

/** Writes a batch, adds it up, and returns the one behind it. Where reading fails the write has ended all the same: what is copied in vain can be deleted. */
async function following(from: ShardCollection, to: Peer, batch: Batch, copied: Copied): Promise<Batch | undefined> {
  const { documents, next } = batch;
  const [read] = await all([next && readBatch(from, next), write(to, from.namespace, documents)]);
  copied.documents += documents.length;
  copied.bytes += documents.reduce((sum, { length }) => sum + length, 0);
  return read;
}

async function readBatch({ peer, namespace }: ShardCollection, command: Buffer): Promise<Batch> {
  const cursor = field(await askRaw(peer, command), 'cursor')?.bytes ?? encode({});
  const batch = field(cursor, 'firstBatch') ?? field(cursor, 'nextBatch');
  const id = field(cursor, 'id');
  const isLast = !id || number(id) === 0;
  const rest = elements(encode({ collection: namespace.collection, batchSize: BATCH_SIZE, $db: namespace.db }));
  return {
    documents: batch ? elements(batch.bytes).map(({ bytes }) => bytes) : [],
    next: isLast ? undefined : documentOf([{ name: 'getMore', ...id }, ...rest]),
  };
}

/** On disk before it counts: what the donor deletes afterwards must not be lost. */
async function write(to: Peer, { db, collection }: Namespace, documents: readonly Buffer[]): Promise<void> {
  if (documents.length === 0) return;
  const insert = compose({
    insert: collection,
    ordered: true,
    bypassDocumentValidation: true,
    writeConcern: { w: 1, j: true },
    $db: db,
  });
  throwIfRefused(await to.send(insert, [{ name: 'documents', bytes: Buffer.concat(documents) }]));
}
