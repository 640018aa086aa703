/** A run without a cluster, for a terminal to show: one experiment that is done, and one in whose middle the process exits. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Experiment } from '../experiments/harness/define.ts';
import { modelledRecord } from '../reports/record.fixture.ts';
import { Progress } from './progress.ts';

const experiments = ['an-example', 'a-second', 'a-third'].map(
  (name, i): Experiment => ({ number: 7 + i, name, title: '', question: '', run: async () => {} }),
);
const progress = new Progress(experiments);
for (const experiment of experiments.slice(0, 2)) {
  progress.begin(experiment);
  await sleep(200);
  console.log('a word of its own');
  if (experiment.name === 'an-example') progress.done(modelledRecord);
}
process.exit(7);
