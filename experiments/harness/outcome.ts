/** What an outcome may be, and whether what was seen is it. */
import { inspect } from 'node:util';
import type { Observed, Outcome, Winners } from './record.ts';

/** Whether what was seen is the outcome. */
export function meets(outcome: Outcome, observed: Observed): boolean {
  if ('winners' in outcome) return raced(outcome, observed);
  if ('code' in outcome) return observed.code === outcome.code;
  if ('documents' in outcome) return observed.documents === outcome.documents;
  if ('counts' in outcome) return String(observed.counts) === String(outcome.counts);
  if ('scan' in outcome) return observed.scan === outcome.scan;
  return observed.ok;
}

/** The number of clients that succeeded, as a predicate. */
export function winnersOf(count: number): Winners {
  if (count === 0) return 'none';
  return count === 1 ? 'exactly one' : 'more than one';
}

function raced({ winners, code }: { winners: Winners; code?: number }, { race }: Observed): boolean {
  return race?.winners === winners && (code === undefined || race.codes.every((one) => one === code));
}

type Word = Outcome extends infer One ? (One extends One ? keyof One : never) : never;

const WINNERS: readonly unknown[] = ['none', 'exactly one', 'more than one'] satisfies Winners[];

/** What each word of an outcome may be. */
const KINDS: Readonly<Record<Word, (value: unknown) => boolean>> = {
  ok: (value) => value === true,
  code: Number.isInteger,
  documents: Number.isInteger,
  counts: (value) => Array.isArray(value) && value.every(Number.isInteger),
  scan: (value) => typeof value === 'string',
  winners: (value) => WINNERS.includes(value),
};

/** One word, or of a race two. */
export function isOutcome(outcome: object): boolean {
  const words = Object.entries(outcome);
  const isOne = words.length === 1 || (words.length === 2 && 'winners' in outcome && 'code' in outcome);
  return isOne && words.every(([word, value]) => isWord(word) && KINDS[word](value));
}

function isWord(word: string): word is Word {
  return Object.hasOwn(KINDS, word);
}

/** Which steps see what; all of them see a refusal. */
const SEEN_BY: readonly (readonly [word: Word, sight: keyof Observed, by: string])[] = [
  ['documents', 'documents', 'a step that returns an array or a number'],
  ['counts', 'counts', 'lab.counts'],
  ['scan', 'scan', 'lab.explain'],
  ['winners', 'race', 'lab.race'],
];

/** @throws Error when a step of this kind does not see what is expected of it */
export function refuseUnseen(expected: Outcome | null, observed: Observed): void {
  if (!expected || !observed.ok) return;
  const unseen = SEEN_BY.find(([word, sight]) => word in expected && observed[sight] === undefined);
  if (unseen) throw new Error(`${inspect(expected)} is a prediction for ${unseen[2]}`);
}
