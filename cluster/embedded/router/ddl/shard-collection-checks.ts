/** What `shardCollection` refuses before it touches anything, in the words of 9.0. */

import { field } from '../../wire/bson.ts';
import { documentText } from '../bson-text.ts';
import { CommandError } from '../command.ts';
import { ON_CONFIG_SERVER, SESSIONS } from '../internal-databases.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';
import { fullCollation, isSimple } from './collation.ts';
import type { CollectionInfo } from './collection-info.ts';
import { isHashedPattern, isSameKey } from './index-rules.ts';
import type { Namespace } from './namespace.ts';

const BAD_VALUE = 2;
const ILLEGAL_OPERATION = 20;
const ALREADY_INITIALIZED = 23;
const INVALID_OPTIONS = 72;
const INVALID_NAMESPACE = 73;
const ON_VIEW = 166;
const BUCKETS_COLLECTION = 5731501;
const ENCRYPTION_STATE_COLLECTION = 6464401;
/** Bytes that the name of a sharded collection may have (`NamespaceString::MaxNsShardedCollectionLen`). */
const MAX_NAMESPACE_BYTES = 235;

/** What a client asked for. */
export interface ShardingRequest {
  namespace: Namespace;
  key: Buffer;
  unique: boolean;
  collation: Buffer | undefined;
}

/** @throws CommandError for collections that the server never shards */
export function checkName({ collection }: Namespace): void {
  if (collection.startsWith('system.buckets.')) {
    throw new CommandError(BUCKETS_COLLECTION, 'Sharding a buckets collection is not allowed');
  }
  if (/^enxcol_\..*\.(esc|ecc|ecoc)$/.test(collection)) {
    throw new CommandError(
      ENCRYPTION_STATE_COLLECTION,
      'Sharding a Queryable Encryption state collection is not allowed',
    );
  }
}

/** @throws CommandError 20, 72 or 73 */
export function checkRequest({ namespace: { ns, db, collection }, key, unique }: ShardingRequest): void {
  if (ns !== SESSIONS && (ON_CONFIG_SERVER.has(db) || collection.startsWith('system.'))) {
    throw new CommandError(ILLEGAL_OPERATION, `Special collection '${ns}' can't be registered in the sharding catalog`);
  }
  if (unique && isHashedPattern(key)) {
    throw new CommandError(
      INVALID_OPTIONS,
      "Hashed shard keys cannot be declared unique. It's possible to ensure uniqueness on the hashed field by declaring an additional (non-hashed) unique index on the field.",
    );
  }
  if (Buffer.byteLength(ns) > MAX_NAMESPACE_BYTES) {
    throw new CommandError(INVALID_NAMESPACE, `Namespace too long. Namespace: ${ns} Max: ${MAX_NAMESPACE_BYTES}`);
  }
}

/** @throws CommandError 166 for a view, 72 for a capped collection */
export function checkExisting({ ns }: Namespace, existing: CollectionInfo | undefined): void {
  if (existing?.type === 'view') {
    throw new CommandError(
      ON_VIEW,
      `Cannot shard collection '${ns}' because a view already exists with the same namespace`,
    );
  }
  if (existing && field(existing.options, 'capped')?.bytes[0] === 1) {
    throw new CommandError(INVALID_OPTIONS, "can't shard a capped collection");
  }
}

/** @throws CommandError 2 unless the collection is, or is asked to be, sharded by the simple collation */
export function checkCollation({ collation }: ShardingRequest, existing: CollectionInfo | undefined): void {
  if (collation && !isSimple(collation)) {
    throw new CommandError(
      BAD_VALUE,
      `The collation for shardCollection must be {locale: 'simple'}, but found: ${documentText(collation)}`,
    );
  }
  const own = existing && field(existing.options, 'collation')?.bytes;
  if (!collation && !isSimple(own)) {
    throw new CommandError(
      BAD_VALUE,
      `If no collation was specified, the collection collation must be {locale: 'simple'}, but found: ${documentText(fullCollation(own))}`,
    );
  }
}

/**
 * Checks a collection that is sharded already: with the same options, sharding it again is a success that changes nothing.
 * @throws CommandError 23 when it is sharded otherwise, 2 for its collation
 */
export function checkAlreadySharded(
  request: ShardingRequest,
  { entry }: ShardedCollection,
  existing: CollectionInfo | undefined,
): void {
  const { ns } = entry;
  const differs = (what: string): CommandError =>
    new CommandError(ALREADY_INITIALIZED, `Collection '${ns}' already exists with a different ${what}`);
  if (request.unique !== entry.unique) {
    throw differs(`'unique' option. Requested '${request.unique}' but found '${entry.unique}'`);
  }
  checkCollation(request, existing);
  if (!isSameKey(request.key, entry.key)) {
    throw differs(`shard key. Requested ${documentText(request.key)} but found ${documentText(entry.key)}`);
  }
}
