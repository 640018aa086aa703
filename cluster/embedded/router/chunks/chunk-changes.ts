/** Chunks replaced by others that cover the same ranges, as changes to `config.chunks`. */
import type { UUID } from 'bson';
import type { Change } from '../metadata/commit.ts';
import { type ChunkEntry, chunkDocument } from '../metadata/documents.ts';
import type { Replacement } from '../moves/split-off.ts';

/**
 * Deletes what goes, then changes what keeps its `_id`, then adds what is new: in this order no two documents ever have the same
 * lower bound or version, which the config server's unique indexes forbid.
 */
export function changed({ removed, added }: Replacement, uuid: UUID): Change[] {
  const before = new Set(removed.map(({ id }) => String(id)));
  const after = new Set(added.map(({ id }) => String(id)));
  const isKept = ({ id }: ChunkEntry): boolean => before.has(String(id));
  return [
    ...removed.filter(({ id }) => !after.has(String(id))).map(({ id }) => ({ delete: 'chunks', filter: { _id: id } })),
    ...added.filter(isKept).map((chunk) => ({ replace: 'chunks', document: chunkDocument(chunk, uuid) })),
    ...added.filter((one) => !isKept(one)).map((one) => ({ insert: 'chunks', document: chunkDocument(one, uuid) })),
  ];
}
