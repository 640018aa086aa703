/** A version that a matrix was asked for and that has no results, or not all: what is kept of it, and the words for it. */
import { code } from './words.ts';

/** One JSON document beside the results. */
export interface NotRun {
  /** Raised when a reader of older notes would misread a newer one. */
  readonly format: 1;
  /** As it was asked for: `8.0`. */
  readonly asked: string;
  /** Why, in one line. */
  readonly reason: string;
  /** The version of the results that it left before it ended; absent when there are none. */
  readonly version?: string;
}

/** A line for every form of the matrix; what others wrote is in code spans. */
export function notRunText({ asked, reason, version }: NotRun): string {
  const what = version === undefined ? 'gave no results' : `ended early, as MongoDB ${code(version)}`;
  return `${code(asked)} was asked for and ${what}: ${code(reason)}`;
}
