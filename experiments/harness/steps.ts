/** Takes the steps of one experiment: does the work, records what was exchanged, holds it against what was expected. */
import { MongoAPIError, MongoError, MongoServerError } from 'mongodb';
import { type Expectation, isNotModelled, judge } from './expect.ts';
import type { Check, Observed, Section } from './record.ts';
import type { RawExchange, Transcript } from './transcript.ts';

/** A step before normalize.ts makes it reproducible. */
export interface RawStep {
  readonly section: Section;
  readonly caption: string;
  exchanges: readonly RawExchange[];
  observed: Observed;
  check?: Check;
}

/** One step to take. */
export interface Attempt<T> {
  readonly caption: string;
  readonly work: () => Promise<T>;
  /** What the work came to, when it did not fail. */
  readonly observe: (value: T, exchanges: readonly RawExchange[]) => Observed;
  readonly expectation?: Expectation | undefined;
  /** A refusal ends the experiment, too. */
  readonly mustSucceed?: boolean;
  /** Which exchanges the report shows, in which order. Default all, as they were sent. */
  readonly keep?: (exchanges: readonly RawExchange[]) => readonly RawExchange[];
}

/** The embedded distribution does not model what a step needs: the experiment is skipped on it. */
export class NotModelled extends Error {
  override readonly name = 'NotModelled';
}

const UNFINISHED: Observed = { ok: false, error: 'no answer before the experiment was given up' };

/** See the file's comment. */
export class StepLog {
  readonly steps: RawStep[] = [];
  section: Section = 'story';
  readonly #transcript: Transcript;
  readonly #version: string;
  #closed = false;

  /** @param version the server's, which predictions may depend on */
  constructor(transcript: Transcript, version: string) {
    this.#transcript = transcript;
    this.#version = version;
  }

  /** No further step is taken, one under way stays as it is, and neither comes back to the run. */
  close(): void {
    this.#closed = true;
  }

  /**
   * The run has come to its end.
   * @throws Error when a step is still under way
   */
  finish(): void {
    const last = this.steps.at(-1);
    if (last?.observed === UNFINISHED) throw new Error(`step ${this.steps.length} was not awaited: ${last.caption}`);
  }

  /**
   * @returns the work's value, undefined when a server refused
   * @throws NotModelled, and whatever the work throws that is no answer of a server
   */
  async take<T>(attempt: Attempt<T>): Promise<T | undefined> {
    if (this.#closed) return forever();
    const exchanges = this.#transcript.open();
    const step: RawStep = { section: this.section, caption: attempt.caption, exchanges, observed: UNFINISHED };
    this.steps.push(step);
    const settled = await settle(attempt.work);
    if (this.#closed) return forever();
    this.#transcript.close();
    this.#complete(step, attempt, settled);
    if ('value' in settled) return settled.value;
    return endOrGoOn(settled.error, step.observed, attempt.mustSucceed ?? false);
  }

  #complete<T>(step: RawStep, attempt: Attempt<T>, settled: Settled<T>): void {
    step.observed = 'value' in settled ? attempt.observe(settled.value, step.exchanges) : observedIn(settled.error);
    step.exchanges = attempt.keep?.(step.exchanges) ?? step.exchanges;
    if (attempt.expectation) step.check = judge(attempt.expectation, step.observed, this.#version);
  }
}

/** A run that was given up stops here: an error it could catch, and try again. */
function forever(): Promise<never> {
  return new Promise(() => {});
}

type Settled<T> = { value: T } | { error: unknown };

async function settle<T>(work: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

/** Whether an error is a result of the step: what a server said, or that none could be reached. Misuse of the driver is neither. */
export function isResult(error: unknown): error is MongoError {
  return error instanceof MongoError && !(error instanceof MongoAPIError);
}

/** An error in the words of a record; a server's own words are in the reply already. */
export function observedIn(error: unknown): Observed {
  if (error instanceof MongoServerError && typeof error.code === 'number') {
    const codeName: unknown = error.codeName;
    return { ok: false, code: error.code, ...(typeof codeName === 'string' && { codeName }) };
  }
  return { ok: false, error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}

function endOrGoOn(error: unknown, observed: Observed, mustSucceed: boolean): undefined {
  if (isNotModelled(observed)) throw new NotModelled((error as Error).message);
  if (mustSucceed || !isResult(error)) throw error;
}
