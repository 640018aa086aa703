/** The cluster before and after a step as an SVG: one row per shard, its chunks as boxes, documents as dots. A pure function of the record. */
import { renderToStaticMarkup } from 'preact-render-to-string';
import type { CollectionState, ResultRecord } from '../experiments/harness/record.ts';
import { type Change, type StepStates, stepStates } from './changes.ts';
import { alternativeText, fitted, isNamed, shardingText } from './diagram-labels.ts';
import { hasRoom, type Panel, panelOf, rowHeight, type Side } from './diagram-panel.ts';
import { drawnRow } from './diagram-row.tsx';
import { at, definitions, type Legend, legend } from './diagram-signs.tsx';
import { CHARACTER, MARKS, STYLE, WIDTH } from './diagram-style.ts';
import type { ChangeMark } from './marks.ts';

/** A picture of what one step changed. */
export interface Diagram {
  /** Of the step. */
  readonly number: number;
  readonly svg: string;
  /** What it shows, in words. */
  readonly alt: string;
}

/** One for each step that changed anything; none of a record without states. */
export function diagramsOf(record: ResultRecord): Diagram[] {
  return (stepStates(record) ?? []).flatMap(diagramOf);
}

function diagramOf({ step, before, after, changes }: StepStates): Diagram[] {
  const shown = changes.filter(({ what }) => what !== 'refused');
  const names = new Set(shown.map(({ collection }) => collection));
  if (names.size === 0) return [];
  const [was, now] = [before, after].map((states) => states.filter(({ collection }) => names.has(collection)));
  const alt = alternativeText(was ?? [], now ?? [], shown);
  const parts = [...names].map((name) =>
    partOf(name, step.number, sidesOf(was?.find(isNamed(name)), now?.find(isNamed(name))), shown.filter(isNamed(name))),
  );
  return [{ number: step.number, alt, svg: drawing(step.number, parts) }];
}

type State = readonly [Side, CollectionState];

function sidesOf(was: CollectionState | undefined, now: CollectionState | undefined): State[] {
  return [...(was ? [['before', was] as const] : []), ...(now ? [['after', now] as const] : [])];
}

interface Part {
  readonly heading: string;
  readonly sides: readonly { readonly title: string; readonly panel: Panel }[];
  /** Side by side where there is room for it. */
  readonly isWide: boolean;
}

const GAP = 20;
const HALF = (WIDTH - GAP) / 2;

function partOf(name: string, number: number, states: readonly State[], changes: readonly Change[]): Part {
  const labelled = labelWidth(states.flatMap(([, { shards }]) => shards.map(({ shard }) => shard)));
  const isWide = states.length === 1 || !states.every(([, state]) => hasRoom(state, HALF, labelled));
  const width = isWide ? WIDTH : HALF;
  const [keys, titles] = [states.map(([, state]) => shardingText(state)), titlesOf(states, number)];
  const isSame = new Set(keys).size === 1;
  const sides = states.map(([side, state], i) => ({
    title: fitted(isSame ? `${titles[i]}` : `${titles[i]}: ${keys[i]}`, width),
    panel: panelOf(state, side, changes, width, labelled),
  }));
  return { heading: fitted(isSame ? `${name}, ${keys[0]}` : name, HEADING_ROOM), sides, isWide };
}

/** In pixels of the smaller monospaced text, which {@link fitted} counts in. */
const HEADING_ROOM = WIDTH * 0.8;

function titlesOf(states: readonly State[], number: number): string[] {
  const titles = states.map(([side]) => `${side} step ${number}`);
  if (states.length > 1) return titles;
  return titles.map((title) => `${title}; ${title.startsWith('after') ? 'new' : 'gone afterwards'}`);
}

function labelWidth(names: readonly string[]): number {
  return Math.min(180, Math.max(9, ...names.map(({ length }) => length)) * CHARACTER + 8);
}

const HEADING = 24;
const TITLE = 18;
const AXIS = 18;
const BETWEEN = 12;

