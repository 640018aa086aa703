/** From options to members: names, roles and arguments, worked out before anything is started. */
import { InputError } from './errors.ts';

/** A replica set of one `mongod`. */
export interface ReplicaSetPlan {
  /** The replica set's name and, of a shard, the shard's. */
  name: string;
  /** What the `mongod` is told beside port, data folder and replica set. */
  args: readonly string[];
}

/** A whole cluster, not yet started. */
export interface Layout {
  configServer: ReplicaSetPlan;
  /** In the order in which they are registered. */
  shards: readonly ReplicaSetPlan[];
  router: { name: string };
}

/** Shards that one machine can carry: each is a process with a cache of 256 MB. */
const MOST_SHARDS = 32;

/**
 * @param shards how many
 * @throws InputError when that is no whole number from 1 to 32
 */
export function layoutOf({ shards }: { shards: number }): Layout {
  if (!Number.isInteger(shards) || shards < 1 || shards > MOST_SHARDS) {
    throw new InputError(`shards must be a whole number from 1 to ${MOST_SHARDS}, not ${shards}`);
  }
  return {
    configServer: { name: 'cfg', args: mongodArgs('--configsvr') },
    shards: Array.from({ length: shards }, (_, i) => ({ name: `sh${i}`, args: mongodArgs('--shardsvr') })),
    router: { name: 'mongos' },
  };
}

/** Arguments of the router. */
export function routerArgs(port: number, configServer: { name: string; host: string }): string[] {
  return [
    ...['--configdb', `${configServer.name}/${configServer.host}`],
    ...['--port', String(port), '--bind_ip', HOST, ...NO_SOCKET_FILE],
  ];
}

/** The only address that anything listens on. */
export const HOST = '127.0.0.1';

/** Without it a server puts `/tmp/mongodb-<port>.sock` outside our folder, where it stays after SIGKILL. */
const NO_SOCKET_FILE = process.platform === 'win32' ? [] : ['--nounixsocket'];

/** A `mongod` sizes its cache by the whole machine's memory unless told. */
function mongodArgs(role: '--configsvr' | '--shardsvr'): string[] {
  return [role, '--wiredTigerCacheSizeGB', '0.25', ...NO_SOCKET_FILE];
}
