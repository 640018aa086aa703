/** What is shown of an opened cell. Texts of servers become text alone, never HTML. */
import type { ExchangeData, MatrixData, StepData } from '../matrix-format.ts';
import { spansOf } from '../spans.ts';

type Content = Node | string;

/** @param cell the link in the table; it leads to the page of the experiment */
export function cellContent(cell: HTMLAnchorElement, { cells, steps, texts }: MatrixData): DocumentFragment {
  const [reason = 0, evidence = []] = cells[cell.dataset.cell ?? ''] ?? [];
  const row = cell.closest('tr');
  const { claim = '' } = row?.dataset ?? {};
  const page = cell.href.replace(/#.*/, '');
  const { set = '' } = cell.dataset;
  const content = document.createDocumentFragment();
  content.append(
    element('h2', { id: 'cell-title' }, `${claim} on ${set}`),
    element('p', {}, ...(row?.querySelector('.statement')?.cloneNode(true).childNodes ?? [])),
    element(
      'p',
      {},
      badge(cell),
      ' ',
      ...prose(texts[reason] ?? ''),
      ' · ',
      element('a', { href: page }, 'the experiment'),
    ),
    ...evidence.flatMap(([number, place]) => stepContent(steps[place], { number, page, claim, set, texts })),
    ...others(cell, row),
  );
  return content;
}

interface Around {
  readonly number: number;
  readonly page: string;
  readonly claim: string;
  readonly set: string;
  readonly texts: readonly string[];
}

/** Not "evidence": what was modelled is none. */
const BEARS: Readonly<Record<StepData['bears'], (claim: string) => string>> = {
  for: (claim) => `as ${claim} says`,
  against: (claim) => `other than ${claim} says`,
  not: (claim) => `says nothing of ${claim}`,
};

function stepContent(step: StepData | undefined, { number, page, claim, set, texts }: Around): Content[] {
  if (!step) return [];
  const { caption, exchanges, seen, bears, of = set } = step;
  const title = element('h3', {}, `${number}. `, ...prose(texts[caption] ?? ''));
  const outcome = element('p', {}, ...prose(texts[seen] ?? ''), ` – ${BEARS[bears](claim)} · `);
  outcome.append(element('a', { href: `${page}#step-${number}` }, `step ${number} on its page`));
  const borrowed = exchanges.length > 0 && of !== set && element('p', { class: 'footnote' }, borrowedText(of));
  return [
    title,
    ...exchanges.map((exchange) => exchangeContent(exchange, texts)),
    ...(borrowed ? [borrowed] : []),
    outcome,
  ];
}

function borrowedText(of: string): string {
  return `The reply is shown as ${of} gave it, which came to the same; its details may differ.`;
}

/** As on the page of the experiment (exchange.tsx), without colours inside. */
function exchangeContent([to, command, by, who, reply]: ExchangeData, texts: readonly string[]): HTMLElement {
  const code = (text: number) => element('pre', {}, element('code', {}, texts[text] ?? ''));
  const words = texts[who] ?? '';
  const answer =
    reply === undefined ? [element('p', {}, words)] : [element('p', {}, element('strong', {}, words)), code(reply)];
  return element(
    'div',
    { class: 'exchange' },
    element('p', { class: 'to' }, texts[to] ?? ''),
    code(command),
    element('div', { class: `answer by-${by}` }, ...answer),
  );
}

/** What other servers, or other experiments on this one, made of the claim. */
function others(cell: HTMLAnchorElement, row: HTMLTableRowElement | null): Content[] {
  const cells = [...(row?.querySelectorAll<HTMLAnchorElement>('a[data-cell]') ?? [])].filter((one) => one !== cell);
  const links = cells.map((one) => {
    const number = one.dataset.cell?.split('-').at(-1);
    const link = element('a', { href: `#${one.dataset.cell}` }, `${one.dataset.set}, experiment ${number}`);
    return element('li', {}, link, ' ', badge(one));
  });
  return links.length === 0 ? [] : [element('h3', {}, 'Elsewhere'), element('ul', { class: 'elsewhere' }, ...links)];
}

function badge({ className, textContent }: HTMLAnchorElement): HTMLElement {
  return element('span', { class: className }, textContent ?? '');
}

function prose(text: string): Content[] {
  return spansOf(text).map((span) => (span.kind === 'text' ? span.text : element(span.kind, {}, span.text)));
}

function element(tag: string, attributes: Readonly<Record<string, string>>, ...children: Content[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