function drawing(number: number, parts: readonly Part[]): string {
  const heights = parts.map(partHeight);
  const top = (i: number) => heights.slice(0, i).reduce((sum, height) => sum + height, 0);
  const marks = marksIn(parts);
  const height = top(parts.length) + (marks.length > 0 ? 24 : 4);
  const picture = (
    <svg xmlns="http://www.w3.org/2000/svg" width={WIDTH} height={height} viewBox={`0 0 ${WIDTH} ${height}`}>
      <title>{`The cluster before and after step ${number}`}</title>
      <style>{STYLE}</style>
      {definitions(marks)}
      {parts.map((part, i) => at(0, top(i), drawnPart(part)))}
      {at(0, height - 8, legend(marks))}
    </svg>
  );
  const markup = renderToStaticMarkup(picture).replaceAll(NOT_IN_XML, '\ufffd');
  return `${markup.replaceAll(']]>', ']]&gt;').replaceAll(EMPTY_ELEMENT, '/>').replaceAll('</g>', '</g>\n')}\n`;
}

/** https://www.w3.org/TR/xml/#charsets, and in https://www.w3.org/TR/xml/#syntax that no text has `]]>` in it. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Text has no `<` in it. */
const EMPTY_ELEMENT = /><\/(?:circle|path|rect|use)>/g;

function partHeight({ sides, isWide }: Part): number {
  return HEADING + (panelHeight(sides) + BETWEEN) * (isWide ? sides.length : 1);
}

/** Rows of the two sides are of the same height, so that they can be compared. */
function rowHeights(sides: Part['sides']): number[] {
  const rows = sides[0]?.panel.rows ?? [];
  return rows.map((_, i) => Math.max(...sides.map(({ panel }) => rowHeight(panel.rows[i]))));
}

function panelHeight(sides: Part['sides']): number {
  return rowHeights(sides).reduce((sum, height) => sum + height, rowsTop(sides));
}

function rowsTop(sides: Part['sides']): number {
  return TITLE + (sides.some(({ panel }) => panel.bounds.length > 0) ? AXIS : 0);
}

function drawnPart({ heading, sides, isWide }: Part) {
  let [x, y] = [0, HEADING];
  const panels = sides.map(({ title, panel }) => {
    const drawn = at(x, y, drawnPanel(title, panel, sides));
    if (isWide) y += panelHeight(sides) + BETWEEN;
    else x += panel.width + GAP;
    return drawn;
  });
  return (
    <>
      <text class="h" y="15">
        {heading}
      </text>
      {panels}
    </>
  );
}

function drawnPanel(title: string, panel: Panel, sides: Part['sides']) {
  const { bounds, edges, rows, width } = panel;
  const heights = rowHeights(sides);
  const top = rowsTop(sides);
  const tops = heights.map((_, i) => heights.slice(0, i).reduce((sum, height) => sum + height, top));
  return (
    <>
      <text class="t m" y="12">
        {title}
      </text>
      {bounds.map((bound, i) => bound && axisLabel(bound, i, bounds.length, edges[i] ?? 0))}
      {rows.map((row, i) => at(0, tops[i] ?? 0, drawnRow(row, edges, width)))}
    </>
  );
}

function axisLabel(bound: string, i: number, count: number, x: number) {
  const anchor = i === 0 ? undefined : i === count - 1 ? 'e' : 'c';
  return (
    <text class={anchor} x={x} y={TITLE + 11}>
      {bound}
    </text>
  );
}

function marksIn(parts: readonly Part[]): Legend[] {
  const rows = parts.flatMap(({ sides }) => sides.flatMap(({ panel }) => panel.rows));
  const dots = rows.flatMap(({ cells }) => cells.flatMap(({ dots }) => dots));
  const marked = [...dots, ...rows.flatMap(({ boxes, indexes }) => [...boxes, ...indexes.flat()])].map(
    ({ mark }) => mark,
  );
  const used = (Object.keys(MARKS) as ChangeMark[]).filter((mark) => marked.includes(mark));
  return dots.some(({ isOrphan }) => isOrphan) ? [...used, 'orphan'] : used;
}
