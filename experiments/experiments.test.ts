import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fakeCluster } from './harness/fake-cluster.fixture.ts';
import { builtInExperiments } from './harness/load.ts';
import { recordedVersions } from './harness/recordings.ts';
import { runExperiment } from './harness/runner.ts';

const experiments = await builtInExperiments();

test('every file holds the experiment that its name says, in order', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => /^\d+-.*(?<!\.test)\.ts$/.test(file));
  const names = experiments.map(({ number, name }) => `${String(number).padStart(2, '0')}-${name}.ts`);
  expect(names).toEqual(files.sort());
});

/** The cluster says yes to everything, so expectations differ: what counts here is what the steps claim and link to. */
test.each(experiments)(
  '$name: every claim has a step as evidence, every recording shows what is expected',
  async (one) => {
    await using cluster = await fakeCluster(() => undefined);
    const stopped = new AbortController().signal;
    const record = await runExperiment(one, cluster, { stopped, onThrow: () => {} });
    expect(record.ended).toEqual({ how: 'completed' });
    const checks = record.steps.flatMap(({ check }) => check ?? []);
    const evidenced = new Set(checks.flatMap(({ claims }) => claims));
    expect([...evidenced].sort()).toEqual([...(one.claims ?? [])].sort());
    const unshown = checks.filter(
      ({ recording }) => recording && recording.versions.length < recordedVersions(recording.scenario).length,
    );
    expect(unshown).toEqual([]);
    expect(record.steps.at(-1)?.section).toBe('instead');
  },
);
