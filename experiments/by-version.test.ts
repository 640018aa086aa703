/** Predictions that hang on a release within a line, where nobody has run the experiment: what is predicted, and for which release nothing. */
import { expect, test } from 'vitest';
import { fakeCluster } from './harness/fake-cluster.fixture.ts';
import { builtInExperiments } from './harness/load.ts';
import type { Outcome } from './harness/record.ts';
import { runExperiment } from './harness/runner.ts';

const experiments = await builtInExperiments();
const gone = { code: 370 };
const hidden = { code: 72 };
const notFound = { code: 61 };

/** Of the step with this caption, by version. */
const cases: readonly [string, string, Readonly<Record<string, Outcome | null>>][] = [
  ['shard-key-index-protected', '… and by key.', { '4.4.29': { code: 27 }, '5.0.18': { code: 27 }, '5.0.19': gone }],
  ['shard-key-index-protected', '… and by key.', { '5.3.2': null, '6.0.0': gone, '9.0.2': gone }],
  [
    'shard-key-index-protected',
    '… and these are left.',
    { '4.4.29': { documents: 1 }, '5.0.31': { documents: 2 }, '9.0.2': { documents: 2 } },
  ],
  [
    'shard-key-index-hidden',
    'Now that one is the last that is visible.',
    { '4.4.29': { ok: true }, '5.0.31': null, '6.0.3': { ok: true }, '6.0.4': hidden, '6.1.0': null, '6.2.0': hidden },
  ],
  [
    'upsert-without-shard-key',
    'One by `_id`, with a shard key that must not exist.',
    { '7.0.14': notFound, '8.0.5': null, '9.0.2': { ok: true } },
  ],
  ['upsert-without-shard-key', 'The users now.', { '7.0.14': { documents: 2 }, '8.0.5': null }],
  [
    'shard-key-value-update',
    'By a query without the shard key.',
    { '7.0.14': { code: 31025 }, '8.0.5': null, '9.0.2': { documents: 1 } },
  ],
];

test.each(cases)('%s: %s', async (name, caption, byVersion) => {
  const predicted = Object.keys(byVersion).map(async (version) => [
    version,
    await predictionOf(name, caption, version),
  ]);
  expect(Object.fromEntries(await Promise.all(predicted))).toEqual(byVersion);
});

/** As a run on a cluster that says yes to everything records it. */
async function predictionOf(name: string, caption: string, version: string): Promise<Outcome | null | undefined> {
  const experiment = experiments.find((one) => one.name === name);
  if (!experiment) throw new Error(`no experiment ${name}`);
  await using cluster = await fakeCluster(() => undefined, { version, modelled: !experiment.needs?.features });
  const { steps } = await runExperiment(experiment, cluster, {
    stopped: new AbortController().signal,
    onThrow: () => {},
  });
  return steps.find((step) => step.caption === caption)?.check?.expected;
}
