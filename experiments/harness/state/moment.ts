/** From when on the cluster is looked at: not before the last answer of a step. */
import type { ClientSession, Document, MongoClient, Timestamp } from 'mongodb';
import type { RawExchange } from '../transcript.ts';

/** The time of an answer, and the cluster's, as every member of a replica set says them. */
export interface Moment {
  readonly operationTime: Timestamp;
  readonly $clusterTime: Document;
}

/** The latest answer's; undefined where none says when it was, as on the embedded distribution, which has no transactions either. */
export function momentOf(exchanges: readonly RawExchange[]): Moment | undefined {
  const moments = exchanges.flatMap(({ reply }) =>
    reply?.operationTime && reply.$clusterTime ? [reply as Moment] : [],
  );
  return moments.sort((one, other) => one.operationTime.compare(other.operationTime)).at(-1);
}

/**
 * Reads that see what the moment's answer promised. A transaction over several shards is committed on some of them after the router has
 * said so, and only a read with `afterClusterTime` waits for that (https://www.mongodb.com/docs/manual/reference/read-concern/#afterclustertime).
 */
export async function since<T>(
  moment: Moment | undefined,
  client: MongoClient,
  read: (session?: ClientSession) => Promise<T>,
): Promise<T> {
  if (!moment) return read();
  return client.withSession({ causalConsistency: true }, (session) => {
    session.advanceClusterTime(moment.$clusterTime as Parameters<ClientSession['advanceClusterTime']>[0]);
    session.advanceOperationTime(moment.operationTime);
    return read(session);
  });
}
