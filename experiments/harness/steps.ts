/** Takes the steps of one experiment: does the work, records what was exchanged, holds it against what was expected. */
import { MongoAPIError, MongoError, MongoServerError } from 'mongodb';
import { type Expectation, isNotModelled, judge } from './expect.ts';
import type { Check, Observed, Section } from './record.ts';
import { type LeftToChance, leftToChance } from './state/chance.ts';
import { changesNothing } from './state/reads.ts';
import type { SeenCollection } from './state/seen.ts';
import type { RawExchange, Transcript } from './transcript.ts';

/** A step before normalize.ts makes it reproducible. */
export interface RawStep {
  readonly section: Section;
  readonly caption: string;
  exchanges: readonly RawExchange[];
  observed: Observed;
  check?: Check;
  /** It does no more than arrange a collection. */
  readonly isArrangement: boolean;
  /** The cluster after the step; undefined where nothing can have changed, or the step ended the run. */
  seen?: readonly SeenCollection[];
  /** What a race left to chance. */
  chance?: LeftToChance;
}

/** One step to take. */
export interface Attempt<T> {
  readonly caption: string;
  readonly work: () => Promise<T>;
  /** What the work came to, when it did not fail. */
  readonly observe: (value: T, exchanges: readonly RawExchange[]) => Observed;
  readonly expectation?: Expectation | undefined;
  /** It arranges a collection: a refusal ends the experiment, too. */
  readonly isArrangement?: boolean;
  /** Which exchanges the report shows, in which order. Default all, as they were sent. */
  readonly keep?: (exchanges: readonly RawExchange[]) => readonly RawExchange[];
}

/** The embedded distribution does not model what a step needs: the experiment is skipped on it. */
export class NotModelled extends Error {
  override readonly name = 'NotModelled';
}

/** Looks at the cluster after a step, whose exchanges are given. */
export type Look = (exchanges: readonly RawExchange[]) => Promise<readonly SeenCollection[]>;

const UNFINISHED: Observed = { ok: false, error: 'no answer before the experiment was given up' };

/** See the file's comment. */
export class StepLog {
  readonly steps: RawStep[] = [];
  section: Section = 'story';
  readonly #transcript: Transcript;
  readonly #version: string;
  readonly #look: Look;
  readonly #blinded = new AbortController();
  #isUnderWay = false;
  #closed = false;

  /** @param version the server's, which predictions may depend on */
  constructor(transcript: Transcript, version: string, look: Look) {
    this.#transcript = transcript;
    this.#version = version;
    this.#look = look;
  }

  /** Aborted when the cluster could not be looked at after a step, with what {@link Look} threw. */
  get blinded(): AbortSignal {
    return this.#blinded.signal;
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
    if (this.#isUnderWay) throw new Error(`step ${this.steps.length} was not awaited: ${this.steps.at(-1)?.caption}`);
  }

  /**
   * @returns the work's value, undefined when a server refused
   * @throws NotModelled, and whatever the work throws that is no answer of a server
   * @throws Error when another step is under way: whose command is whose could not be told; when the caption is no text
   */
  async take<T>(attempt: Attempt<T>): Promise<T | undefined> {
    if (this.#closed) return forever();
    if (typeof attempt.caption !== 'string')
      throw new Error("a step begins with its caption: lab.step('One.', (db) => …)");
    if (this.#isUnderWay) throw new Error('two steps at once: await each step before the next');
    this.#isUnderWay = true;
    try {
      return await this.#taken(attempt);
    } finally {
      this.#isUnderWay = false;
    }
  }

  async #taken<T>(attempt: Attempt<T>): Promise<T | undefined> {
    const { caption, work, isArrangement = false } = attempt;
    const exchanges = this.#transcript.open();
    const step: RawStep = { section: this.section, caption, exchanges, observed: UNFINISHED, isArrangement };
    this.steps.push(step);
    const settled = await settle(work);
    if (this.#closed) return forever();
    this.#transcript.close();
    if ('value' in settled) refuseForgotten(exchanges);
    this.#complete(step, attempt, settled);
    if ('error' in settled) endOrGoOn(settled.error, step.observed, isArrangement);
    await this.#lookAfter(step, exchanges);
    return 'value' in settled ? settled.value : undefined;
  }

  /** A step that sent nothing may have used a connection of its own. */
  async #lookAfter(step: RawStep, exchanges: readonly RawExchange[]): Promise<void> {
    if (exchanges.length > 0 && exchanges.every(changesNothing)) return;
    try {
      const seen = await this.#look(exchanges);
      if (!this.#closed) step.seen = seen;
    } catch (error) {
      this.#blinded.abort(error);
    }
    if (this.#closed || this.blinded.aborted) return forever();
  }

  #complete<T>(step: RawStep, attempt: Attempt<T>, settled: Settled<T>): void {
    step.observed = 'value' in settled ? attempt.observe(settled.value, step.exchanges) : observedIn(settled.error);
    const { race } = step.observed;
    if (race) step.chance = leftToChance(step.exchanges, race.winners);
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

/** @throws Error when a step has come to its end before its commands */
function refuseForgotten(exchanges: readonly RawExchange[]): void {
  const forgotten = exchanges.find(({ reply, failure }) => reply === null && failure === undefined);
  if (!forgotten) return;
  const [name] = Object.keys(forgotten.command);
  throw new Error(`await each call of a step: ${name} had no answer yet when the step ended`);
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

function endOrGoOn(error: unknown, observed: Observed, mustSucceed: boolean): void {
  if (isNotModelled(observed)) throw new NotModelled((error as Error).message);
  if (mustSucceed || !isResult(error)) throw error;
}
