/** Rendering: everything that is made of the records of many servers, in memory. */
import { indexPage } from '../../reports/index.ts';
import { experimentFiles } from '../../reports/markdown.ts';
import { matrixPage } from '../../reports/matrix.ts';
import type { ResultSet } from '../../reports/sets.ts';
import { experimentPages, overviewPages } from '../../reports/site/pages.ts';
import { outputFor, readSets } from '../results.ts';
import { type Measurement, time } from './measure.ts';

const EXPERIMENTS = 41;
const VERSIONS = ['4.4.30', '5.0.32', '6.0.27', '7.0.28', '8.0.17', '9.0.0'];

/** The records that are committed, as if as many servers had answered the same. */
export async function measureRendering(): Promise<Measurement> {
  const [committed] = await readSets(outputFor());
  if (!committed) throw new Error('no records are committed to render');
  const sets = VERSIONS.map((version) => setOf(version, committed));
  const sizes: number[] = [];
  const ms = await time(async () => void sizes.push(...rendered(sets).map(({ length }) => length)));
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1_000_000;
  const made = `${EXPERIMENTS} experiments x ${VERSIONS.length} versions, ${sizes.length} files of ${megabytes.toFixed(1)} MB, the first time in a process`;
  return { what: 'pages, pictures and site', unit: 'ms', value: ms, limit: 5_000, made };
}

function setOf(version: string, { records }: ResultSet): ResultSet {
  const told = records.slice(0, EXPERIMENTS).map((record) => {
    const { model: _, ...environment } = record.environment;
    return { ...record, environment: { ...environment, version } };
  });
  return { name: version, records: told };
}

function rendered(sets: readonly ResultSet[]): string[] {
  const pages = sets.flatMap((set) =>
    set.records.flatMap((record) => {
      const { page, diagrams } = experimentFiles(record, { root: '../../..', index: '../../README.md', set });
      return [page, ...diagrams.map(({ svg }) => svg)];
    }),
  );
  const site = [...sets.flatMap(experimentPages), ...overviewPages(sets)].map((page) => page.render());
  return [...pages, indexPage(sets, 'results'), matrixPage(sets, 'results'), ...site];
}
