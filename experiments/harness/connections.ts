/** The connections of one experiment to a cluster, all of them watched, and its scratch database. */
import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import type { ExistingCluster } from '../../cluster/existing/cluster.ts';
import { newScratchName } from '../../cluster/existing/scratch.ts';
import type { Cluster, DistributionInfo } from '../../cluster/index.ts';
import { enableSharding, type Router } from '../../cluster/sharding.ts';
import { pastTheRouter, type ShardAccess, throughTheRouter } from './shard-access.ts';
import { Lookout } from './state/lookout.ts';
import type { SeenCollection } from './state/seen.ts';
import { type RawExchange, Transcript } from './transcript.ts';

/** What the harness needs of a cluster; the words of {@link ExistingCluster} only where others use the cluster too. */
export interface LabCluster
  extends Pick<Cluster, 'uri' | 'version' | 'failed'>,
    Partial<Pick<ExistingCluster, 'mask' | 'leaveInPlace' | 'dropScratch'>> {
  readonly distribution: Omit<DistributionInfo, 'kind'> & { readonly kind: string };
  /** Without a `uri` where only the router can be reached. */
  readonly shards: readonly { readonly name: string; readonly uri?: string }[];
}

/** A router that is gone is noticed by the cluster; this bounds the wait for one that hangs. */
const SELECTION_TIMEOUT_MS = 10_000;
/** For an answer when the cluster is looked at: a few documents, a few indexes, or a count. */
const LOOK_TIMEOUT_MS = 20_000;

/** Makes a connection to the `router`, or to a shard of that name. */
type Connect = (to: string, uri: string) => MongoClient;

/**
 * Connects to a cluster and makes the scratch database, whose primary shard is the first one.
 * @throws MongoError when the router cannot be reached or refuses
 */
export async function openConnections(cluster: LabCluster): Promise<Connections> {
  const connections = new Connections(cluster);
  try {
    await enableSharding(connections.router, connections.database, cluster.shards[0]?.name);
    return connections;
  } catch (error) {
    await connections.close();
    throw error;
  }
}

/** See the file's comment. */
export class Connections {
  readonly database = newScratchName();
  readonly transcript: Transcript;
  readonly router: Router;
  /** The shards' names, in order. */
  readonly shards: readonly string[];
  readonly access: ShardAccess;
  readonly #clients: MongoClient[] = [];
  readonly #cluster: LabCluster;
  readonly #lookout: Lookout;

  constructor(cluster: LabCluster) {
    this.#cluster = cluster;
    this.transcript = new Transcript(cluster.distribution.modelled);
    this.shards = cluster.shards.map(({ name }) => name);
    const watched = (to: string, uri: string) => this.#watched(to, uri);
    this.router = { ...this.#routerBy(watched), onSharded: async (ns) => cluster.leaveInPlace?.(ns) };
    this.access = this.#accessBy(watched, this.router);
    this.#lookout = this.#lookoutBy((_, uri) => this.#connection(uri));
  }

  get db(): Db {
    return this.router.client.db(this.database);
  }

  /** `database.collection` */
  ns(collection: string): string {
    return `${this.database}.${collection}`;
  }

  /**
   * The scratch database as it stands, seen on connections of its own: no transcript shows that it was looked at.
   * @param exchanges of the step whose outcome is to be seen
   * @throws LookError
   */
  look(exchanges: readonly RawExchange[]): Promise<readonly SeenCollection[]> {
    return this.#lookout.look(exchanges);
  }

  /**
   * Breaks every connection: what a run that was given up still sends goes nowhere. On a cluster that others use the scratch database is dropped.
   * @throws UnreachableError when it could not be dropped
   */
  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close(true)));
    await this.#cluster.dropScratch?.(this.database);
  }

  #lookoutBy(connect: Connect): Lookout {
    const router = this.#routerBy(connect);
    const { sight } = this.#accessBy(connect, router);
    return new Lookout({ router, database: this.database, shards: this.shards, sight });
  }

  #routerBy(connect: Connect): Router {
    const { uri, version } = this.#cluster;
    return { client: connect('router', uri), version };
  }

  #accessBy(connect: Connect, router: Router): ShardAccess {
    const { shards } = this.#cluster;
    const direct = shards.flatMap(({ name, uri }) => (uri ? [{ name, client: connect(name, uri) }] : []));
    return direct.length < shards.length ? throughTheRouter(router, this.shards) : pastTheRouter(direct);
  }

  #watched(to: string, uri: string): MongoClient {
    const client = this.#connection(uri, { monitorCommands: true });
    this.transcript.watch(client, to);
    return client;
  }

  #connection(uri: string, options: MongoClientOptions = { socketTimeoutMS: LOOK_TIMEOUT_MS }): MongoClient {
    const common = { appName: 'shardlab', serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS };
    const client = new MongoClient(uri, { ...common, ...options });
    this.#clients.push(client);
    return client;
  }
}
