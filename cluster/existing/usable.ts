/** Whether what a connection string leads to is a sharded cluster that experiments can be run on. */
import type { Document } from 'mongodb';
import { InputError } from '../errors.ts';

/** What `listShards` says of a shard. */
export interface ListedShard {
  readonly _id: string;
  /** `set/host:port,host:port` */
  readonly host: string;
  readonly draining?: boolean;
}

/** How many shards the experiments know. */
const SHARDS = 2;

/**
 * @param answer to `isMaster`
 * @throws InputError when it is no router's
 */
export function refuseUnsharded({ msg, setName }: Document): void {
  if (msg === 'isdbgrid') return;
  const what = setName ? `a member of the replica set ${setName}` : 'a standalone server';
  throw new InputError(`--uri leads to ${what}; name a mongos of a sharded cluster`);
}

/**
 * The shards that experiments use: the first two by name that are not being drained.
 * @throws InputError when there are fewer
 */
export function chosenShards(shards: readonly ListedShard[]): string[] {
  const usable = shards.filter(({ draining }) => !draining).map(({ _id }) => _id);
  if (usable.length >= SHARDS) return usable.sort().slice(0, SHARDS);
  throw new InputError(`the cluster has ${usable.length ? 'only one shard' : 'no shard'} to use; experiments need two`);
}
