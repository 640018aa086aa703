/** Which step is shown next: no document and no browser in it. Steps count from 1. */

/** Where the buttons lead. */
export type Direction = 'first' | 'back' | 'next' | 'last';

/** The key that does what a button does, as `KeyboardEvent.key`. */
export const KEYS: Readonly<Record<Direction, string>> = {
  first: 'Home',
  back: 'ArrowLeft',
  next: 'ArrowRight',
  last: 'End',
};

/** @returns undefined for a key that leads nowhere */
export function directionOf(key: string): Direction | undefined {
  return (Object.keys(KEYS) as Direction[]).find((direction) => KEYS[direction] === key);
}

/** @returns a step from 1 to `count`; the one that `step` is at the ends */
export function stepTo(direction: Direction, step: number, count: number): number {
  const wanted = { first: 1, back: step - 1, next: step + 1, last: count }[direction];
  return clamped(wanted, count);
}

export function canGo(direction: Direction, step: number, count: number): boolean {
  return stepTo(direction, step, count) !== step;
}

/** @returns undefined for a hash that names no step; the nearest for a number beyond the last */
export function stepOfHash(hash: string, count: number): number | undefined {
  const [, number] = /^#step-(\d{1,9})$/.exec(hash) ?? [];
  return number === undefined ? undefined : clamped(Number(number), count);
}

/** Of its element. */
export function stepId(step: number): string {
  return `step-${step}`;
}

/** What {@link stepOfHash} reads. */
export function hashOf(step: number): string {
  return `#${stepId(step)}`;
}

function clamped(step: number, count: number): number {
  return Math.min(Math.max(step, 1), count);
}

/** What a key does where it was pressed is done there: text, sliders, lists and what scrolls by itself keep their keys. */
export function keepsKeys({
  tag,
  isEditable,
  scrolls,
}: {
  tag: string;
  isEditable: boolean;
  scrolls: boolean;
}): boolean {
  return isEditable || scrolls || ['INPUT', 'SELECT', 'TEXTAREA'].includes(tag);
}
