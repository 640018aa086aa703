/** What `config.changelog` says of a move (src/mongo/db/s/migration_source_manager.cpp). */
import type { MoveEntry } from '../journal/entries.ts';
import { logChange, rangeDetails } from '../metadata/changelog.ts';
import type { Change } from '../metadata/commit.ts';

/** What the donor says as a move goes on: `start`, `commit`, `error`. */
export function logMove(
  what: string,
  entry: MoveEntry,
  { address }: { address: string },
  more: Record<string, unknown> = {},
): Change {
  const { ns, from, to } = entry;
  const details = { ...rangeDetails(entry), from, to, ...more };
  return logChange({ server: address, shard: from }, `moveChunk.${what}`, ns, details);
}

/** What donor (`from`) and recipient (`to`) say at the end (src/mongo/db/s/move_timing_helper.cpp), without the time each step took. */
export function logEnd(
  what: 'from' | 'to',
  note: 'success' | 'aborted',
  entry: MoveEntry,
  { address }: { address: string },
  more: Record<string, unknown> = {},
): Change {
  const { ns, from, to } = entry;
  const details = { ...rangeDetails(entry), to, from, note, ...more };
  return logChange({ server: address, shard: entry[what] }, `moveChunk.${what}`, ns, details);
}
