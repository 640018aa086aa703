/** All pages of the site and where they are in it. */
import type { NotRun } from '../not-run.ts';
import { fileName, type ResultSet } from '../sets.ts';
import { experimentDocument } from './experiment/experiment-page.tsx';
import { indexDocument } from './index-page.tsx';
import { matrixDocument } from './matrix-page.tsx';
import { INDEX, MATRIX } from './paths.ts';

/** A file, made when it is asked for. */
export interface SitePage {
  /** Within the site, with `/`. */
  readonly path: string;
  readonly render: () => string;
}

/** Of one server. */
export function experimentPages({ name, records }: ResultSet): SitePage[] {
  return records.map((record, i) => ({
    path: `${name}/${fileName(record.experiment)}.html`,
    render: () => experimentDocument(record, { before: records[i - 1], after: records[i + 1] }),
  }));
}

/**
 * Those that lead to the others.
 * @param sets in the order of their columns
 * @param notRun versions that have no results, or not all
 */
export function overviewPages(sets: readonly ResultSet[], notRun: readonly NotRun[] = []): SitePage[] {
  return [
    { path: MATRIX, render: () => matrixDocument(sets, notRun) },
    { path: INDEX, render: () => indexDocument(sets) },
  ];
}
