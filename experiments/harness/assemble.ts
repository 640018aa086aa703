/** From what one run left behind to its result record. */
import type { LabCluster } from './connections.ts';
import type { Experiment } from './define.ts';
import { Normalizer } from './normalize.ts';
import type { Ending, Environment, Exchange, Observed, ResultRecord, StepRecord } from './record.ts';
import { recordedVersions } from './recordings.ts';
import { placementIn } from './state/placement.ts';
import { StateLog } from './state/state-log.ts';
import type { RawStep } from './steps.ts';
import type { RawExchange } from './transcript.ts';
import { verdictsOf } from './verdict.ts';

/** The version whose source the embedded router was written from. */
const MODEL_WRITTEN_FROM = '9.0';

/** What a run leaves behind. */
export interface Remains {
  readonly experiment: Experiment;
  readonly cluster: LabCluster;
  /** The feature compatibility version of a real server that says it. */
  readonly fcv?: string | undefined;
  readonly ended: Ending;
  readonly steps: readonly RawStep[];
  /** The scratch database; undefined when none was made. */
  readonly database?: string;
  /** When the run began. */
  readonly since?: Date;
}

/**
 * The record of one run: reproducible, so that the same answers of the same server give the same record.
 * @param remains steps in the order in which they were taken
 */
export function assemble({ experiment, cluster, fcv, ended, steps, ...run }: Remains): ResultRecord {
  const { number, name, title, question, claims = [], sources = [] } = experiment;
  const environment = environmentOf(cluster, fcv);
  const tidy = normalizerFor(cluster, run);
  const states = new StateLog(tidy);
  const recorded = steps.map((step, index) => stepRecord(step, index + 1, tidy, states));
  return {
    format: 1,
    experiment: { number, name, title, question, claims, sources },
    environment,
    ended: 'error' in ended ? { ...ended, error: tidy.text(ended.error) } : ended,
    verdicts: verdictsOf({ claims, modelled: environment.model !== undefined, ended, steps: recorded }),
    steps: recorded,
    placement: placementIn(recorded, arrangingSteps(steps), ended.how === 'completed'),
  };
}

/** How many steps, from the first on, do no more than arrange collections. */
function arrangingSteps(steps: readonly RawStep[]): number {
  const first = steps.findIndex(({ isArrangement }) => !isArrangement);
  return first < 0 ? steps.length : first;
}

function environmentOf({ version, distribution, shards }: LabCluster, fcv: string | undefined): Environment {
  const model = { writtenFrom: MODEL_WRITTEN_FROM, recordings: recordedVersions() };
  return {
    version,
    gitVersion: distribution.gitVersion,
    ...(fcv && { featureCompatibilityVersion: fcv }),
    distribution: kindOf(distribution),
    ...(distribution.arguments && { arguments: distribution.arguments }),
    shards: shards.map(({ name }) => name),
    ...(distribution.modelled && { model }),
  };
}

/** One word for real servers, from wherever they were: the same version gives the same record. */
function kindOf({ kind, modelled }: LabCluster['distribution']): string {
  if (kind === 'existing') return kind;
  return modelled ? 'embedded' : 'real MongoDB';
}

function normalizerFor(
  { uri, shards, mask }: LabCluster,
  { database, since }: Pick<Remains, 'database' | 'since'>,
): Normalizer {
  const until = new Date();
  const hosts = shards.map(({ name, uri: address = name }) => [hostIn(address), `<host of ${name}>`] as const);
  return new Normalizer({
    database,
    hosts: new Map([[hostIn(uri), '<host of the router>'], ...hosts]),
    mask,
    since: since ?? until,
    until,
  });
}

function hostIn(uri: string): string {
  return /^mongodb:\/\/([^/?]+)/.exec(uri)?.[1] ?? uri;
}

function stepRecord(step: RawStep, number: number, tidy: Normalizer, states: StateLog): StepRecord {
  const { section, caption, exchanges, observed, check } = step;
  const shown = {
    number,
    section,
    caption: tidy.text(caption),
    exchanges: exchanges.map((exchange) => exchangeRecord(exchange, tidy)),
    observed: observedRecord(observed, tidy),
    ...(check && { check }),
  };
  const state = states.after(step);
  return { ...shown, ...(state && { state }) };
}

function exchangeRecord(
  { to, database, command, reply, failure, isExcerpt, answeredBy }: RawExchange,
  tidy: Normalizer,
): Exchange {
  return {
    to,
    database: tidy.text(database),
    command: tidy.command(command, to !== 'router'),
    reply: reply && tidy.reply(reply),
    ...(isExcerpt && { isExcerpt }),
    ...(failure && { failure: tidy.text(failure) }),
    answeredBy,
  };
}

function observedRecord({ error, ...observed }: Observed, tidy: Normalizer): Observed {
  return { ...observed, ...(error && { error: tidy.text(error) }) };
}
