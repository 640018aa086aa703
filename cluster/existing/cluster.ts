/** A sharded cluster that somebody else runs. Nothing of it is started, stopped or configured; only scratch databases are touched. */
import { type Document, MongoClient, type MongoClientOptions, type MongoServerError } from 'mongodb';
import { isModelled } from '../build.ts';
import type { DistributionInfo } from '../cluster.ts';
import { InputError } from '../errors.ts';
import { disableBalancing, moveRange, placement } from '../sharding.ts';
import { dropScratch, newScratchName } from './scratch.ts';
import type { Target } from './target.ts';
import { chosenShards, type ListedShard, refuseUnsharded } from './usable.ts';

/** For a server to be found, and for its answer to any one of our own commands, in milliseconds. */
const SELECTION_LIMIT_MS = 10_000;
const ANSWER_LIMIT_MS = 120_000;
const UNAUTHORIZED = 13;
const OPTIONS: MongoClientOptions = {
  appName: 'shardlab',
  serverSelectionTimeoutMS: SELECTION_LIMIT_MS,
  socketTimeoutMS: ANSWER_LIMIT_MS,
};

/** The cluster cannot be reached, does not let us in, or has gone. Scripts end with exit code 3. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** See the file's comment. */
export class ExistingCluster {
  readonly uri: string;
  readonly version: string;
  readonly distribution: Omit<DistributionInfo, 'kind'> & { readonly kind: 'existing' };
  /** The first two by name that take documents. How to reach them is not known, and need not be possible. */
  readonly shards: readonly { readonly name: string }[];
  /** Never aborted: nobody here sees a member end. */
  readonly failed: AbortSignal = new AbortController().signal;
  /** Not watched by any transcript. */
  readonly client: MongoClient;
  readonly #secrets: (text: string) => string;
  readonly #hosts: ReadonlyMap<string, string>;

  constructor({ uri, redact, hosts }: Target, client: MongoClient, build: Document, shards: readonly ListedShard[]) {
    const { version, gitVersion } = build;
    this.uri = uri;
    this.version = version;
    this.distribution = { kind: 'existing', version, gitVersion, modelled: isModelled(build) };
    this.shards = chosenShards(shards).map((name) => ({ name }));
    this.client = client;
    this.#secrets = redact;
    this.#hosts = new Map([
      ...shards.flatMap(({ _id, host }) => hostsIn(host).map((one) => [one, `<host of ${_id}>`] as const)),
      ...hosts.map((one) => [one, '<host of the router>'] as const),
    ]);
  }

  /** Takes secrets and host names out of a text that is to be kept. */
  readonly mask = (text: string): string =>
    [...this.#hosts].reduce((rest, [host, placeholder]) => rest.replaceAll(host, placeholder), this.#secrets(text));

  /**
   * Indexes are looked at after every step of an experiment, which a user who may do all the rest need not be allowed to.
   * @throws UnreachableError when this one is not
   */
  async checkSight(): Promise<void> {
    const none = this.client.db(newScratchName()).collection('none');
    const looked = none.aggregate([{ $indexStats: {} }]).toArray();
    await looked.catch(({ code, message }: MongoServerError) => {
      if (code !== UNAUTHORIZED) return;
      throw new UnreachableError(
        `the user needs the right to run $indexStats, as in the role clusterMonitor: ${this.#secrets(message)}`,
      );
    });
  }

  /**
   * Keeps a collection that has just been sharded on the chosen shards: what lies elsewhere moves to the second, and the balancer stays away.
   * @throws Error when it could not; no answer of a server that could be taken for the answer to something else
   */
  async leaveInPlace(ns: string): Promise<void> {
    const why = await reasonOf(this.#confine(ns));
    if (why) throw new Error(`${ns} could not be kept on ${this.shards.map(({ name }) => name).join(' and ')}: ${why}`);
  }

  /**
   * Nothing of a scratch database is left.
   * @throws UnreachableError when it could not be dropped
   */
  async dropScratch(database: string): Promise<void> {
    const why = await reasonOf(dropScratch(this.client, database));
    if (!why) return;
    const whatToDo = 'when the cluster can be used again, `npm run clean -- --uri <uri>` drops it';
    throw new UnreachableError(`${database} could not be dropped (${this.#secrets(why)}); ${whatToDo}`);
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  async #confine(ns: string): Promise<void> {
    await disableBalancing(this, ns);
    const names = this.shards.map(({ name }) => name);
    const elsewhere = (await placement(this, ns)).filter(({ shard }) => !names.includes(shard));
    for (const chunk of elsewhere) await moveRange(this, ns, chunk, names.at(-1) ?? '');
  }
}

/**
 * @param target connected to through its routers alone
 * @throws InputError when it is no sharded cluster of two shards or more
 * @throws UnreachableError when it cannot be reached or does not let us in
 */
export async function openExistingCluster(target: Target): Promise<ExistingCluster> {
  const client = new MongoClient(target.uri, OPTIONS);
  try {
    refuseUnsharded(await client.db('admin').command({ isMaster: 1 })); // `hello` came with 4.4.2
    const build = await client.db('admin').command({ buildInfo: 1 });
    const { shards } = await client.db('admin').command({ listShards: 1 });
    return new ExistingCluster(target, client, build, shards);
  } catch (error) {
    await client.close();
    if (error instanceof InputError) throw error;
    const why = target.redact((error as Error).message);
    throw new UnreachableError(`${target.hosts.join(', ')} cannot be used: ${why}`);
  }
}

/** Why something failed; undefined when it did not. */
function reasonOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

function hostsIn(connectionString: string): string[] {
  return connectionString.slice(connectionString.indexOf('/') + 1).split(',');
}
