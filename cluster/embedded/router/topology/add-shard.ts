/** `addShard`: what the server asks of a replica set before it becomes a shard (src/mongo/db/topology/topology_change_helpers.cpp). */
import type { Document } from 'bson';
import { Long, ObjectId, UUID } from 'bson';
import { encode, field, text } from '../../wire/bson.ts';
import { Peer, PeerError } from '../../wire/client.ts';
import { ask, findAll } from '../ask.ts';
import type { ShardEntry } from '../catalog.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { CONFIG, INTERNAL } from '../internal-databases.ts';
import { logChange } from '../metadata/changelog.ts';
import { nextTimestamp } from '../metadata/clock.ts';
import type { Change } from '../metadata/commit.ts';
import { adminOnly } from './admin-only.ts';
import { type ConnectionString, connectionText, parseConnectionString } from './connection-string.ts';
import { existingShard } from './existing-shard.ts';
import { checkHost } from './shard-checks.ts';

const BAD_VALUE = 2;
const OPERATION_FAILED = 96;
/** Shards are added one after the other (`_kShardMembershipLock` of `ShardingCatalogManager`). */
const SHARDS = 'config.shards';

export const addShardCommands: Readonly<Record<string, CommandHandler>> = { addShard: adminOnly(addShard) };

async function addShard(call: Call, router: Router): Promise<Reply> {
  const proposed = proposal(call);
  return router.catalog.changing(SHARDS, () => addProposed(proposed, router));
}

async function addProposed(proposed: Proposal, router: Router): Promise<Reply> {
  const known = existingShard(router.catalog.shards(), proposed.target, proposed.name);
  if (known) return modelReply({ shardAdded: known.id });
  const peer = new Peer(proposed.target.hosts[0] ?? '');
  try {
    return modelReply({ shardAdded: await join(peer, proposed, router) });
  } catch (error) {
    throw error instanceof PeerError ? unreachable(proposed.target, error) : error;
  } finally {
    peer.close();
  }
}

interface Proposal {
  target: ConnectionString;
  name: string | undefined;
}

function proposal({ body }: Call): Proposal {
  const target = parseConnectionString(text(field(body, 'addShard')) ?? '');
  if (!target) throw new CommandError(BAD_VALUE, 'Invalid connection string');
  const name = text(field(body, 'name'));
  if (name === '') throw new CommandError(BAD_VALUE, 'shard name cannot be empty');
  return { target, name };
}

async function join(peer: Peer, { target, name }: Proposal, router: Router): Promise<string> {
  const hello = await checkHost(peer, target);
  const id = name ?? String(hello.setName);
  if (id === CONFIG) throw new CommandError(BAD_VALUE, "use of shard replica set with name 'config' is not allowed");
  const databases = await databasesOf(peer, target, router);
  await installIdentity(peer, id, router);
  await register({ id, host: connectionText({ setName: target.setName, hosts: hello.hosts }) }, databases, router);
  return id;
}

async function databasesOf(peer: Peer, target: ConnectionString, { metadata }: Router): Promise<string[]> {
  const { databases } = await ask(peer, 'admin', { listDatabases: 1, nameOnly: true });
  const names = (databases as Document[]).map(({ name }) => String(name)).filter((name) => !INTERNAL.has(name));
  for (const db of names) {
    const owner = metadata.primaryOf(db);
    if (owner === undefined) continue;
    const why = `because a local database '${db}' exists in another ${owner}`;
    throw new CommandError(OPERATION_FAILED, `can't add shard '${connectionText(target)}' ${why}`);
  }
  return names;
}

/** Tells the shard which cluster it belongs to; the same again is no change. */
async function installIdentity(peer: Peer, shardName: string, { catalog, configdb }: Router): Promise<void> {
  const [version] = await findAll(catalog.config, 'config', { find: 'version' });
  const clusterId = version && field(version, 'clusterId');
  const identity = {
    shardName,
    clusterId: clusterId && new ObjectId(clusterId.bytes),
    configsvrConnectionString: configdb,
  };
  const update = { q: { _id: 'shardIdentity', ...identity }, u: { $setOnInsert: identity }, upsert: true };
  await ask(peer, 'admin', { update: 'system.version', updates: [update] });
}

async function register(shard: ShardEntry, databases: readonly string[], { metadata, address }: Router): Promise<void> {
  const { id, host } = shard;
  const changes: Change[] = [
    { insert: 'shards', document: shardDocument(shard) },
    ...databases.map((db) => ({ insert: 'databases', document: databaseOn(db, id) })),
    logChange({ server: address, shard: 'config' }, 'addShard', '', { name: id, host }),
  ];
  await metadata.commit(changes, () => metadata.putShard(shard));
  if (databases.length > 0) await metadata.reload();
}

/** `-1` until the set tells of a change of its members, which the sets here never have. */
function shardDocument({ id, host }: ShardEntry): Buffer {
  const topologyTime = nextTimestamp();
  return encode({ _id: id, host, state: 1, topologyTime, replSetConfigVersion: Long.NEG_ONE });
}

function databaseOn(db: string, primary: string): Buffer {
  return encode({ _id: db, primary, version: { uuid: new UUID(), timestamp: nextTimestamp(), lastMod: 1 } });
}

function unreachable({ setName, hosts }: ConnectionString, error: PeerError): CommandError {
  const where = setName === '' ? `host ${hosts[0]}` : `set ${setName}`;
  const why = `Could not find host matching read preference { mode: "primary" } for ${where}`;
  return new CommandError(133, `${why} :: caused by :: ${error.message}`);
}
