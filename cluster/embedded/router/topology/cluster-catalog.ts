/** `$listClusterCatalog`: every collection of a database, of all of them in `admin` (src/mongo/db/pipeline/document_source_list_cluster_catalog.cpp). */
import { decode, elements, field, number, type RawValue, Type, text, truthy } from '../../wire/bson.ts';
import { findAll } from '../ask.ts';
import { CommandError, type Router } from '../command.ts';
import { ON_CONFIG_SERVER } from '../internal-databases.ts';
import { compose, Raw } from '../metadata/compose.ts';
import { maxChunkBytes } from '../moves/jumbo.ts';

const UNKNOWN_FIELD = 40415;
const MEGABYTE = 1024 * 1024;
/** What a stage may ask for besides. */
const EXTRAS = ['shards', 'tracked', 'balancingConfiguration'] as const;

type Extra = (typeof EXTRAS)[number];

/** @throws CommandError 40415 for an option that there is not */
export async function clusterCatalog(operand: RawValue, db: string, router: Router): Promise<Buffer[]> {
  const extras = extrasOf(operand.bytes);
  const { catalog, metadata } = router;
  const [entries, defaultChunkBytes] = await Promise.all([
    findAll(catalog.config, 'config', { find: 'collections' }),
    maxChunkBytes(catalog.config),
  ]);
  const tracked = new Map(entries.map((entry) => [text(field(entry, '_id')), entry]));
  const databases = db === 'admin' ? [...metadata.databases().map(({ id }) => id), ...ON_CONFIG_SERVER] : [db];
  const found = databases.map(async (name) => {
    const primary = catalog.primaryOf(name);
    if (primary === undefined) return [];
    const listed = await findAll(catalog.peer(primary), name, { listCollections: 1 });
    return listed.map((info) => {
      const ns = `${name}.${text(field(info, 'name'))}`;
      const shards = catalog.routing(ns)?.owners ?? [primary];
      return documentOfCollection({ ns, db: name, info, entry: tracked.get(ns), shards, defaultChunkBytes }, extras);
    });
  });
  return (await Promise.all(found)).flat();
}

function extrasOf(options: Buffer): ReadonlySet<Extra> {
  const asked = elements(options).map((option) => {
    const extra = EXTRAS.find((name) => name === option.name);
    if (extra) return truthy(option) ? extra : undefined;
    throw new CommandError(UNKNOWN_FIELD, `BSON field '$listClusterCatalog.${option.name}' is an unknown field.`);
  });
  return new Set(asked.filter((extra) => extra !== undefined));
}

interface Found {
  ns: string;
  db: string;
  /** As the primary shard lists it. */
  info: Buffer;
  /** Of `config.collections`; the sharded ones alone are there. */
  entry: Buffer | undefined;
  shards: readonly string[];
  defaultChunkBytes: number;
}

function documentOfCollection(found: Found, extras: ReadonlySet<Extra>): Buffer {
  const { ns, db, info, entry, shards } = found;
  const listed = elements(info).filter(({ name }) => name !== 'name');
  return compose({
    ns,
    db,
    ...Object.fromEntries(listed.map(({ name, type, bytes }) => [name, new Raw({ type, bytes })])),
    sharded: entry !== undefined,
    tracked: extras.has('tracked') ? entry !== undefined : undefined,
    shardKey: entry && new Raw(field(entry, 'key') ?? { type: Type.object, bytes: entry }),
    shards: extras.has('shards') ? shards : undefined,
    ...(entry && extras.has('balancingConfiguration') && balancing(entry, found.defaultChunkBytes)),
  });
}

function balancing(entry: Buffer, defaultChunkBytes: number): Record<string, unknown> {
  const { noBalance, permitMigrations, enableAutoMerge } = decode(entry);
  const reason = { enableBalancing: noBalance !== true, allowMigrations: permitMigrations !== false };
  return {
    balancingEnabled: reason.enableBalancing && reason.allowMigrations,
    balancingEnabledReason: reason,
    autoMergingEnabled: enableAutoMerge !== false,
    chunkSize: (number(field(entry, 'maxChunkSizeBytes')) ?? defaultChunkBytes) / MEGABYTE,
  };
}
