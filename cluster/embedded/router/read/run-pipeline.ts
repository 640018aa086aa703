/** A pipeline carried out: by one shard as it came, or in its parts. */
import { arrayOf, documentOf, elements, type RawElement, type RawValue, rawValue, Type } from '../../wire/bson.ts';
import type { Catalog } from '../catalog.ts';
import type { Call, Reply, Router } from '../command.ts';
import { mergeOn } from './engine-merge.ts';
import { openOnShards } from './fan-out.ts';
import { Concatenation, type DocumentSource, SortedMerge } from './merge.ts';
import { MergedCursor } from './merged-cursor.ts';
import { SOURCES, type Split, type Stage, splitPipeline } from './pipeline.ts';

/** A pipeline and where it has to run. */
export interface Run {
  /** `db.coll` */
  ns: string;
  call: Call;
  catalog: Catalog;
  stages: readonly Stage[];
  /** Empty only for a collection of a database that does not exist. */
  shards: readonly string[];
  /** The other collections that the pipeline reads, as `db.coll`. */
  reads: readonly string[];
  /** The shard that holds the unsharded collections which the pipeline reads beside its own. */
  readsHost: string | undefined;
  /** The shard that holds the collection which the pipeline writes. */
  writesHost: string | undefined;
  /** The collation by which an engine merges, when the command names none but the collection has one. */
  defaultCollation: Buffer | undefined;
}

/** Options that concern the shards' part, and those that concern the merging part. */
const FOR_SHARDS: ReadonlySet<string> = new Set([
  'let',
  'collation',
  'allowDiskUse',
  'maxTimeMS',
  'comment',
  'hint',
  'readConcern',
]);
const FOR_MERGER: ReadonlySet<string> = new Set([
  'let',
  'collation',
  'allowDiskUse',
  'maxTimeMS',
  'comment',
  'bypassDocumentValidation',
  'writeConcern',
]);

/** Has one shard do all of it. */
export async function passWhole(
  shard: string,
  { call, stages, catalog, reads }: Run,
  { cursors }: Router,
): Promise<Reply> {
  const body = SOURCES.has(stages[0]?.name ?? '')
    ? withPipeline(
        call.body,
        annotated(
          stages.map(({ value }) => value),
          shard,
          catalog,
        ),
      )
    : call.body;
  const reply = await catalog.peer(shard).send(body, call.sequences);
  return { body: cursors.adopt(reply, shard, call, reads), answeredBy: 'engine' };
}

function withPipeline(body: Buffer, pipeline: readonly RawValue[]): Buffer {
  return documentOf(
    elements(body).map((part) => (part.name === 'pipeline' ? { ...arrayOf(pipeline), name: part.name } : part)),
  );
}

/** Statistics of a shard's own say whose they are. */
function annotated(pipeline: readonly RawValue[], shard: string, catalog: Catalog): RawValue[] {
  const [source, ...rest] = pipeline as [RawValue, ...RawValue[]];
  const whose = { shard: { $literal: shard }, host: { $literal: catalog.peer(shard).address } };
  const front = { $cond: ['$ns', { ns: '$ns', ...whose }, {}] };
  const merged = { $mergeObjects: [front, '$$ROOT', whose] };
  return [source, rawValue({ $replaceWith: merged }), ...rest];
}

/** Opens the result of a pipeline that several servers work on. */
export async function runParted(run: Run): Promise<MergedCursor> {
  const split = splitPipeline(run.stages);
  const merged = await openShardPart(run, split);
  return split.mergePart.length === 0 ? merged : runMergePart(run, split.mergePart, merged);
}

async function openShardPart({ call, catalog, shards, stages }: Run, split: Split): Promise<MergedCursor> {
  const { skip, limit, directions, shardPart, needsMerge } = split;
  const isSource = SOURCES.has(stages[0]?.name ?? '');
  const cursors = await openOnShards(catalog, shards, (shard) => {
    const pipeline = isSource ? annotated(shardPart, shard, catalog) : shardPart;
    return shardCommand(call.body, pipeline, needsMerge);
  });
  const source: DocumentSource = directions ? new SortedMerge(cursors, directions) : new Concatenation(cursors);
  return new MergedCursor(source, { skip, limit });
}

/** The command that does the shards' part. */
export function shardCommand(body: Buffer, pipeline: readonly RawValue[], needsMerge: boolean): Buffer {
  const all = elements(body);
  const merging: RawElement[] = needsMerge
    ? [
        { name: 'fromRouter', ...rawValue(true) },
        { name: 'needsMerge', ...rawValue(true) },
      ]
    : [];
  return documentOf([
    all[0] as RawElement, // the collection
    { name: 'pipeline', ...arrayOf(pipeline) },
    { name: 'cursor', type: Type.object, bytes: documentOf([]) },
    ...merging,
    ...all.filter(({ name }) => FOR_SHARDS.has(name) || name === '$db'),
  ]);
}

/** On the shard that holds what the pipeline reads or writes besides; the last stage apart where that is on another one. */
async function runMergePart(run: Run, stages: readonly RawValue[], input: MergedCursor): Promise<MergedCursor> {
  const { call, catalog, shards, readsHost, writesHost, defaultCollation } = run;
  const options = elements(call.body).filter(({ name }) => FOR_MERGER.has(name));
  if (defaultCollation && !options.some(({ name }) => name === 'collation')) {
    options.push({ name: 'collation', type: Type.object, bytes: defaultCollation });
  }
  const job = { catalog, db: call.db, options };
  if (!readsHost || !writesHost || readsHost === writesHost) {
    return mergeOn({ ...job, host: readsHost ?? writesHost ?? (shards[0] as string), stages }, input);
  }
  const readers = stages.slice(0, -1);
  const read = readers.length > 0 ? await mergeOn({ ...job, host: readsHost, stages: readers }, input) : input;
  return mergeOn({ ...job, host: writesHost, stages: stages.slice(-1) }, read);
}
