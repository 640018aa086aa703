/** The reply that opens a cursor of the router's own. */
import type { Call, Reply, Router } from '../command.ts';
import type { MergedCursor } from './merged-cursor.ts';

/** How a client wants the first page of a cursor. */
export interface FirstPage {
  ns: string;
  /** The other collections that the cursor reads, as `db.coll`. */
  reads?: readonly string[];
  batchSize: number | undefined;
  /** The first page is to be the only one. */
  single?: boolean;
}

/** The first page of a cursor, which stays open for the client where more is left. */
export async function firstReply(
  cursor: MergedCursor,
  { ns, reads = [], batchSize, single }: FirstPage,
  call: Call,
  router: Router,
): Promise<Reply> {
  try {
    const first = await cursor.first(batchSize);
    if (single) first.exhausted = true;
    if (first.exhausted) await cursor.close();
    return router.cursors.open(cursor, [ns, ...reads], first, 'engine', call);
  } catch (error) {
    await cursor.close();
    throw error;
  }
}
