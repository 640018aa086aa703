/** Chooses among the rows of the matrix. */
import { isChosen } from './matrix-choice.ts';

export function chooseRows(): void {
  const filter = document.querySelector<HTMLElement>('#filter');
  if (!filter) return; // no claim was tested
  filter.hidden = false;
  filter.addEventListener('change', show);
  window.addEventListener('pageshow', show); // only then has a browser that comes back to the page restored what was chosen
}

function show(): void {
  const verdict = document.querySelector<HTMLSelectElement>('#verdict')?.value ?? '';
  const differing = document.querySelector<HTMLInputElement>('#differing')?.checked ?? false;
  const rows = [...document.querySelectorAll<HTMLTableRowElement>('.matrix tbody tr')];
  for (const row of rows) {
    const { claim = '', verdicts = '', differs } = row.dataset;
    row.hidden = !isChosen({ verdicts: verdicts.split(' '), differs: differs !== undefined }, { verdict, differing });
    const section = document.getElementById(claim); // what differs, told below the table
    if (section) section.hidden = row.hidden;
  }
  const shown = rows.filter(({ hidden }) => !hidden).length;
  document.querySelector('#shown')?.replaceChildren(`${shown} of ${rows.length} claims`);
}
