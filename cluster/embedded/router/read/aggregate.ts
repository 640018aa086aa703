/** `aggregate`: whole on one shard, or in a part for the shards and a part that merges (src/mongo/s/query/planner/cluster_aggregate.cpp). */
import { notModelledReply } from '../../not-modelled.ts';
import { arrayOf, documentOf, field, number, Type, text } from '../../wire/bson.ts';
import type { Catalog } from '../catalog.ts';
import { type Call, CommandError, type Reply, type Router } from '../command.ts';
import { emptyCursor } from './empty.ts';
import { firstReply } from './first-reply.ts';
import { type Foreign, foreignReads, written } from './foreign.ts';
import { type Stage, stagesOf } from './pipeline.ts';
import { passWhole, type Run, runParted } from './run-pipeline.ts';

const CANNOT_BE_SHARDED = 28769;
/** What takes the place of a collection in `{ aggregate: 1 }`. */
const COLLECTIONLESS = '$cmd.aggregate';
const EMPTY_DOCUMENT = documentOf([]);

export async function aggregate(call: Call, router: Router): Promise<Reply> {
  const stages = stagesOf(field(call.body, 'pipeline')) ?? [];
  if (stages[0]?.name === '$changeStream') return notModelled('a change stream');
  const ns = `${call.db}.${text(field(call.body, 'aggregate')) ?? COLLECTIONLESS}`;
  const asked = { ns, stages, reads: foreignReads(stages, call.db), writes: written(stages, call.db) };
  return usingAll(router.catalog, asked, () => aggregateIn(asked, call, router));
}

function notModelled(what: string): Reply {
  return { body: notModelledReply(what), answeredBy: 'model' };
}

/** A pipeline and the collections it is about. */
interface Asked {
  ns: string;
  /** Empty, too, for a malformed pipeline, which an engine refuses. */
  stages: readonly Stage[];
  reads: readonly Foreign[];
  writes: Foreign | undefined;
}

function usingAll<T>(catalog: Catalog, { ns, reads, writes }: Asked, work: () => Promise<T>): Promise<T> {
  return catalog.usingAll([ns, ...reads.map((read) => read.ns), ...(writes ? [writes.ns] : [])], work);
}

async function aggregateIn(asked: Asked, call: Call, router: Router): Promise<Reply> {
  const { catalog } = router;
  const missing = shardedOther(asked, catalog);
  if (missing) return notModelled(missing);
  const shards = shardsFor(asked, call, catalog);
  const [first, ...others] = shards;
  if (first === undefined) return emptyCursor(asked.ns);
  const run = await placed(asked, shards, call, router);
  const elsewhere = [run.readsHost, run.writesHost].some((host) => host !== undefined && host !== first);
  const isWellFormed = asked.stages.length > 0 && field(call.body, 'cursor') !== undefined;
  if (!isWellFormed || (others.length === 0 && !elsewhere)) return passWhole(first, run, router);
  const batchSize = number(field(field(call.body, 'cursor')?.bytes ?? EMPTY_DOCUMENT, 'batchSize'));
  return firstReply(await runParted(run), { ns: asked.ns, batchSize }, router);
}

/**
 * What of the pipeline is not modelled, because another collection than its own is sharded.
 * @throws CommandError 28769 for `$out` into a sharded collection
 */
function shardedOther({ reads, writes }: Asked, catalog: Catalog): string | undefined {
  const read = reads.find(({ ns }) => catalog.routing(ns));
  if (read) return `${read.stage} from a sharded collection`;
  if (!writes || !catalog.routing(writes.ns)) return undefined;
  if (writes.stage === '$out') throw new CommandError(CANNOT_BE_SHARDED, `${writes.ns} cannot be sharded`);
  return `${writes.stage} into a sharded collection`;
}

/** Where the pipeline's own documents are; none while the database does not exist. */
function shardsFor({ ns, stages }: Asked, call: Call, catalog: Catalog): readonly string[] {
  const table = catalog.routing(ns);
  if (table) return table.targets(leadingFilter(stages), field(call.body, 'collation')?.bytes).shards;
  const primary = catalog.primaryOf(call.db);
  if (primary !== undefined) return [primary];
  const isCollectionless = field(call.body, 'aggregate')?.type !== Type.string;
  return isCollectionless
    ? catalog
        .shards()
        .slice(0, 1)
        .map(({ id }) => id)
    : [];
}

/** What every document that the pipeline looks at has to match. */
function leadingFilter(stages: readonly Stage[]): Buffer {
  const end = stages.findIndex(({ name }) => name !== '$match');
  const leading = stages.slice(0, end < 0 ? stages.length : end);
  const filters = leading.map(({ operand }) => operand).filter(({ type }) => type === Type.object);
  const [only] = filters;
  if (!only) return EMPTY_DOCUMENT;
  return filters.length === 1 ? only.bytes : documentOf([{ name: '$and', ...arrayOf(filters) }]);
}

async function placed(
  { ns, stages, reads, writes }: Asked,
  shards: readonly string[],
  call: Call,
  router: Router,
): Promise<Run> {
  const { catalog, metadata } = router;
  return {
    call,
    catalog,
    stages,
    shards,
    readsHost: reads.length > 0 ? catalog.primaryOf(call.db) : undefined,
    writesHost: writes && (await catalog.ensureDatabase(writes.db)),
    defaultCollation: metadata.sharded(ns)?.entry.defaultCollation,
  };
}
