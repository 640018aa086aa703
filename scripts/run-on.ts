/** Runs experiments on a cluster of one version, or on one that is there already, says on stderr how they get on, and enters their records. */
import type { ExistingCluster } from '../cluster/existing/cluster.ts';
import { type Cluster, startCluster } from '../cluster/index.ts';
import type { Experiment } from '../experiments/harness/define.ts';
import type { ResultRecord } from '../experiments/harness/record.ts';
import { runSeries, type SeriesControl } from '../experiments/harness/series.ts';
import { fileName } from '../reports/sets.ts';
import { colors, sayProgress } from './cli.ts';
import type { Ledger } from './ledger.ts';
import { isAsExpected, outcomeLines, placeOf } from './summary.ts';

/** How experiments are run. */
export interface RunOptions {
  /** As for `startCluster`. */
  readonly mongodb: string;
  /** A cluster for each experiment. */
  readonly fresh: boolean;
  readonly stopped: AbortSignal;
  /** Called when every experiment is done, while the last cluster, if it is shared, is still up. */
  readonly onDone?: (cluster: Cluster | undefined) => Promise<void>;
}

/**
 * Whatever happens, no cluster stays up, and the ledger holds the records until then.
 * @throws as `runSeries`
 */
export async function runOn(chosen: readonly Experiment[], ledger: Ledger, options: RunOptions): Promise<void> {
  const { mongodb, fresh, stopped, onDone = async () => {} } = options;
  const start = () => started(mongodb, stopped);
  await runSeries(chosen, { ...reporting(ledger), start, stop, fresh, stopped, onDone });
}

/**
 * On a cluster that somebody else runs and that stays as it is.
 * @throws as `runSeries`
 */
export async function runOnExisting(
  chosen: readonly Experiment[],
  ledger: Ledger,
  cluster: ExistingCluster,
  { stopped, onDone }: Pick<SeriesControl<ExistingCluster>, 'stopped' | 'onDone'>,
): Promise<void> {
  sayWhatItIs(cluster);
  const [start, stop] = [async () => cluster, async () => {}];
  await runSeries(chosen, { ...reporting(ledger), start, stop, fresh: false, stopped, onDone });
}

function reporting(ledger: Ledger): Pick<SeriesControl<never>, 'onBegin' | 'onThrow' | 'onRecord'> {
  const places: string[] = [];
  return {
    onBegin: (experiment) => console.error(colors.dim(`${fileName(experiment)} …`)),
    onThrow: (error) => places.push(placeOf(error)),
    onRecord: async (record) => {
      sayOutcome(record);
      for (const place of places.splice(0)) console.error(`  Thrown ${place}`);
      await ledger.enter(record);
    },
  };
}

/** For stdout to be written out; nothing else is left to do by then. */
const EXIT_LIMIT_MS = 1_000;

/** What an experiment that was given up left running (a timer, say) must not keep this process alive. */
export function endProcess(): void {
  setTimeout(() => process.exit(), EXIT_LIMIT_MS).unref();
}

async function started(mongodb: string, stopped: AbortSignal): Promise<Cluster> {
  console.error(`Starting a sharded cluster (${mongodb}) …`);
  const cluster = await startCluster({ mongodb, signal: stopped, onProgress: sayProgress });
  sayWhatItIs(cluster);
  return cluster;
}

function sayWhatItIs({ version, distribution }: Cluster | ExistingCluster): void {
  const { kind, modelled } = distribution;
  console.error(`MongoDB ${version} is ready (${kind}${modelled ? ', the sharding layer is our model' : ''}).`);
}

async function stop(cluster: Cluster): Promise<void> {
  const { problems } = await cluster.stop();
  for (const problem of problems) console.error(colors.red(problem));
}

function sayOutcome(record: ResultRecord): void {
  const colour = isAsExpected(record) ? colors.green : colors.red;
  for (const line of outcomeLines(record)) console.error(colour(line));
}
