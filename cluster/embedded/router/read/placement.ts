/** Where a pipeline runs: on the shards that hold its documents, and on those that hold what it reads and writes besides. */

import { notModelled } from '../../not-modelled.ts';
import { arrayOf, documentOf, field, Type, text } from '../../wire/bson.ts';
import type { Catalog } from '../catalog.ts';
import { type Call, CommandError, type Reply, type Router } from '../command.ts';
import { type Foreign, foreignReads, written } from './foreign.ts';
import { type Stage, stagesOf } from './pipeline.ts';
import type { Run } from './run-pipeline.ts';
import { refuseViewOfSharded } from './views.ts';

const CANNOT_BE_SHARDED = 28769;
/** What takes the place of a collection in `{ aggregate: 1 }`. */
const COLLECTIONLESS = '$cmd.aggregate';
const EMPTY_DOCUMENT = documentOf([]);

/**
 * Runs work on a pipeline where it belongs, while nobody moves what it is about.
 * @param call an `aggregate`, also one inside of another command
 * @throws CommandError not modelled, 28769
 */
export function placed(call: Call, router: Router, work: (run: Run) => Promise<Reply>): Promise<Reply> {
  const stages = stagesOf(field(call.body, 'pipeline')) ?? [];
  const ns = `${call.db}.${text(field(call.body, 'aggregate')) ?? COLLECTIONLESS}`;
  const asked = { ns, stages, reads: foreignReads(stages, call.db), writes: written(stages, call.db) };
  return usingAll(router.catalog, asked, async () => {
    refuseUnmodelled(asked, router.catalog);
    const run = await place(asked, call, router);
    const isSharded = router.catalog.routing(ns) !== undefined;
    if (!isSharded && run.shards.length > 0) await refuseViewOfSharded(router, call.db, ns.slice(call.db.length + 1));
    return work(run);
  });
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

/** Whether more than one server has to work on a pipeline. */
export function isParted({ stages, shards, readsHost, writesHost }: Run): boolean {
  const others = [...shards.slice(1), readsHost, writesHost];
  return stages.length > 0 && others.some((shard) => shard !== undefined && shard !== shards[0]);
}

/**
 * @throws CommandError not modelled for a change stream, and when another collection than the pipeline's own is sharded;
 * 28769 when that is the one `$out` writes
 */
function refuseUnmodelled({ stages, reads, writes }: Asked, catalog: Catalog): void {
  if (stages[0]?.name === '$changeStream') throw notModelled('a change stream');
  const read = reads.find(({ ns }) => catalog.routing(ns));
  if (read) throw notModelled(`${read.stage} from a sharded collection`);
  if (!writes || !catalog.routing(writes.ns)) return;
  if (writes.stage === '$out') throw new CommandError(CANNOT_BE_SHARDED, `${writes.ns} cannot be sharded`);
  throw notModelled(`${writes.stage} into a sharded collection`);
}

/** Where the pipeline's own documents are; none while the database does not exist. */
function shardsFor(ns: string, stages: readonly Stage[], call: Call, catalog: Catalog): readonly string[] {
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
export function leadingFilter(stages: readonly Stage[]): Buffer {
  const end = stages.findIndex(({ name }) => name !== '$match');
  const leading = stages.slice(0, end < 0 ? stages.length : end);
  const filters = leading.map(({ operand }) => operand).filter(({ type }) => type === Type.object);
  const [only] = filters;
  if (!only) return EMPTY_DOCUMENT;
  return filters.length === 1 ? only.bytes : documentOf([{ name: '$and', ...arrayOf(filters) }]);
}

async function place({ ns, stages, reads, writes }: Asked, call: Call, router: Router): Promise<Run> {
  const { catalog, metadata } = router;
  return {
    ns,
    call,
    catalog,
    stages,
    shards: shardsFor(ns, stages, call, catalog),
    reads: reads.map((read) => read.ns),
    readsHost: reads.length > 0 ? catalog.primaryOf(call.db) : undefined,
    writesHost: writes && (await catalog.ensureDatabase(writes.db)),
    defaultCollation: metadata.sharded(ns)?.entry.defaultCollation,
  };
}
