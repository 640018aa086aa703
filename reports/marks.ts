/** How pictures and pages mark what a step changed. */
import type { Change } from './changes.ts';
import type { Refusal } from './refusals.ts';

/** Of what is different. */
export type ChangeMark = 'new' | 'changed' | 'moved' | 'gone';
export type Mark = ChangeMark | 'refused';

/** They say it without colour. */
export const GLYPHS: Readonly<Record<Mark, string>> = { new: '+', changed: '~', moved: '→', gone: '−', refused: '×' };

const MARKS = {
  appeared: 'new',
  arrived: 'new',
  sharded: 'changed',
  unsharded: 'changed',
  changed: 'changed',
  moved: 'moved',
  left: 'gone',
  vanished: 'gone',
} as const;

export function markOf(change: Exclude<Change, Refusal>): ChangeMark;
export function markOf(change: Change): Mark;
export function markOf(change: Change): Mark {
  if (change.what === 'count') return 'changed';
  return change.what === 'refused' ? 'refused' : MARKS[change.how];
}
