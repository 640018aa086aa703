/**
 * The merging part of a pipeline, run by an engine that is fed with what the shards have sent: in the command itself
 * (`$documents`) or, beyond what fits there, through a collection that lives as long as the cursor.
 */
import { randomUUID } from 'node:crypto';
import {
  arrayOf,
  documentOf,
  elements,
  encode,
  type RawElement,
  type RawValue,
  rawValue,
  Type,
} from '../../wire/bson.ts';
import type { Catalog } from '../catalog.ts';
import { accepted } from '../refused.ts';
import { openOn } from './fan-out.ts';
import { Concatenation } from './merge.ts';
import { MergedCursor } from './merged-cursor.ts';

/** Documents in one command, in bytes: well below what an engine accepts, so that the rest of the command fits. */
const INLINE_BYTES = 12 * 1024 * 1024;
const EMPTY_OBJECT = { type: Type.object, bytes: documentOf([]) };

/** A part of a pipeline and where it runs. */
export interface MergeJob {
  catalog: Catalog;
  /** The shard whose engine merges. */
  host: string;
  db: string;
  stages: readonly RawValue[];
  /** `let`, `collation`, `writeConcern` … as the client sent them. */
  options: readonly RawElement[];
}

/**
 * Runs a pipeline over a stream, which it closes.
 * @throws Refused when the engine refuses
 */
export async function mergeOn(job: MergeJob, input: MergedCursor): Promise<MergedCursor> {
  try {
    const { batch, exhausted } = await input.take(INLINE_BYTES);
    return exhausted
      ? await run(job, 1, [documentsStage(batch), ...job.stages])
      : await mergeSpilled(job, batch, input);
  } finally {
    await input.close();
  }
}

/** `{ $documents: { $literal: [ … ] } }`: unwrapped, strings that begin with `$` would be paths. @param batch a BSON array */
export function documentsStage(batch: Buffer): RawValue {
  const documents = documentOf([{ name: '$literal', type: Type.array, bytes: batch }]);
  return { type: Type.object, bytes: documentOf([{ name: '$documents', type: Type.object, bytes: documents }]) };
}

async function mergeSpilled(job: MergeJob, first: Buffer, input: MergedCursor): Promise<MergedCursor> {
  const collection = `tmp.shardlab_merge.${randomUUID()}`;
  try {
    await create(job, collection);
    await spill(job, collection, first);
    for (let exhausted = false; !exhausted; ) {
      const page = await input.take(INLINE_BYTES);
      await spill(job, collection, page.batch);
      exhausted = page.exhausted;
    }
    const unwrap = rawValue({ $replaceRoot: { newRoot: '$d' } });
    return await run(job, collection, [unwrap, ...job.stages], () => drop(job, collection));
  } catch (error) {
    await drop(job, collection);
    throw error;
  }
}

/** Temporary: should this router or the host die, it goes when the next one takes over. */
async function create({ catalog, host, db }: MergeJob, collection: string): Promise<void> {
  accepted(await catalog.peer(host).send(encode({ create: collection, temp: true, $db: db })));
}

/** Wrapped, as what is merged may have no `_id`, the same one twice, or one that no stored document can have. */
async function spill({ catalog, host, db }: MergeJob, collection: string, batch: Buffer): Promise<void> {
  const documents = elements(batch).map(({ type, bytes }) => documentOf([{ name: 'd', type, bytes }]));
  if (documents.length === 0) return;
  const command = encode({ insert: collection, ordered: true, $db: db });
  accepted(await catalog.peer(host).send(command, [{ name: 'documents', bytes: Buffer.concat(documents) }]));
}

/** A host that is gone drops it itself when it is back. */
async function drop({ catalog, host, db }: MergeJob, collection: string): Promise<void> {
  await catalog
    .peer(host)
    .send(encode({ drop: collection, $db: db }))
    .catch(() => {});
}

/** @param source a collection, or 1 for none */
async function run(
  { catalog, host, db, options }: MergeJob,
  source: string | 1,
  pipeline: readonly RawValue[],
  onClose?: () => Promise<void>,
): Promise<MergedCursor> {
  const command = documentOf([
    { name: 'aggregate', ...rawValue(source) },
    { name: 'pipeline', ...arrayOf(pipeline) },
    { name: 'cursor', ...EMPTY_OBJECT },
    ...options,
    { name: '$db', ...rawValue(db) },
  ]);
  const cursor = await openOn(catalog, host, command);
  return new MergedCursor(new Concatenation([cursor]), { onClose });
}
