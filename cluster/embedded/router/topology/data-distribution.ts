/** `$shardedDataDistribution`, which `sh.status()` asks for (src/mongo/db/pipeline/document_source_sharded_data_distribution.cpp). */
import {
  arrayOf,
  documentOf,
  elements,
  field,
  firstName,
  type RawElement,
  type RawValue,
  Type,
} from '../../wire/bson.ts';
import type { Call, Reply, Router } from '../command.ts';
import { splitNamespace } from '../ddl/namespace.ts';
import { compose } from '../metadata/compose.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { sizeOfCollection } from '../moves/sizes.ts';
import { passThrough } from '../pass-through.ts';

const NO_STAGES = documentOf([]);

/** Whether a pipeline begins with the stage in the one database that has it. */
export function isDataDistribution({ db, body }: Call): boolean {
  if (db !== 'admin') return false;
  const [first] = elements(field(body, 'pipeline')?.bytes ?? NO_STAGES);
  return first?.type === Type.object && firstName(first.bytes) === '$shardedDataDistribution';
}

/** Answers such a pipeline: an engine runs the rest of it over what is found here. */
export async function dataDistribution(call: Call, router: Router): Promise<Reply> {
  const { metadata } = router;
  const collections = metadata.databases().flatMap(({ id }) => metadata.shardedIn(id));
  const found = await Promise.all(collections.map((collection) => distributionOf(collection, router)));
  const { body } = await passThrough({ ...call, body: withDocuments(call.body, found) }, router);
  return { body, answeredBy: 'model' };
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

/** The command with these documents in place of the first stage. */
function withDocuments(body: Buffer, documents: readonly Buffer[]): Buffer {
  const [, ...rest] = elements(field(body, 'pipeline')?.bytes ?? NO_STAGES);
  const list = arrayOf(documents.map((bytes) => ({ type: Type.object, bytes })));
  const stage: RawValue = { type: Type.object, bytes: documentOf([{ name: '$documents', ...list }]) };
  const pipeline: RawElement = { name: 'pipeline', ...arrayOf([stage, ...rest]) };
  return documentOf(elements(body).map((element) => (element.name === 'pipeline' ? pipeline : element)));
}
