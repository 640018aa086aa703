/** Makes a shard ready to receive documents of a collection (`MigrationDestinationManager::cloneCollectionIndexesAndOptions`). */
import { field } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { ask } from '../ask.ts';
import { CommandError } from '../command.ts';
import { collectionInfo, copyCollection, createIndexes, isEmpty } from '../ddl/collection-info.ts';
import { type Index, indexesOf } from '../ddl/indexes.ts';
import type { Namespace } from '../ddl/namespace.ts';

const CANNOT_CREATE_COLLECTION = 242;

/**
 * Gives the recipient the donor's collection and indexes.
 * @param ownsNothing no chunk is the recipient's: the indexes that it has and the donor has not are left from earlier, and go
 * @throws CommandError 242 when it holds documents and lacks an index
 */
export async function prepareRecipient(
  donor: Peer,
  recipient: Peer,
  namespace: Namespace,
  ownsNothing: boolean,
): Promise<void> {
  if (!(await collectionInfo(recipient, namespace))) return copyCollection(donor, recipient, namespace);
  const [wanted, found] = await Promise.all([indexesOf(donor, namespace), indexesOf(recipient, namespace)]);
  const stale = ownsNothing ? found.filter((index) => !isAmong(wanted, index)) : [];
  await dropIndexes(recipient, namespace, stale);
  const names = new Set(found.filter((index) => !stale.includes(index)).map(({ name }) => name));
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

/** `_id` is everywhere. */
function isAmong(indexes: readonly Index[], { name, spec }: Index): boolean {
  return name === '_id_' || indexes.some((index) => index.spec.equals(spec));
}

async function dropIndexes(peer: Peer, { db, collection }: Namespace, indexes: readonly Index[]): Promise<void> {
  if (indexes.length > 0) await ask(peer, db, { dropIndexes: collection, index: indexes.map(({ name }) => name) });
}
