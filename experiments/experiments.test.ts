import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ClaimId, claims } from './harness/claims.ts';
import type { Experiment } from './harness/define.ts';
import { fakeCluster } from './harness/fake-cluster.fixture.ts';
import { builtInExperiments } from './harness/load.ts';
import type { Check, ResultRecord } from './harness/record.ts';
import { linkTo, recordedVersions } from './harness/recordings.ts';
import { runExperiment } from './harness/runner.ts';

const experiments = await builtInExperiments();

test('every file holds the experiment that its name says, in order', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => /^\d+-.*(?<!\.test)\.ts$/.test(file));
  const names = experiments.map(({ number, name }) => `${String(number).padStart(2, '0')}-${name}.ts`);
  expect(names).toEqual(files.sort());
});

test('no number and no name is used twice', () => {
  for (const field of ['number', 'name'] as const) {
    const used = experiments.map((one) => one[field]);
    expect(used.filter((value, i) => used.indexOf(value) < i)).toEqual([]);
  }
});

test('every claim has an experiment, every experiment a claim', () => {
  const claimed = new Set(experiments.flatMap((one) => one.claims ?? []));
  expect(Object.keys(claims).filter((claim) => !claimed.has(claim as ClaimId))).toEqual([]);
  expect(experiments.filter((one) => !one.claims?.length).map(({ name }) => name)).toEqual([]);
});

/** A cluster that says yes to everything, so predictions differ: what counts here is what the steps claim and link to. */
async function runOnYes(one: Experiment, version: string): Promise<ResultRecord> {
  await using cluster = await fakeCluster(() => undefined, { version, modelled: !one.needs?.features });
  const stopped = new AbortController().signal;
  return await runExperiment(one, cluster, { stopped, onThrow: () => {} });
}

function checksOf({ steps }: ResultRecord): Check[] {
  return steps.flatMap(({ check }) => check ?? []);
}

test.each(experiments)('$name: claims have steps as evidence, recordings show what is predicted', async (one) => {
  const record = await runOnYes(one, '9.0.0-alpha0');
  expect(record.ended).toEqual({ how: 'completed' });
  expect(record.steps.at(-1)?.section).toBe('instead');
  const evidenced = new Set(checksOf(record).flatMap(({ claims }) => claims));
  expect([...evidenced].sort()).toEqual([...(one.claims ?? [])].sort());
  if (!checksOf(record).some(({ recording }) => recording)) return;
  for (const line of recordedVersions()) {
    expect(checksOf(await runOnYes(one, `${line}.0`)).filter((check) => isShownOtherwise(check, line))).toEqual([]);
  }
});

/** Whether the recording of a release line shows something else than what is predicted for it. */
function isShownOtherwise({ expected, recording }: Check, line: string): boolean {
  if (!expected || !recording || !recordedVersions(recording.scenario).includes(line)) return false;
  return !linkTo(`${recording.scenario}#${recording.step}`, expected).versions.includes(line);
}
