/** Opens the cells of the matrix over it, and keeps the address in step: it can be linked to, and the browser's back closes it. */
import type { MatrixData } from '../matrix-format.ts';
import { cellContent } from './matrix-content.ts';

export function openCells(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#cell');
  const text = document.querySelector('#data')?.textContent;
  if (!dialog || !text) return;
  const data = JSON.parse(text) as MatrixData;
  document.addEventListener('click', (event) => openClicked(event, dialog, data));
  dialog.addEventListener('click', (event) => closeClicked(event, dialog));
  dialog.addEventListener('close', forgetAddress);
  window.addEventListener('popstate', () => follow(dialog, data));
  follow(dialog, data);
}

/** A click that asks for a tab of its own is the browser's, and so is one inside of the dialog, which leads to a page. */
function openClicked(event: MouseEvent, dialog: HTMLDialogElement, data: MatrixData): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('.matrix a[data-cell]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState({ isOpened: true }, '', `#${link.dataset.cell}`);
  follow(dialog, data);
}

/** On the button, or on the surroundings. */
function closeClicked(event: MouseEvent, dialog: HTMLDialogElement): void {
  const target = event.target as Element;
  if (target === dialog || target.closest('button')) dialog.close();
}

/** Shows what the address names. */
function follow(dialog: HTMLDialogElement, data: MatrixData): void {
  const link = named();
  if (link) {
    dialog.querySelector('.content')?.replaceChildren(cellContent(link, data));
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
  } else if (dialog.open) dialog.close();
}

/** After a close by other means than the browser's back. */
function forgetAddress(): void {
  if (!named()) return;
  if (history.state?.isOpened) history.back();
  else history.replaceState(null, '', location.pathname + location.search);
}

/** The cell that the address names. */
function named(): HTMLAnchorElement | undefined {
  const cells = [...document.querySelectorAll<HTMLAnchorElement>('.matrix a[data-cell]')];
  return cells.find(({ dataset }) => dataset.cell === location.hash.slice(1));
}
