/** Where the pages of the site are, as links name them. */
import type { ResultRecord } from '../../experiments/harness/record.ts';
import { fileName, type ResultSet } from '../sets.ts';
import { hashOf } from './experiment/stepping.ts';

export const INDEX = 'index.html';
export const MATRIX = 'matrix.html';

/**
 * From the folder of the site to an experiment's page, percent-encoded: a set may be called anything.
 * @param step to open it there
 */
export function experimentHref(set: ResultSet, { experiment }: ResultRecord, step?: number): string {
  const path = `${encodeURIComponent(set.name)}/${siblingHref({ experiment })}`;
  return step === undefined ? path : `${path}${hashOf(step)}`;
}

/** From an experiment's page to another's of the same server. */
export function siblingHref({ experiment }: Pick<ResultRecord, 'experiment'>): string {
  return encodeURIComponent(`${fileName(experiment)}.html`);
}

/** From an experiment's page to what is said of a claim on the first page: its experiments on every server. */
export function claimHref(claim: string): string {
  return `../${INDEX}#${encodeURIComponent(claim)}`;
}

/** Of what a cell of the matrix opens, within the matrix: the verdict of one experiment on a claim on one server. */
export function verdictId(claim: string, set: ResultSet, { experiment }: ResultRecord): string {
  return [claim, encodeURIComponent(set.name), experiment.number].join('-');
}
