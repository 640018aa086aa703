/** The config server's own part: what a cluster's metadata needs before the first change of it. */
import { type Document, ObjectId } from 'bson';
import type { Peer } from '../wire/client.ts';
import { ask, findAll } from './ask.ts';
import { CommandError } from './command.ts';

const NAMESPACE_EXISTS = 48;
const CHANGELOG_BYTES = 200 * 1024 * 1024;

/** Unique indexes that keep the metadata sound (`initConfigDatabaseIfNeeded`, src/mongo/db/global_catalog/ddl/sharding_catalog_manager.cpp). */
const INDEXES: Readonly<Record<string, readonly Document[]>> = {
  chunks: [
    { key: { uuid: 1, min: 1 }, name: 'uuid_1_min_1', unique: true },
    { key: { uuid: 1, shard: 1, min: 1 }, name: 'uuid_1_shard_1_min_1', unique: true },
    { key: { uuid: 1, lastmod: 1 }, name: 'uuid_1_lastmod_1', unique: true },
  ],
  shards: [{ key: { host: 1 }, name: 'host_1', unique: true }],
  tags: [
    { key: { ns: 1, min: 1 }, name: 'ns_1_min_1', unique: true },
    { key: { ns: 1, tag: 1 }, name: 'ns_1_tag_1' },
  ],
};

/** Creates `config.*` in a config server that has none yet, and does nothing where they exist. */
export async function initialiseConfigServer(config: Peer): Promise<void> {
  const [version] = await findAll(config, 'config', { find: 'version' });
  if (version) return;
  await Promise.all([
    ...Object.entries(INDEXES).map(([createIndexes, indexes]) => ask(config, 'config', { createIndexes, indexes })),
    createChangelog(config),
  ]);
  // Last, so that a start that was cut short begins again.
  await ask(config, 'config', { insert: 'version', documents: [{ _id: 1, clusterId: new ObjectId() }] });
}

async function createChangelog(config: Peer): Promise<void> {
  try {
    await ask(config, 'config', { create: 'changelog', capped: true, size: CHANGELOG_BYTES });
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== NAMESPACE_EXISTS) throw error;
  }
}
