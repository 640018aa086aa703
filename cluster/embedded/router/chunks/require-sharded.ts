/** Commands that mean sharded collections only. */
import type { Metadata } from '../catalog.ts';
import { CommandError } from '../command.ts';
import { splitNamespace } from '../ddl/namespace.ts';
import type { ShardedCollection } from '../metadata/sharded-collection.ts';

const NAMESPACE_NOT_FOUND = 26;
const NAMESPACE_NOT_SHARDED = 118;

/**
 * @param text what to say of one that is not sharded, where it is not the usual
 * @throws CommandError 26 when its database does not exist, 118 when it is not sharded
 */
export function requireSharded(
  metadata: Metadata,
  ns: string,
  text = `Collection ${ns} is not sharded.`,
): ShardedCollection {
  const collection = metadata.sharded(ns);
  if (collection) return collection;
  const { db } = splitNamespace(ns);
  if (metadata.primaryOf(db) === undefined) throw new CommandError(NAMESPACE_NOT_FOUND, `Database ${db} not found`);
  throw new CommandError(NAMESPACE_NOT_SHARDED, text);
}
