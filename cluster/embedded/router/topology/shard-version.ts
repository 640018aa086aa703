/** `getShardVersion`: what the router holds of a collection's or a database's placement (src/mongo/s/commands/cluster_get_shard_version_cmd.cpp). */
import { Timestamp } from 'bson';
import { field, text, truthy } from '../../wire/bson.ts';
import type { Metadata } from '../catalog.ts';
import { requireSharded } from '../chunks/require-sharded.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply } from '../command.ts';
import { splitNamespace, typeName } from '../ddl/namespace.ts';
import { compose, embedded } from '../metadata/compose.ts';
import { collectionVersion } from '../metadata/sharded-collection.ts';
import { adminOnly } from './admin-only.ts';

const BAD_VALUE = 2;
const NAMESPACE_NOT_FOUND = 26;

export const shardVersionCommands: Readonly<Record<string, CommandHandler>> = {
  getShardVersion: adminOnly(async (call, { metadata }) => {
    const { ns, db, collection } = splitNamespace(named(call));
    return collection === '' ? ofDatabase(db, metadata) : ofCollection(ns, call, metadata);
  }),
};

function named({ body }: Call): string {
  const value = field(body, 'getShardVersion');
  const ns = text(value);
  if (ns === undefined) {
    throw new CommandError(BAD_VALUE, `namespace has invalid type ${value ? typeName(value) : 'missing'}`);
  }
  return ns;
}

function ofDatabase(db: string, metadata: Metadata): Reply {
  const found = metadata.databases().find(({ id }) => id === db);
  if (!found) throw new CommandError(NAMESPACE_NOT_FOUND, `Database ${db} not found`);
  return modelReply({ primaryShard: found.primary, version: found.version });
}

function ofCollection(ns: string, { body }: Call, metadata: Metadata): Reply {
  const { entry, chunks } = requireSharded(metadata, ns);
  const { major, minor } = collectionVersion(chunks);
  const version = {
    version: new Timestamp({ t: major, i: minor }),
    versionEpoch: entry.epoch,
    versionTimestamp: entry.timestamp,
  };
  const isFull = truthy(field(body, 'fullMetadata'));
  const bounds = isFull && { chunks: chunks.map(({ min, max }) => [embedded(min), embedded(max)]) };
  return { body: compose({ ...version, ...bounds, ok: 1 }), answeredBy: 'model' };
}
