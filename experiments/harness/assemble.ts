/** From what one run left behind to its result record. */
import type { LabCluster, Placed } from './connections.ts';
import type { Experiment } from './define.ts';
import { Normalizer } from './normalize.ts';
import type {
  CollectionPlacement,
  Ending,
  Environment,
  Exchange,
  Observed,
  ResultRecord,
  StepRecord,
} from './record.ts';
import { recordedVersions } from './recordings.ts';
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
  readonly before?: readonly Placed[];
  readonly after?: readonly Placed[];
  /** When the run began. */
  readonly since?: Date;
}

export function assemble({
  experiment,
  cluster,
  fcv,
  ended,
  steps,
  before = [],
  after = [],
  ...run
}: Remains): ResultRecord {
  const { number, name, title, question, claims = [], sources = [] } = experiment;
  const environment = environmentOf(cluster, fcv);
  const tidy = normalizerFor(cluster, run);
  const recorded = steps.map((step, index) => stepRecord(step, index + 1, tidy));
  return {
    format: 1,
    experiment: { number, name, title, question, claims, sources },
    environment,
    ended: 'error' in ended ? { ...ended, error: tidy.text(ended.error) } : ended,
    verdicts: verdictsOf({ claims, modelled: environment.model !== undefined, ended, steps: recorded }),
    steps: recorded,
    placement: {
      before: before.map((placed) => placementRecord(placed, tidy)),
      after: after.map((placed) => placementRecord(placed, tidy)),
    },
  };
}

function environmentOf({ version, distribution, shards }: LabCluster, fcv: string | undefined): Environment {
  const model = { writtenFrom: MODEL_WRITTEN_FROM, recordings: recordedVersions() };
  return {
    version,
    gitVersion: distribution.gitVersion,
    ...(fcv && { featureCompatibilityVersion: fcv }),
    distribution: distribution.kind,
    shards: shards.map(({ name }) => name),
    ...(distribution.modelled && { model }),
  };
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

function stepRecord(step: RawStep, number: number, tidy: Normalizer): StepRecord {
  const { section, caption, exchanges, observed, check } = step;
  return {
    number,
    section,
    caption: tidy.text(caption),
    exchanges: exchanges.map((exchange) => exchangeRecord(exchange, tidy)),
    observed: observedRecord(observed, tidy),
    ...(check && { check }),
  };
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

function placementRecord(
  { collection, key, unique, chunks, documents }: Placed,
  tidy: Normalizer,
): CollectionPlacement {
  return {
    collection,
    key: tidy.document(key),
    unique,
    chunks: chunks.map(({ min, max, shard }) => ({ min: tidy.document(min), max: tidy.document(max), shard })),
    documents,
  };
}
