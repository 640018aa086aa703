/** Measuring: medians of rounds taken in turn, so that what else the machine does falls on both sides alike. */

/** One line of the benchmark's table. */
export interface Measurement {
  what: string;
  /** `ms`, `ratio` or `MB`. */
  unit: 'ms' | 'ratio' | 'MB';
  value: number;
  /** What the project wants it to be at most, in the same unit. */
  limit: number;
  /** What the value was made of, for people. */
  made: string;
}

/** Milliseconds that `work` takes. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The median; of an even number of values the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/**
 * Runs both sides in turn after one round that does not count.
 * @param subject what is measured, through the router
 * @param yardstick what it is held against
 * @returns the ratio of the medians
 */
export async function compare(
  what: string,
  limit: number,
  rounds: number,
  subject: () => Promise<unknown>,
  yardstick: () => Promise<unknown>,
): Promise<Measurement> {
  const taken: { subject: number; yardstick: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    taken.push({ yardstick: await time(yardstick), subject: await time(subject) });
  }
  const ours = median(taken.slice(1).map((pair) => pair.subject));
  const theirs = median(taken.slice(1).map((pair) => pair.yardstick));
  const made = `${ours.toFixed(0)} ms against ${theirs.toFixed(0)} ms, medians of ${rounds}`;
  return { what, unit: 'ratio', value: ours / theirs, limit, made };
}
