/** What a page leaves out of a record that would make it too large, and the words that say so. */
import type { CollectionState, ResultRecord, StepRecord } from '../../../experiments/harness/record.ts';
import { fileName } from '../../sets.ts';
import { code, joined } from '../../words.ts';

/** UTF-8 bytes of a page. */
const LARGEST_PAGE = 300_000;

/** The steps of a record, or what is left of them. */
export interface Fitting {
  readonly steps: readonly StepRecord[];
  /** What a reader misses and where it is, with code in backticks; absent where nothing is missing. */
  readonly omitted?: string;
}

/**
 * The page of as much of a record as fits: documents are only counted where a shard has many, then everywhere, then the last steps go.
 * @param render a pure function
 */
export function fittingPage(record: ResultRecord, render: (fitting: Fitting) => string): string {
  const whole = render({ steps: record.steps });
  if (fits(whole)) return whole;
  for (const documents of [10, 0]) {
    const page = render(part(record, documents));
    if (fits(page)) return page;
  }
  return largest(record.steps.length, (steps) => render(part(record, 0, steps)));
}

function fits(page: string): boolean {
  return Buffer.byteLength(page) <= LARGEST_PAGE;
}

/** The page of the most steps that fit, by halving; of none where not even one does. */
function largest(steps: number, pageOf: (steps: number) => string): string {
  let [most, tooMany] = [0, steps];
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (fits(pageOf(middle))) most = middle;
    else tooMany = middle;
  }
  return pageOf(most);
}

/** @param documents of a shard that are shown one by one, at most */
function part(record: ResultRecord, documents: number, steps = record.steps.length): Fitting {
  const shown = record.steps.slice(0, steps).map((step) => ({
    ...step,
    ...(step.state && { state: step.state.map((state) => counted(state, documents)) }),
  }));
  return { steps: shown, omitted: omission(record, documents, steps) };
}

function counted(state: CollectionState, most: number): CollectionState {
  const shards = state.shards.map(({ documents, ...shard }) => ({
    ...shard,
    ...(documents && documents.length <= most && { documents }),
  }));
  return { ...state, shards };
}

function omission({ experiment, steps }: ResultRecord, documents: number, shown: number): string {
  const many = documents > 0 ? ` where a shard has more than ${documents}` : '';
  const left = [`documents are only counted${many}`];
  if (shown < steps.length) left.push(`of its ${steps.length} steps, only the first ${shown} are here`);
  const files = ['md', 'json'].map((ending) => code(`${fileName(experiment)}.${ending}`));
  return `This page would be larger than ${LARGEST_PAGE / 1000} kB: ${joined(left)}. The whole is in ${joined(files)} of the results.`;
}
