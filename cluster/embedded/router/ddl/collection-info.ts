/** A collection's options on one server, and the same collection made on another. */
import { arrayOf, elements, encode, field, Type, text } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { askRaw, findAll } from '../ask.ts';
import { CommandError } from '../command.ts';
import { compose, Raw } from '../metadata/compose.ts';
import { indexesOf } from './indexes.ts';
import type { Namespace } from './namespace.ts';

const NAMESPACE_EXISTS = 48;

/** One entry of `listCollections`. */
export interface CollectionInfo {
  /** `collection`, `view` or `timeseries`. */
  type: string;
  options: Buffer;
  /** The 16 bytes of the UUID; empty for a view. */
  uuid: Buffer;
}

/** `undefined` where the server has no such collection. */
export async function collectionInfo(peer: Peer, { db, collection }: Namespace): Promise<CollectionInfo | undefined> {
  const [entry] = await findAll(peer, db, { listCollections: 1, filter: { name: collection } });
  if (!entry) return undefined;
  const info = field(entry, 'info');
  const uuid = info && field(info.bytes, 'uuid');
  return {
    type: text(field(entry, 'type')) ?? 'collection',
    options: field(entry, 'options')?.bytes ?? encode({}),
    uuid: uuid ? uuid.bytes.subarray(UUID_OFFSET) : Buffer.alloc(0),
  };
}

/** Binary data: length (4 bytes), subtype (1), then the bytes. */
const UUID_OFFSET = 5;

/** Whether a collection holds no document on a server. */
export async function isEmpty(peer: Peer, { db, collection }: Namespace): Promise<boolean> {
  return (await findAll(peer, db, { find: collection, limit: 1, singleBatch: true })).length === 0;
}

/**
 * Creates a collection; does nothing where it exists.
 * @param options as `listCollections` shows them
 */
export async function createCollection(peer: Peer, { db, collection }: Namespace, options: Buffer): Promise<void> {
  const given = Object.fromEntries(elements(options).map(({ name, type, bytes }) => [name, new Raw({ type, bytes })]));
  try {
    await askRaw(peer, compose({ create: collection, ...given, $db: db }));
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== NAMESPACE_EXISTS) throw error;
  }
}

/** Creates indexes, given as `listIndexes` shows them. */
export async function createIndexes(
  peer: Peer,
  { db, collection }: Namespace,
  specs: readonly Buffer[],
): Promise<void> {
  if (specs.length === 0) return;
  const indexes = new Raw(arrayOf(specs.map((bytes) => ({ type: Type.object, bytes }))));
  await askRaw(peer, compose({ createIndexes: collection, indexes, $db: db }));
}

/** Makes the collection of one server on another one, with its options and indexes. */
export async function copyCollection(from: Peer, to: Peer, namespace: Namespace): Promise<void> {
  const info = await collectionInfo(from, namespace);
  if (!info) return;
  await createCollection(to, namespace, info.options);
  const indexes = (await indexesOf(from, namespace)).filter(
    ({ name, spec }) => name !== '_id_' && !field(spec, 'clustered'),
  );
  await createIndexes(
    to,
    namespace,
    indexes.map(({ spec }) => spec),
  );
}
