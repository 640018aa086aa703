/** A document follows its changed shard key to another shard, journalled so that a router that dies leaves it neither twice nor nowhere. */
import { createHash } from 'node:crypto';
import { ObjectId } from 'bson';
import { decode, documentOf, encode, field, type RawElement, rawValue } from '../../wire/bson.ts';
import { PeerError } from '../../wire/client.ts';
import { askRaw, findAll } from '../ask.ts';
import type { Metadata } from '../catalog.ts';
import { splitNamespace } from '../ddl/namespace.ts';
import { type DocumentEntry, done, recorded } from '../journal/entries.ts';
import { changedShardKeyError } from './key-change-errors.ts';
import { deleteFrom, insertInto, type Result, type Write } from './shards.ts';

/** A document, and what it becomes. */
interface Moved {
  /** The update's place in the command. */
  index: number;
  shard: string;
  document: Buffer;
  after: Buffer;
}

/** Inserts the document on the shard that owns its new key, then deletes it where it was. */
export async function moveDocument(moved: Moved, to: string, write: Write): Promise<Result> {
  const { catalog, command } = write;
  const id = field(moved.document, '_id') ?? rawValue(null);
  const documentId = documentOf([{ ...id, name: '_id' }]);
  const after = digest(moved.after);
  const entry: DocumentEntry = {
    id: new ObjectId(),
    kind: 'document',
    ns: command.ns,
    documentId,
    after,
    from: moved.shard,
    to,
  };
  await record(entry, catalog);
  // What nobody knows yet has to be found out before the collection is used again.
  const leave = (): void => catalog.leave(command.ns, () => finishDocumentMove(entry, catalog));
  try {
    const result = await exchange(moved, to, write);
    if (result.isUnknown) leave();
    else await crossOut(entry, catalog);
    return result;
  } catch (error) {
    leave();
    throw error;
  }
}

/** What became of the document is known, and the client told, whether or not the config server is there. */
async function crossOut(entry: DocumentEntry, metadata: Metadata): Promise<void> {
  const cross = (): Promise<void> => metadata.commit([done(entry)], () => {});
  try {
    await cross();
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    metadata.leave(entry.ns, cross);
  }
}

/** Where nobody knows whether it was, it is crossed out before the collection is used again: nothing has moved. */
async function record(entry: DocumentEntry, metadata: Metadata): Promise<void> {
  try {
    await metadata.commit([recorded(entry)], () => {});
  } catch (error) {
    metadata.leave(entry.ns, () => metadata.commit([done(entry)], () => {}));
    throw error;
  }
}

/** What is deleted here must be on disk there, and once begun nothing is too late. */
const ON_DISK: RawElement = { name: 'writeConcern', ...rawValue({ w: 1, j: true }) };
const NOT_OF_STEPS: ReadonlySet<string> = new Set([ON_DISK.name, 'maxTimeMS']);

async function exchange({ index, shard, document, after }: Moved, to: string, asked: Write): Promise<Result> {
  const shared = [...asked.command.shared.filter(({ name }) => !NOT_OF_STEPS.has(name)), ON_DISK];
  const write = { ...asked, command: { ...asked.command, shared } };
  const inserted = await insertInto(to, index, after, write);
  if (inserted.errors.length > 0) return { ...inserted, errors: inserted.errors.map(changedShardKeyError) };
  const removed = await deleteFrom(shard, index, document, write);
  if (removed.done.n === 1) return { done: { n: 1, nModified: 1, upserted: [] }, errors: [] };
  if (removed.isUnknown) return removed;
  const takenBack = await deleteFrom(to, index, after, write);
  return { ...removed, isUnknown: takenBack.done.n !== 1 };
}

/** Ends a move that an earlier router had begun: forward when the document has arrived, else nothing has happened. */
export async function finishDocumentMove(entry: DocumentEntry, metadata: Metadata): Promise<void> {
  const { db, collection } = splitNamespace(entry.ns);
  const filter = { _id: { $eq: decode(entry.documentId)._id } };
  const [arrived] = await findAll(metadata.peer(entry.to), db, { find: collection, filter });
  if (arrived && digest(arrived) === entry.after) {
    await askRaw(
      metadata.peer(entry.from),
      encode({ delete: collection, deletes: [{ q: filter, limit: 1 }], $db: db }),
    );
  }
  await metadata.commit([done(entry)], () => {});
}

/** Tells what a document becomes from any other document. */
export function digest(document: Buffer): string {
  return createHash('sha256').update(document).digest('hex');
}
