/** How it is said that the embedded cluster answers a step otherwise than a recorded cluster did, and why it is to. */
import type { Answer } from '../answer.ts';

/** The release lines that were recorded. */
export type RecordedVersion = '4.2' | '4.4' | '4.9';

export const EVERY_VERSION: readonly RecordedVersion[] = ['4.2', '4.4', '4.9'];

/** A scenario and the number of its step, counted from 0. */
export type StepName = `${string}#${number}`;

/** Steps that are answered otherwise. The suite fails for each that does not need its entry. */
export interface Exception {
  readonly steps: readonly StepName[];
  /** The recordings that differ. */
  readonly versions: readonly RecordedVersion[];
  /** What is answered instead, to the word: itself, or made from what was recorded. */
  readonly answer: Answer | ((recorded: Answer) => Answer);
  /** A sentence without its full stop. */
  readonly because: string;
  /** Files of the server's repository with the version that they show it for, or what else it is known from. */
  readonly evidence: readonly string[];
}

/** Errors of the same code in other words. The suite fails for each step that does not need its entry. */
export interface Rewording extends Pick<Exception, 'steps' | 'versions' | 'evidence'> {
  /** 9.0's words: themselves, or made from the recorded ones. */
  readonly text: string | ((recorded: string) => string);
}

export function replies(reply: unknown): Answer {
  return { reply };
}

export function refuses(code: number, message: string): Answer {
  return { error: { code, message } };
}
