/** The connections of one experiment to a cluster, all of them watched, and its scratch database. */
import { type Db, type Document, MongoClient } from 'mongodb';
import type { ExistingCluster } from '../../cluster/existing/cluster.ts';
import { newScratchName } from '../../cluster/existing/scratch.ts';
import type { Cluster, DistributionInfo } from '../../cluster/index.ts';
import { enableSharding, type PlacedChunk, placement, type Router, type ShardCount } from '../../cluster/sharding.ts';
import { pastTheRouter, type ShardAccess, throughTheRouter } from './shard-access.ts';
import { Transcript } from './transcript.ts';

/** What the harness needs of a cluster; the words of {@link ExistingCluster} only where others use the cluster too. */
export interface LabCluster
  extends Pick<Cluster, 'uri' | 'version' | 'failed'>,
    Partial<Pick<ExistingCluster, 'mask' | 'leaveInPlace' | 'dropScratch'>> {
  readonly distribution: Omit<DistributionInfo, 'kind'> & { readonly kind: string };
  /** Without a `uri` where only the router can be reached. */
  readonly shards: readonly { readonly name: string; readonly uri?: string }[];
}

/** A sharded collection as it stands. */
export interface Placed {
  readonly collection: string;
  readonly key: Document;
  readonly unique: boolean;
  readonly chunks: readonly PlacedChunk[];
  /** In the order of the shards. */
  readonly documents: readonly ShardCount[];
}

/** What a collection's entry in `config.collections` says. */
interface CollectionEntry {
  readonly _id: string;
  readonly key: Document;
  readonly unique?: boolean;
}

/** A router that is gone is noticed by the cluster; this bounds the wait for one that hangs. */
const SELECTION_TIMEOUT_MS = 10_000;

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

  constructor(cluster: LabCluster) {
    const { uri, version, shards, distribution } = cluster;
    this.#cluster = cluster;
    this.transcript = new Transcript(distribution.modelled);
    const client = this.#connection('router', uri);
    const onSharded = async (ns: string) => cluster.leaveInPlace?.(ns);
    this.router = { client, version, onSharded };
    this.shards = shards.map(({ name }) => name);
    this.access = this.#accessTo(shards);
  }

  get db(): Db {
    return this.router.client.db(this.database);
  }

  /** `database.collection` */
  ns(collection: string): string {
    return `${this.database}.${collection}`;
  }

  /** Every sharded collection of the scratch database, by name. */
  async placement(): Promise<Placed[]> {
    const entries = await this.router.client
      .db('config')
      .collection<CollectionEntry>('collections')
      .find({ _id: { $regex: `^${this.database}\\.` }, dropped: { $ne: true } }, { sort: { _id: 1 } })
      .toArray();
    return Promise.all(entries.map((entry) => this.#placed(entry)));
  }

  /**
   * Breaks every connection: what a run that was given up still sends goes nowhere. On a cluster that others use the scratch database is dropped.
   * @throws UnreachableError when it could not be dropped
   */
  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close(true)));
    await this.#cluster.dropScratch?.(this.database);
  }

  async #placed({ _id: ns, key, unique = false }: CollectionEntry): Promise<Placed> {
    const chunks = await placement(this.router, ns);
    const documents = await this.access.counts(ns);
    return { collection: ns.slice(this.database.length + 1), key, unique, chunks, documents };
  }

  #accessTo(shards: LabCluster['shards']): ShardAccess {
    const direct = shards.flatMap(({ name, uri }) => (uri ? [{ name, client: this.#connection(name, uri) }] : []));
    return direct.length < shards.length ? throughTheRouter(this.router, this.shards) : pastTheRouter(direct);
  }

  #connection(to: string, uri: string): MongoClient {
    const options = { appName: 'shardlab', monitorCommands: true, serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS };
    const client = new MongoClient(uri, options);
    this.transcript.watch(client, to);
    this.#clients.push(client);
    return client;
  }
}
