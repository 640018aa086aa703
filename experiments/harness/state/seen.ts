/** The cluster as it was seen after a step, before record.ts makes it reproducible. */
import type { Document } from 'mongodb';
import type { PlacedChunk } from '../../../cluster/sharding.ts';
import type { Moment } from './moment.ts';

/** A collection. */
export interface SeenCollection {
  readonly collection: string;
  /** Absent where it is not sharded. */
  readonly sharded?: { readonly key: Document; readonly unique: boolean };
  /** In key order. */
  readonly chunks: readonly PlacedChunk[];
  readonly shards: readonly SeenShard[];
}

/** What one shard has of a collection. */
export interface SeenShard {
  readonly shard: string;
  /** Documents. */
  readonly count: number;
  readonly indexes: readonly Document[];
  /** Every document, with the types of its numbers; absent where they are too many or too large, or only the router was asked. */
  readonly documents?: readonly Document[];
}

/** What each shard has of the collections of a database, by their names. */
export type Contents = ReadonlyMap<string, readonly SeenShard[]>;

/** How it is seen what the shards hold. */
export interface ShardSight {
  /**
   * @param moment from when on
   * @throws LookError
   */
  contents(database: string, moment: Moment | undefined): Promise<Contents>;
  /**
   * What the shards hold now of a collection of which nothing but the documents can have changed.
   * @throws LookError
   */
  documents(database: string, seen: SeenCollection, moment: Moment | undefined): Promise<readonly SeenShard[]>;
}

/** The cluster could not be looked at: a failure of the cluster, not of the experiment. */
class LookError extends Error {
  override readonly name = 'LookError';
}

/**
 * Says who was asked when the answer is an error.
 * @param who `shard sh0`
 * @throws LookError
 */
export async function asking<T>(who: string, question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    throw new LookError(`${who} could not be asked what is there: ${(cause as Error).message}`, { cause });
  }
}

/** Views, and what the server keeps for itself (`system.…`), are left out. */
export function isShown({ name, type = 'collection' }: { name: string; type?: string }): boolean {
  return type === 'collection' && !name.startsWith('system.');
}
