/** Which document a write of one document is to change, when several shards may hold a match: the query phase of a two-phase write. */
import { documentOf, elements, field, type RawElement, rawValue, Type } from '../../wire/bson.ts';
import { all } from '../all.ts';
import type { Catalog } from '../catalog.ts';
import { Batch, cursorIn } from '../read/batch.ts';
import { compareSortKeys, directionsOf, SORT_KEY, type SortKey, splitSortKey } from '../read/merge.ts';
import { accepted } from '../refused.ts';
import type { WriteCommand } from './command.ts';
import type { Statement } from './statement.ts';

/** A document and where it is. */
export interface Picked {
  shard: string;
  document: Buffer;
}

/** What to look for. */
export interface Selection {
  db: string;
  collection: string;
  filter: Buffer;
  /** Absent when any match will do. */
  sort?: Buffer | undefined;
  /** `collation`, `hint`, `let` … as a `find` takes them. */
  options: readonly RawElement[];
}

/** What an update or a delete of one document looks for. */
export function selectionOf({ db, collection, shared }: WriteCommand, { bytes, q }: Statement): Selection {
  const sort = field(bytes, 'sort')?.bytes;
  const own = elements(bytes).filter(({ name }) => name === 'collation' || name === 'hint');
  return { db, collection, filter: q, sort, options: [...own, ...shared.filter(({ name }) => name === 'let')] };
}

/**
 * The first match by the sort, on equal terms that of the first shard.
 * @throws Refused when a shard refuses the query
 */
export async function pick(
  catalog: Catalog,
  shards: readonly string[],
  selection: Selection,
): Promise<Picked | undefined> {
  const command = findOne(selection);
  const replies = await all(shards.map((shard) => catalog.peer(shard).send(command)));
  const found = replies.flatMap((reply, i) => foundIn(accepted(reply), shards[i] as string, selection.sort));
  const directions = selection.sort ? directionsOf(selection.sort) : [];
  found.sort((a, b) => compareSortKeys(a.key, b.key, directions)); // stable
  return found[0];
}

function findOne({ db, collection, filter, sort, options }: Selection): Buffer {
  const sorted: RawElement[] = sort
    ? [
        { name: 'sort', type: Type.object, bytes: sort },
        { name: 'projection', ...rawValue({ [SORT_KEY]: { $meta: 'sortKey' } }) },
      ]
    : [];
  return documentOf([
    { name: 'find', ...rawValue(collection) },
    { name: 'filter', type: Type.object, bytes: filter },
    { name: 'limit', ...rawValue(1) },
    ...sorted,
    ...options,
    { name: '$db', ...rawValue(db) },
  ]);
}

function foundIn(reply: Buffer, shard: string, sort: Buffer | undefined): (Picked & { key: SortKey })[] {
  const batch = cursorIn(reply)?.batch;
  if (!batch) return [];
  const documents = new Batch(batch);
  if (documents.isEmpty) return [];
  const { document, key } = sort ? splitSortKey(documents.take()) : { document: documents.take(), key: [] };
  return [{ shard, document, key }];
}
