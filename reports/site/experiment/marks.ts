/** How a viewer marks what a step changed. */
import type { Change } from '../../changes.ts';

export type Mark = 'new' | 'changed' | 'moved' | 'gone' | 'refused';

/** They say without colour what the class of the same name colours. */
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

export function markOf(change: Change): Mark {
  if (change.what === 'count') return 'changed';
  return change.what === 'refused' ? 'refused' : MARKS[change.how];
}
