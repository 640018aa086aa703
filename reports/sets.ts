/** Result sets: the records of each server in a folder of its own, and what they say of a claim. */
import { claims } from '../experiments/harness/claims.ts';
import type { ExperimentHead, ResultRecord, VerdictRecord } from '../experiments/harness/record.ts';

/** The records of one server, in one folder. */
export interface ResultSet {
  /** `9.0.0-alpha0-embedded` */
  readonly name: string;
  /** In the order of their numbers. */
  readonly records: readonly ResultRecord[];
}

export type Verdict = VerdictRecord['verdict'];

/** In the order in which they are told. */
export const VERDICTS: readonly Verdict[] = ['holds', 'fails', 'modelled', 'skipped'];

/** `01` */
export function numberText({ number }: Pick<ExperimentHead, 'number'>): string {
  return String(number).padStart(2, '0');
}

/** `01 · Unique indexes on …`, the title of a page. */
export function titleText(experiment: Pick<ExperimentHead, 'number' | 'title'>): string {
  return `${numberText(experiment)} · ${experiment.title}`;
}

/** An experiment's file without its ending: `01-unique-non-prefix`. */
export function fileName(experiment: Pick<ExperimentHead, 'number' | 'name'>): string {
  return `${numberText(experiment)}-${experiment.name}`;
}

/** The {@link fileName} of every experiment that any of the sets has, each once. */
export function fileNames(sets: readonly ResultSet[]): string[] {
  return [...new Set(sets.flatMap(({ records }) => records.map(({ experiment }) => fileName(experiment))))];
}

/**
 * A link to the page of a record.
 * @param results path from the linking page to the folder that holds the sets
 */
export function link(words: string, set: ResultSet, record: ResultRecord, results: string): string {
  const folder = encodeURIComponent(set.name).replaceAll(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
  return `[${words}](${[results, folder, `${fileName(record.experiment)}.md`].filter(Boolean).join('/')})`;
}

/** Whether our model of the sharding layer took part, so that nothing in the set proves anything about MongoDB. */
export function isModelled({ records }: ResultSet): boolean {
  return records.some(({ environment }) => environment.model);
}

/** The claims that have an experiment, in the order of the registry. */
export function testedClaims(sets: readonly ResultSet[]): string[] {
  const tested = new Set(sets.flatMap(({ records }) => records.flatMap(({ experiment }) => experiment.claims)));
  return Object.keys(claims).filter((claim) => tested.has(claim));
}

/** What the experiments of a set say of a claim; several may. */
export function verdictsOn(set: ResultSet, claim: string): [ResultRecord, VerdictRecord][] {
  return set.records.flatMap((record) =>
    record.verdicts.flatMap((one): [ResultRecord, VerdictRecord][] => (one.claim === claim ? [[record, one]] : [])),
  );
}
