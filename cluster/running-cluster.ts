/** A cluster that works, until it is stopped. */
import type { MongoClient } from 'mongodb';
import type { Assembled, ConnectedMember } from './assembly.ts';
import { isModelled } from './build.ts';
import type { Cluster, DistributionInfo, Shard, StopReport } from './cluster.ts';
import { MemberDiedError } from './errors.ts';
import type { Member } from './member.ts';
import { type Holdings, stopEverything } from './stopping.ts';

export class RunningCluster implements Cluster {
  readonly uri: string;
  readonly client: MongoClient;
  readonly shards: readonly Shard[];
  readonly configServer: Shard;
  readonly version: string;
  readonly distribution: DistributionInfo;
  readonly failed: AbortSignal;
  readonly #holdings: Holdings;
  #stopped: Promise<StopReport> | undefined;

  constructor(
    { configServer, shards, router }: Assembled,
    origin: Pick<DistributionInfo, 'kind' | 'arguments'>,
    holdings: Holdings,
  ) {
    const { version, gitVersion } = router.build;
    this.uri = router.uri;
    this.client = router.client;
    this.shards = shards.map(shardOf);
    this.configServer = shardOf(configServer);
    this.version = version;
    this.distribution = { ...origin, version, gitVersion, modelled: isModelled(router.build) };
    this.#holdings = holdings;
    this.failed = this.#watch([configServer, ...shards, router].map(({ member }) => member));
  }

  stop(): Promise<StopReport> {
    this.#stopped ??= stopEverything(this.#holdings);
    return this.#stopped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #watch(members: readonly Member[]): AbortSignal {
    const controller = new AbortController();
    for (const member of members) {
      member.ended.then((ending) => {
        if (!this.#stopped) controller.abort(new MemberDiedError(member.name, ending, member.lastWords()));
      });
    }
    return controller.signal;
  }
}

function shardOf({ member, uri, client }: ConnectedMember): Shard {
  return { name: member.name, uri, client };
}
