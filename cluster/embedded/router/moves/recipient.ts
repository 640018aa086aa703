/** Makes a shard ready to receive documents of a collection (`MigrationDestinationManager::cloneCollectionIndexesAndOptions`). */
import { field } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { CommandError } from '../command.ts';
import { collectionInfo, copyCollection, createIndexes } from '../ddl/collection-info.ts';
import { isEmpty } from '../ddl/ensure-shard-key-index.ts';
import { indexesOf } from '../ddl/indexes.ts';
import type { Namespace } from '../ddl/namespace.ts';

const CANNOT_CREATE_COLLECTION = 242;

/**
 * Gives the recipient the donor's collection and indexes.
 * @throws CommandError 242 when it holds documents and lacks an index
 */
export async function prepareRecipient(donor: Peer, recipient: Peer, namespace: Namespace): Promise<void> {
  if (!(await collectionInfo(recipient, namespace))) return copyCollection(donor, recipient, namespace);
  const [wanted, present] = await Promise.all([indexesOf(donor, namespace), indexesOf(recipient, namespace)]);
  const names = new Set(present.map(({ name }) => name));
  const missing = wanted.filter(({ name, spec }) => !names.has(name) && !field(spec, 'clustered'));
  if (missing.length === 0) return;
  if (!(await isEmpty(recipient, namespace))) {
    throw new CommandError(
      CANNOT_CREATE_COLLECTION,
      `aborting, shard is missing ${missing.length} indexes and collection is not empty. Non-trivial index creation should be scheduled manually`,
    );
  }
  await createIndexes(
    recipient,
    namespace,
    missing.map(({ spec }) => spec),
  );
}
