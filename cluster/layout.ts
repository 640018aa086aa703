/** From options to members: names, roles and arguments, worked out before anything is started. */
import { InputError } from './errors.ts';
import { checkedArgs, hasFlag, parametersIn } from './extra-args.ts';

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
  router: RouterPlan;
  /** The parameters of a `mongod` that the user has set. */
  ownParameters: readonly string[];
}

/** A `mongos`. */
export interface RouterPlan {
  name: string;
  /** What it is told beside port and config server. */
  args: readonly string[];
}

/** What a layout is made from. */
export interface LayoutOptions {
  /** How many. */
  shards: number;
  /** What every `mongod`, and the `mongos`, is told beside what shardlab tells it. */
  mongodArgs?: readonly string[];
  mongosArgs?: readonly string[];
}

/** Shards that one machine can carry: each is a process with a cache of 256 MB. */
const MOST_SHARDS = 32;

/**
 * @throws InputError when `shards` is no whole number from 1 to 32, or an argument is one that shardlab sets itself
 */
export function layoutOf({ shards, mongodArgs = [], mongosArgs = [] }: LayoutOptions): Layout {
  if (!Number.isInteger(shards) || shards < 1 || shards > MOST_SHARDS) {
    throw new InputError(`shards must be a whole number from 1 to ${MOST_SHARDS}, not ${shards}`);
  }
  const argsFor = (role: Role) => mongodArgsOf(role, checkedArgs('mongod', mongodArgs));
  return {
    configServer: { name: 'cfg', args: argsFor('--configsvr') },
    shards: Array.from({ length: shards }, (_, i) => ({ name: `sh${i}`, args: argsFor('--shardsvr') })),
    router: { name: 'mongos', args: checkedArgs('mongos', mongosArgs) },
    ownParameters: parametersIn(mongodArgs),
  };
}

/** Arguments of the router. */
export function routerArgs(
  { args }: Pick<RouterPlan, 'args'>,
  port: number,
  configServer: { name: string; host: string },
): string[] {
  return [
    ...['--configdb', `${configServer.name}/${configServer.host}`],
    ...['--port', String(port), '--bind_ip', HOST, ...NO_SOCKET_FILE],
    ...args,
  ];
}

/** The only address that anything listens on. */
export const HOST = '127.0.0.1';

/** Without it a server puts `/tmp/mongodb-<port>.sock` outside our folder, where it stays after SIGKILL. */
const NO_SOCKET_FILE = process.platform === 'win32' ? [] : ['--nounixsocket'];

type Role = '--configsvr' | '--shardsvr';

const CACHE_SIZES = ['wiredTigerCacheSizeGB', 'wiredTigerCacheSizePct'];

/** A `mongod` sizes its cache by the whole machine's memory unless told. */
function mongodArgsOf(role: Role, extra: readonly string[]): string[] {
  const isSized = CACHE_SIZES.some((flag) => hasFlag(extra, flag));
  return [role, ...(isSized ? [] : ['--wiredTigerCacheSizeGB', '0.25']), ...NO_SOCKET_FILE, ...extra];
}
