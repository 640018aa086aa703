/** The browser code of an experiment's page: shows one step at a time of those that are all there. */
import { canGo, type Direction, directionOf, hashOf, keepsKeys, stepOfHash, stepTo } from '../experiment/stepping.ts';

const steps = all<HTMLElement>('.step');
const [player, slider, position, said] = [
  one<HTMLElement>('.player'),
  one<HTMLInputElement>('.player input'),
  one<HTMLElement>('.player .position'),
  one<HTMLElement>('[aria-live]'),
];
const buttons = all<HTMLButtonElement>('.player [data-to]');
const linked = stepOfHash(location.hash, steps.length);
let shown = linked ?? 1;

/** Changes that are told to those who hear the page. */
const SAID = 3;

document.documentElement.classList.add('stepping');
player.hidden = false;
show(shown);
if (linked !== undefined) stepAt(linked).scrollIntoView();

for (const button of buttons)
  button.addEventListener('click', () => go(stepTo(directionOfButton(button), shown, steps.length)));
slider.addEventListener('input', () => go(slider.valueAsNumber, 'replaceState'));
document.addEventListener('keydown', onKey);
window.addEventListener('hashchange', onHash);
for (const [i, step] of steps.entries()) step.addEventListener('beforematch', () => onMatch(i + 1));

function onKey(event: KeyboardEvent): void {
  const direction = directionOf(event.key);
  if (!direction || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isKept(event.target)) return;
  event.preventDefault();
  go(stepTo(direction, shown, steps.length));
}

function isKept(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const scrolls = target.tabIndex === 0 && target.scrollWidth > target.clientWidth;
  return keepsKeys({ tag: target.tagName, isEditable: target.isContentEditable, scrolls });
}

/** A link within the page, or the browser's own way back and forth. */
function onHash(): void {
  const step = location.hash === '' ? 1 : stepOfHash(location.hash, steps.length);
  if (step === undefined) return;
  go(step, 'stay');
  captionOf(step).focus({ preventScroll: true });
}

/** The browser found something on the page, or follows a link, in a step that is not shown. */
function onMatch(step: number): void {
  go(step, location.hash === hashOf(step) ? 'stay' : 'replaceState');
}

function go(step: number, way: 'pushState' | 'replaceState' | 'stay' = 'pushState'): void {
  if (step === shown) return;
  const losesFocus = stepAt(shown).contains(document.activeElement);
  show(step);
  if (way !== 'stay') remember(step, way);
  if (losesFocus) captionOf(step).focus({ preventScroll: true });
  bringIntoView(step);
  const isNamed = losesFocus || way === 'stay' || document.activeElement === slider; // by what has the focus
  said.textContent = `${isNamed ? '' : nameOf(step)} ${changesIn(step)}`;
}

function remember(step: number, way: 'pushState' | 'replaceState'): void {
  try {
    history[way](null, '', hashOf(step));
  } catch {
    // It came too often for the browser (Safari: 100 times in 30 s): the address stays, the step is shown all the same.
  }
}

function show(step: number): void {
  shown = step;
  // until-found: the browser's own search finds what is in the others; one that does not know the word hides them all the same.
  for (const one of steps) {
    if (one === stepAt(step)) one.removeAttribute('hidden');
    else one.setAttribute('hidden', 'until-found');
  }
  // What was hidden goes on with its animations where it was, which is at their end.
  for (const animation of stepAt(step).getAnimations({ subtree: true })) animation.currentTime = 0;
  slider.value = String(step);
  slider.setAttribute('aria-valuetext', nameOf(step));
  position.textContent = `${step} of ${steps.length}`;
  // Not `disabled`, which would take the focus from a button that was pressed.
  for (const button of buttons) {
    button.setAttribute('aria-disabled', String(!canGo(directionOfButton(button), step, steps.length)));
  }
}

function bringIntoView(step: number): void {
  const { top } = captionOf(step).getBoundingClientRect();
  if (top < player.getBoundingClientRect().bottom || top > innerHeight) stepAt(step).scrollIntoView();
}

function nameOf(step: number): string {
  return `Step ${step} of ${steps.length}: ${captionOf(step).querySelector('.caption')?.textContent}`;
}

/** Not all of many: who wants them reads them on the page. */
function changesIn(step: number): string {
  const lines = [...stepAt(step).querySelectorAll('.changes .text')].map(({ textContent }) => textContent);
  return [...lines.slice(0, SAID), ...(lines.length > SAID ? [`${lines.length - SAID} more changes`] : [])].join('; ');
}

function stepAt(step: number): HTMLElement {
  return steps[step - 1] as HTMLElement;
}

function captionOf(step: number): HTMLElement {
  return stepAt(step).querySelector('h3') as HTMLElement;
}

function directionOfButton(button: HTMLButtonElement): Direction {
  return button.dataset.to as Direction;
}

function one<T extends Element>(selector: string): T {
  return document.querySelector(selector) as T;
}

function all<T extends Element>(selector: string): T[] {
  return [...document.querySelectorAll<T>(selector)];
}
