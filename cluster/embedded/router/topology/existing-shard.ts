/** Whether a proposed shard is one already (`getExistingShard`, src/mongo/db/topology/topology_change_helpers.cpp). */
import type { ShardEntry } from '../catalog.ts';
import { CommandError } from '../command.ts';
import { type ConnectionString, parseConnectionString } from './connection-string.ts';

const ILLEGAL_OPERATION = 20;

/**
 * The shard that is proposed again with the same options, so that adding it is a success that changes nothing.
 * @throws CommandError 20 when it is proposed with other options, or its name is taken
 */
export function existingShard(
  shards: readonly ShardEntry[],
  proposed: ConnectionString,
  proposedName: string | undefined,
): ShardEntry | undefined {
  for (const shard of shards) {
    const existing = parseConnectionString(shard.host) ?? { setName: '', hosts: [] };
    const equivalent = (proposedName ?? shard.id) === shard.id && proposed.setName === existing.setName;
    const common = proposed.hosts.find((host) => existing.hosts.includes(host));
    if (existing.setName !== '' && existing.setName === proposed.setName) checkSameSet(existing, equivalent, common);
    if (common !== undefined) {
      if (!equivalent)
        throw refusal(`'${common}' is already a member of the existing shard '${shard.host}' (${shard.id}).`);
      return shard;
    }
    if (proposedName === shard.id) throw refusal(`A shard named ${proposedName} already exists`);
  }
  return undefined;
}

function checkSameSet({ setName }: ConnectionString, equivalent: boolean, common: string | undefined): void {
  if (!equivalent) throw refusal(`A shard already exists containing the replica set '${setName}'`);
  if (common === undefined) {
    throw refusal(`A shard named ${setName} containing the replica set '${setName}' already exists`);
  }
}

function refusal(text: string): CommandError {
  return new CommandError(ILLEGAL_OPERATION, text);
}
