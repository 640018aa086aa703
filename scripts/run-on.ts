/** Runs experiments on a cluster of one version, or on one that is there already, says on stderr how they get on, and enters their records. */
import type { ExistingCluster } from '../cluster/existing/cluster.ts';
import { type Cluster, type ClusterOptions, startCluster } from '../cluster/index.ts';
import type { Experiment } from '../experiments/harness/define.ts';
import { runSeries, type SeriesControl } from '../experiments/harness/series.ts';
import { colors, sayProgress } from './cli.ts';
import type { Ledger } from './ledger.ts';
import { Progress } from './progress.ts';
import { sayWrapped } from './terminal.ts';

/** How experiments are run. */
export interface RunOptions extends Pick<ClusterOptions, 'mongodArgs' | 'mongosArgs'> {
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
  const { fresh, stopped, onDone = async () => {} } = options;
  const progress = new Progress(chosen);
  const start = () => started(options);
  const stop = (cluster: Cluster) => stoppedCluster(cluster, progress);
  await runSeries(chosen, { ...reporting(progress, ledger), start, stop, fresh, stopped, onDone });
}

/**
 * On a cluster that somebody else runs and that stays as it is.
 * @throws UnreachableError when the user may not look at all that is shown; as `runSeries`
 */
export async function runOnExisting(
  chosen: readonly Experiment[],
  ledger: Ledger,
  cluster: ExistingCluster,
  { stopped, onDone }: Pick<SeriesControl<ExistingCluster>, 'stopped' | 'onDone'>,
): Promise<void> {
  sayWhatItIs(cluster);
  await cluster.checkSight();
  const progress = new Progress(chosen);
  const [start, stop] = [async () => cluster, async () => progress.stop()];
  await runSeries(chosen, { ...reporting(progress, ledger), start, stop, fresh: false, stopped, onDone });
}

function reporting(progress: Progress, ledger: Ledger): Pick<SeriesControl<never>, 'onBegin' | 'onThrow' | 'onRecord'> {
  return {
    onBegin: (experiment) => progress.begin(experiment),
    onThrow: (error) => progress.threw(error),
    onRecord: async (record) => {
      progress.done(record);
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

async function started({ stopped, mongodb, mongodArgs = [], mongosArgs = [] }: RunOptions): Promise<Cluster> {
  sayWrapped(`Starting a sharded cluster (${mongodb}) …`);
  const cluster = await startCluster({ mongodb, mongodArgs, mongosArgs, signal: stopped, onProgress: sayProgress });
  sayWhatItIs(cluster);
  return cluster;
}

function sayWhatItIs({ version, distribution }: Cluster | ExistingCluster): void {
  const { kind, modelled } = distribution;
  sayWrapped(`MongoDB ${version} is ready (${kind}${modelled ? ', the sharding layer is our model' : ''}).`);
}

/** An experiment may still be under way. */
async function stoppedCluster(cluster: Cluster, progress: Progress): Promise<void> {
  progress.stop();
  const { problems } = await cluster.stop();
  for (const problem of problems) console.error(colors.red(problem));
}
