/** What a cluster answered to one step, and what of it must be the same on two clusters. */
import { isDeepStrictEqual } from 'node:util';
import type { Step } from './scenarios.ts';

/** A reply, or the error that came in its place. */
export type Answer = { readonly reply: unknown } | { readonly error: Refusal };

/** An error as the driver hands it on. */
export interface Refusal {
  /** Old-style errors of mongos have none. */
  readonly code?: number;
  readonly codeName?: string;
  readonly message: string;
  readonly keyPattern?: object;
  readonly keyValue?: object;
  /** The failed writes of a driver's `insertMany`. */
  readonly writeErrors?: readonly { readonly index: number; readonly code: number; readonly message: string }[];
  /** Documents that such a call inserted all the same. */
  readonly insertedCount?: number;
}

/** Whether two clusters did the same: success or failure, error code, indexes of failed writes, and the reply itself. */
export function isSameOutcome(step: Step, one: Answer, other: Answer): boolean {
  return isDeepStrictEqual(outcomeOf(step, one), outcomeOf(step, other));
}

/** Whether two answers are the same to the word, as far as the step is compared. */
export function isSameAnswer(step: Step, one: Answer, other: Answer): boolean {
  return isSameOutcome(step, one, other) && messageIn(one) === messageIn(other);
}

/** The text of an error. */
export function messageIn(answer: Answer): string | undefined {
  return 'error' in answer ? answer.error.message : undefined;
}

function outcomeOf({ loose }: Step, answer: Answer): unknown {
  if ('reply' in answer) return loose ? 'success' : withoutNotes(answer.reply);
  const { code, writeErrors = [], insertedCount } = answer.error;
  return loose ? { code } : { code, insertedCount, failed: writeErrors.map(({ index, code }) => ({ index, code })) };
}

/** Without the fields that say nothing about the outcome. */
function withoutNotes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNotes);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== 'ok' && key !== 'note');
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutNotes(item)]));
}
