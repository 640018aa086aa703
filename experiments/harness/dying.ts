/** Whether an error is the sign of a member that is dying. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoNetworkError, MongoServerError, MongoServerSelectionError } from 'mongodb';

/** For the end of a member to be known, in milliseconds: one that dies refuses connections before its process has ended. */
const ENDING_LIMIT_MS = 1_000;

/**
 * What servers say of a member that is going or gone: 133 FailedToSatisfyReadPreference, and the codes that drivers retry
 * (https://github.com/mongodb/specifications/blob/master/source/retryable-reads/retryable-reads.md).
 */
const CODES: ReadonlySet<unknown> = new Set([
  6, 7, 89, 91, 133, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436,
]);

/**
 * After an error that a dying member can have caused, resolves when the cluster is known to have failed, or is not a moment later.
 * @param failed of the cluster
 */
export async function untilDeathIsKnown(error: unknown, failed: AbortSignal): Promise<void> {
  if (!canBeOfDeath(error)) return;
  await sleep(ENDING_LIMIT_MS, undefined, { signal: failed }).catch(() => {});
}

function canBeOfDeath(error: unknown): boolean {
  if (error instanceof MongoServerError) return CODES.has(error.code);
  return error instanceof MongoNetworkError || error instanceof MongoServerSelectionError;
}
