/** A sharded cluster on this machine: one config server, shards of one replica-set member each, one router. */
import type { MongoClient } from 'mongodb';
import { assemble } from './assembly.ts';
import { type Distribution, resolveDistribution } from './distributions/index.ts';
import { findingText, forewarnings } from './doctor/index.ts';
import { InputError } from './errors.ts';
import { type ServerArguments, serverArguments } from './extra-args.ts';
import { layoutOf } from './layout.ts';
import { RunningCluster } from './running-cluster.ts';
import { Starting } from './starting.ts';
import { stopEverything } from './stopping.ts';
import { bounded } from './waiting.ts';
import { openHome } from './watcher.ts';

/** What {@link startCluster} is told. */
export interface ClusterOptions {
  /**
   * Where `mongod` and `mongos` come from: `system` (PATH, or the `mongod` that MONGOMS_SYSTEM_BINARY names and the `mongos` beside it),
   * a version or range that is downloaded (`8.0.4`, `8.0`, `>=6 <8`), `embedded`, `auto` (the first of these that can be had, as version
   * MONGOMS_VERSION or 8.0), or a folder that holds both. Default `auto`.
   */
  mongodb?: string;
  /** Number of shards, named `sh0`, `sh1` … Default 2. */
  shards?: number;
  /**
   * What every `mongod` is told beside what shardlab tells it: `['--setParameter', 'ttlMonitorSleepSecs=1']`. What shardlab has to set itself,
   * such as the port, cannot be among it.
   */
  mongodArgs?: readonly string[];
  /** The same for `mongos`. */
  mongosArgs?: readonly string[];
  /** Ends a start under way: everything started is stopped and the call rejects with the signal's reason. No effect afterwards. */
  signal?: AbortSignal;
  /** For the whole start once the servers are there, in milliseconds. Default 120,000: from a cold disk the programs alone may take a minute. */
  startTimeoutMs?: number;
  /** Told of every step, for people to watch. */
  onProgress?: (step: ProgressStep) => void;
}

/** One step of starting. */
export interface ProgressStep {
  /** `cfg`, `sh0`, `mongos`: a member; `shards`: they are registered; `settling`: nothing moves or is made by itself any more; `check`: a sharded write and a read. */
  what: string;
  state: 'started' | 'done';
  /** Milliseconds since the start of the cluster, which begins when its servers are there. */
  ms: number;
}

/** A replica set of the cluster. */
export interface Shard {
  /** The name in `config.shards`, which is the replica set's too. */
  readonly name: string;
  /** Connection string of the replica set's only member, `directConnection=true`. */
  readonly uri: string;
  /** A driver client that reads this member past the router, documents that it holds as orphans included. Closed by the cluster. */
  readonly client: MongoClient;
}

/** Where the servers came from, and what of their answers is no MongoDB's. */
export interface DistributionInfo {
  kind: Distribution['kind'];
  /** As `buildInfo` says it. */
  version: string;
  gitVersion: string;
  /** The router's own `buildInfo` says that routing is this project's model: its answers prove nothing about MongoDB. */
  modelled: boolean;
  /** What the servers were told by the user, by program; absent when that is nothing. */
  arguments?: ServerArguments;
}

/** A running cluster. */
export interface Cluster extends AsyncDisposable {
  /** Connection string of the router. */
  readonly uri: string;
  /** A connected driver client of the router, `appName` `shardlab`, command monitoring on. Closed by the cluster. */
  readonly client: MongoClient;
  /** By name. */
  readonly shards: readonly Shard[];
  readonly configServer: Shard;
  /** The servers' version, as `buildInfo` says it. */
  readonly version: string;
  readonly distribution: DistributionInfo;
  /** Aborted when a member ends although nobody asked it to; its reason is a {@link MemberDiedError}. */
  readonly failed: AbortSignal;
  /** Stops every process and removes every folder. Calling it again returns the same promise. Never rejects. */
  stop(): Promise<StopReport>;
}

/** What stopping found. */
export interface StopReport {
  /** Members that had ended before, each with how: `sh1: it was killed by SIGKILL`. */
  endedBefore: string[];
  /** What did not go as planned, in sentences: what needed force, what was left behind. */
  problems: string[];
}

/** What finding executables can take, in milliseconds: more than all its parts, each of which has its own deadline; a download's is half an hour. */
const RESOLVE_LIMIT_MS = 3_600_000;

/**
 * Starts a sharded cluster. Everything is private to this process and gone when it ends, however it ends.
 * @returns when a sharded write and a read through the router have worked
 * @throws InputError when the options cannot be meant
 * @throws DownloadError when a version was asked for that cannot be had
 * @throws EmbeddedUnavailableError when the embedded servers were asked for and cannot run on this machine
 * @throws ClusterStartError when a member did not start; everything is stopped again
 * @throws the reason of `options.signal`
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { mongodb = 'auto', shards = 2, signal, startTimeoutMs: timeoutMs = 120_000, onProgress, ...more } = options;
  const { mongodArgs = [], mongosArgs = [], ...unknown } = more;
  for (const name of Object.keys(unknown)) throw new InputError(`startCluster has no option ${name}`);
  const layout = layoutOf({ shards, mongodArgs, mongosArgs });
  checkTimeout(timeoutMs);
  signal?.throwIfAborted();
  const home = await openHome();
  const starting = new Starting(home, { timeoutMs, signal, onProgress });
  try {
    const resolved = resolveDistribution(mongodb, home.environment, notice, signal);
    const distribution = await bounded(resolved, RESOLVE_LIMIT_MS, signal);
    for (const finding of await forewarnings(distribution)) notice(`Warning: ${findingText(finding)}`);
    starting.restartClock();
    const told = serverArguments(mongodArgs, mongosArgs);
    const origin = { kind: distribution.kind, ...(told && { arguments: told }) };
    return new RunningCluster(await assemble(layout, distribution, starting), origin, starting);
  } catch (error) {
    const { problems } = await stopEverything(starting);
    problems.forEach(notice);
    throw error;
  }
}

/** More makes a timer of Node.js fire at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

function checkTimeout(ms: number): void {
  if (ms > 0 && ms <= LONGEST_TIMEOUT_MS) return;
  throw new InputError(`startTimeoutMs must be a number of milliseconds from 1 to ${LONGEST_TIMEOUT_MS}, not ${ms}`);
}

function notice(line: string): void {
  console.error(line);
}
