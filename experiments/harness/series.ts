/** Runs experiments one after the other, on one cluster or on a fresh one each. */
import type { LabCluster } from './connections.ts';
import type { Experiment } from './define.ts';
import { untilDeathIsKnown } from './dying.ts';
import type { ResultRecord } from './record.ts';
import { type RunControl, runExperiment } from './runner.ts';

/** How a series is run. */
export interface SeriesControl<C extends LabCluster> extends RunControl {
  readonly start: () => Promise<C>;
  readonly stop: (cluster: C) => Promise<void>;
  /** A cluster for each experiment. */
  readonly fresh: boolean;
  readonly onBegin: (experiment: Experiment) => void;
  /** Told of each record as soon as it is there. */
  readonly onRecord: (record: ResultRecord) => Promise<void>;
  /** Called when every experiment is done, while the last cluster, if it is shared, is still up. */
  readonly onDone: (cluster: C | undefined) => Promise<void>;
}

/**
 * Whatever happens, no cluster stays up. Without experiments none is started.
 * @throws what starting a cluster throws; the reason of `stopped`; the reason of the cluster's `failed`, after the record of the experiment it hit
 */
export async function runSeries<C extends LabCluster>(
  experiments: readonly Experiment[],
  control: SeriesControl<C>,
): Promise<void> {
  let cluster: C | undefined;
  try {
    for (const experiment of experiments) {
      control.stopped.throwIfAborted();
      cluster ??= await control.start();
      control.onBegin(experiment);
      await control.onRecord(await runOn(cluster, experiment, control));
      cluster.failed.throwIfAborted();
      if (!control.fresh) continue;
      await control.stop(cluster);
      cluster = undefined;
    }
    await control.onDone(cluster);
  } finally {
    if (cluster) await control.stop(cluster);
  }
}

async function runOn(cluster: LabCluster, experiment: Experiment, control: RunControl): Promise<ResultRecord> {
  try {
    return await runExperiment(experiment, cluster, control);
  } catch (error) {
    await untilDeathIsKnown(error, cluster.failed);
    cluster.failed.throwIfAborted(); // why the router cannot be reached
    throw error;
  }
}
