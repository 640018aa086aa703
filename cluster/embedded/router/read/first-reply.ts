/** The reply that opens a cursor of the router's own. */
import type { Reply, Router } from '../command.ts';
import type { MergedCursor } from './merged-cursor.ts';

/** How a client wants the first page of a cursor. */
export interface FirstPage {
  ns: string;
  batchSize: number | undefined;
  /** The first page is to be the only one. */
  single?: boolean;
}

/** The first page of a cursor, which stays open for the client where more is left. */
export async function firstReply(
  cursor: MergedCursor,
  { ns, batchSize, single }: FirstPage,
  router: Router,
): Promise<Reply> {
  try {
    const first = await cursor.first(batchSize);
    if (single) first.exhausted = true;
    if (first.exhausted) await cursor.close();
    return router.cursors.open(cursor, ns, first, 'engine');
  } catch (error) {
    await cursor.close();
    throw error;
  }
}
