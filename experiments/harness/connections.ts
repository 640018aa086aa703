/** The connections of one experiment to a cluster, all of them watched, and its scratch database. */
import { randomBytes } from 'node:crypto';
import { type Db, type Document, MongoClient } from 'mongodb';
import type { Cluster } from '../../cluster/index.ts';
import {
  countsByShard,
  type DirectShard,
  enableSharding,
  type PlacedChunk,
  placement,
  type Router,
  type ShardCount,
} from '../../cluster/sharding.ts';
import { Transcript } from './transcript.ts';

/** What the harness needs of a cluster. */
export type LabCluster = Pick<Cluster, 'uri' | 'version' | 'distribution' | 'failed'> & {
  readonly shards: readonly Pick<Cluster['shards'][number], 'name' | 'uri'>[];
};

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
  readonly database = `shardlab_${randomBytes(6).toString('hex')}`;
  readonly transcript: Transcript;
  readonly router: Router;
  readonly shards: readonly DirectShard[];

  constructor({ uri, version, shards, distribution }: LabCluster) {
    this.transcript = new Transcript(distribution.modelled);
    this.router = { client: this.#connection('router', uri), version };
    this.shards = shards.map((shard) => ({ name: shard.name, client: this.#connection(shard.name, shard.uri) }));
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

  /** Breaks every connection: what a run that was given up still sends goes nowhere. */
  async close(): Promise<void> {
    await Promise.all([this.router, ...this.shards].map(({ client }) => client.close(true)));
  }

  async #placed({ _id: ns, key, unique = false }: CollectionEntry): Promise<Placed> {
    const chunks = await placement(this.router, ns);
    const documents = await countsByShard(this.shards, ns);
    return { collection: ns.slice(this.database.length + 1), key, unique, chunks, documents };
  }

  #connection(to: string, uri: string): MongoClient {
    const options = { appName: 'shardlab', monitorCommands: true, serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS };
    const client = new MongoClient(uri, options);
    this.transcript.watch(client, to);
    return client;
  }
}
