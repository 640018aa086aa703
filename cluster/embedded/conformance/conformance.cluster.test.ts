import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../../index.ts';
import { type Comparison, compare, tally } from './compare.ts';
import { known } from './exceptions/index.ts';
import { recordings } from './recordings.ts';
import { type Answers, replay } from './replay.ts';
import { scenarios } from './scenarios.ts';

let cluster: Cluster;
let answers: Answers;

beforeAll(async () => {
  cluster = await startCluster({ mongodb: 'embedded' });
  answers = await replay(cluster);
});

afterAll(() => cluster?.stop());

it.each(recordings())('the embedded cluster answers as MongoDB $line did, but for what is listed', (recording) => {
  const comparison = compare(recording, answers, known, scenarios);
  console.info(summary(comparison));
  const differing = comparison.steps.filter(({ verdict }) => verdict === 'differs');
  expect({ differing, unneeded: comparison.unneeded }).toEqual({ differing: [], unneeded: [] });
});

// `npx vitest run cluster/embedded/conformance -u` takes new answers down, `npm run report` makes the page of them.
it('the answers that reports/conformance.md shows are these', async () => {
  const kept = `${JSON.stringify({ version: cluster.version, scenarios: answers }, null, 1)}\n`;
  await expect(kept).toMatchFileSnapshot('./embedded.json');
});

function summary(comparison: Comparison): string {
  const { agrees, reworded, version, 'not modelled': notModelled, differs } = tally(comparison);
  const { steps, recording } = comparison;
  const excepted = `${version} are excepted for the version and ${notModelled} as not modelled`;
  return `Conformance with MongoDB ${recording.line}: of ${steps.length} steps ${agrees} agree (${reworded} in other words), ${excepted}, ${differs} differ`;
}
