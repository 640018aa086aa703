/** Finds the index that a shard key needs, or makes it in an empty collection (`validateShardKeyIndexExistsOrCreateIfPossible`). */
import { elements, field, firstName } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { CommandError } from '../command.ts';
import { compose, embedded } from '../metadata/compose.ts';
import { isSimple } from './collation.ts';
import { type CollectionInfo, createIndexes, isEmpty } from './collection-info.ts';
import { indexName } from './index-rules.ts';
import { indexesOf, isMultikey } from './indexes.ts';
import type { Namespace } from './namespace.ts';
import { findUsefulIndex } from './shard-key-index.ts';

const INVALID_OPTIONS = 72;
const NO_INDEX = 6373200;

/** What is to be made sure of, and where. */
export interface IndexRequest {
  peer: Peer;
  namespace: Namespace;
  key: Buffer;
  unique: boolean;
  /** Whether `unique` wants a unique index where there is one already. */
  enforceUniqueness: boolean;
  /** Whether the index may be made. */
  mayCreate: boolean;
}

/**
 * @param existing the collection as it is, `undefined` when it has just been made
 * @throws CommandError 72 or 6373200 when the shard key has no index and cannot get one
 */
export async function ensureShardKeyIndex(request: IndexRequest, existing: CollectionInfo | undefined): Promise<void> {
  const { peer, namespace, key, unique } = request;
  const { useful, reasons } = await findUsefulIndex({
    ns: namespace.ns,
    indexes: await indexesOf(peer, namespace),
    key,
    requireUnique: unique && request.enforceUniqueness,
    multikey: ({ name }) => isMultikey(peer, namespace, name),
  });
  if (useful) return;
  if (!request.mayCreate) throw new CommandError(NO_INDEX, 'Must have an index compatible with the proposed shard key');
  if (!(await isEmpty(peer, namespace))) {
    const wanted = 'Please create an index that starts with the proposed shard key before sharding the collection. ';
    throw new CommandError(INVALID_OPTIONS, `${wanted}${reasons}`);
  }
  await createIndexes(peer, namespace, [shardKeyIndex(key, unique, existing)]);
}

/** With the simple collation where the collection's own is another one; `_id` is unique without being told. */
function shardKeyIndex(key: Buffer, unique: boolean, existing: CollectionInfo | undefined): Buffer {
  const own = existing && field(existing.options, 'collation')?.bytes;
  const isId = elements(key).length === 1 && firstName(key) === '_id';
  return compose({
    key: embedded(key),
    name: indexName(key),
    ...(isSimple(own) ? {} : { v: 2, collation: { locale: 'simple' } }),
    ...(unique && !isId ? { unique: true } : {}),
  });
}
