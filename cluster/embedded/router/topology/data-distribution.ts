/** `$shardedDataDistribution`, which `sh.status()` asks for (src/mongo/db/pipeline/document_source_sharded_data_distribution.cpp). */
import type { RawValue } from '../../wire/bson.ts';
import type { Router } from '../command.ts';
import { splitNamespace } from '../ddl/namespace.ts';
import { compose } from '../metadata/compose.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { sizeOfCollection } from '../moves/sizes.ts';

/** Every sharded collection, and what each shard holds of it. */
export function dataDistribution(_operand: RawValue, _db: string, router: Router): Promise<Buffer[]> {
  const { metadata } = router;
  const collections = metadata.databases().flatMap(({ id }) => metadata.shardedIn(id));
  return Promise.all(collections.map((collection) => distributionOf(collection, router)));
}

/** A shard never holds a document that it does not own: moves leave none behind. */
async function distributionOf({ entry, routing }: ShardedCollection, { catalog }: Router): Promise<Buffer> {
  const shards = routing.owners.map(async (shardName) => {
    const { documents, bytes } = await sizeOfCollection(catalog.peer(shardName), splitNamespace(entry.ns));
    return {
      shardName,
      numOrphanedDocs: 0,
      numOwnedDocuments: documents,
      ownedSizeBytes: bytes,
      orphanedSizeBytes: 0,
    };
  });
  return compose({ ns: entry.ns, shards: await Promise.all(shards) });
}
