/** Runs one experiment on a cluster and makes its result record. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { satisfies } from 'semver';
import { serverVersion } from '../../cluster/distributions/version.ts';
import { assemble, type Remains } from './assemble.ts';
import { type LabCluster, openConnections } from './connections.ts';
import { DEADLINE_SECONDS, type Experiment } from './define.ts';
import { untilDeathIsKnown } from './dying.ts';
import type { Ending, ResultRecord } from './record.ts';
import { featureCompatibilityVersion, reasonToLack } from './server-facts.ts';
import { Session } from './session.ts';
import { NoWayToShard } from './shard-access.ts';
import { NotModelled, StepLog } from './steps.ts';

/** For further calls that were not awaited to be rejected: some wait for a connection. */
const REST_MS = 1_000;

/** How a run is watched and ended from outside. */
export interface RunControl {
  /** Gives the run up without a record. */
  readonly stopped: AbortSignal;
  /** Told what `run` threw, with its stack, which is no part of a record. */
  readonly onThrow: (error: unknown) => void;
}

interface Watch extends RunControl {
  /** Becomes what a promise was rejected with that nobody awaits. */
  readonly stray: Promise<unknown>;
}

/**
 * Runs an experiment in a scratch database of its own. Whatever happens in it is in the record: a run that throws, never
 * ends, or loses its cluster is recorded with the steps until then.
 * @throws the reason of `control.stopped`; MongoError when the router cannot be reached to begin with
 */
export async function runExperiment(
  experiment: Experiment,
  cluster: LabCluster,
  control: RunControl,
): Promise<ResultRecord> {
  const fcv = cluster.distribution.modelled ? undefined : await featureCompatibilityVersion(cluster.uri);
  const reason = reasonToSkip(experiment, cluster, fcv);
  if (reason) return assemble({ experiment, cluster, fcv, ended: { how: 'skipped', reason }, steps: [] });
  const over = new AbortController();
  const stray = unhandledRejection(over.signal);
  try {
    const run = await ran(experiment, cluster, { ...control, stray });
    await nextTurn();
    const left = await Promise.race([stray, undefined]);
    if (left) await sleep(REST_MS);
    const isForgotten = left && run.ended.how === 'completed';
    const ended = isForgotten ? await threw(notAwaited(left), cluster.failed, control.onThrow) : run.ended;
    return assemble({ experiment, cluster, fcv, ...run, ended });
  } finally {
    over.abort();
  }
}

/** What becomes of a run, and of its connections: calls that it forgot to await are rejected when those are closed. */
async function ran(
  experiment: Experiment,
  cluster: LabCluster,
  watch: Watch,
): Promise<Pick<Remains, 'ended' | 'steps' | 'database' | 'since'>> {
  const since = new Date();
  const connections = await openConnections(cluster);
  try {
    const log = new StepLog(connections.transcript, cluster.version, (exchanges) => connections.look(exchanges));
    const session = new Session(connections, log);
    const ended = await perform(experiment, session, log, cluster, watch);
    log.close();
    return { ended, steps: log.steps, database: session.database, since };
  } finally {
    await connections.close();
  }
}

function notAwaited(cause: unknown): Error {
  return new Error('a call was not awaited, and was under way when the experiment had ended', { cause });
}

function reasonToSkip(
  { needs }: Experiment,
  { version, distribution }: LabCluster,
  fcv: string | undefined,
): string | undefined {
  const range = needs?.mongodb;
  if (range && !satisfies(serverVersion(version), range)) return `it needs MongoDB ${range}, and this is ${version}`;
  const features = needs?.features ?? [];
  if (!distribution.modelled) return features.map((one) => reasonToLack(one, version, fcv)).find(Boolean);
  const [feature] = features;
  return feature && `it needs ${feature}, which our model lacks; run it on real MongoDB with --mongodb <version>`;
}

async function perform(
  experiment: Experiment,
  session: Session,
  { blinded }: StepLog,
  { failed }: LabCluster,
  { stopped, onThrow, stray }: Watch,
): Promise<Ending> {
  const seconds = experiment.deadlineSeconds ?? DEADLINE_SECONDS;
  const over = new AbortController();
  try {
    const ended = await Promise.race([
      performed(experiment, session, failed, onThrow),
      sleep(seconds * 1000, { how: 'deadline', seconds } as const, { signal: over.signal }),
      aborted(failed, over.signal).then(clusterFailed),
      aborted(blinded, over.signal).then((error) => lostSight(error, failed)),
      aborted(stopped, over.signal).then((reason) => Promise.reject(reason)),
      stray.then((error) => threw(error, failed, onThrow)),
    ]);
    stopped.throwIfAborted();
    return failed.aborted ? clusterFailed(failed.reason) : ended;
  } finally {
    over.abort();
  }
}

async function performed(
  experiment: Experiment,
  session: Session,
  failed: AbortSignal,
  onThrow: RunControl['onThrow'],
): Promise<Ending> {
  try {
    await experiment.run(session);
    session.end();
    return { how: 'completed' };
  } catch (error) {
    if (error instanceof NotModelled || error instanceof NoWayToShard) return { how: 'skipped', reason: error.message };
    return threw(error, failed, onThrow);
  }
}

async function threw(error: unknown, failed: AbortSignal, onThrow: RunControl['onThrow']): Promise<Ending> {
  await untilDeathIsKnown(error, failed);
  if (failed.aborted) return clusterFailed(failed.reason);
  onThrow(error);
  return { how: 'threw', error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}

/** The cluster could not be looked at between two steps. */
async function lostSight(error: unknown, failed: AbortSignal): Promise<Ending> {
  await untilDeathIsKnown((error as Error).cause, failed);
  return clusterFailed(failed.aborted ? failed.reason : error);
}

function clusterFailed(reason: unknown): Ending {
  const [headline = ''] = (reason instanceof Error ? reason.message : String(reason)).split('\n');
  return { how: 'cluster failed', error: headline };
}

/** The reason of `signal`, once it is aborted. */
function aborted(signal: AbortSignal, over: AbortSignal): Promise<unknown> {
  if (signal.aborted) return Promise.resolve(signal.reason);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true, signal: over });
  });
}

/** See {@link Watch.stray}. */
function unhandledRejection(over: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    process.on('unhandledRejection', resolve);
    over.addEventListener('abort', () => process.off('unhandledRejection', resolve), { once: true });
  });
}
