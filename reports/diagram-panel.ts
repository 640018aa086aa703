/** Where everything of one collection stands in a picture of it, before or after a step: numbers and texts, no drawing. */
import type { Chunk, CollectionState, JsonObject, ShardState } from '../experiments/harness/record.ts';
import { type Change, type DocumentChange, type IndexChange, isSameRange, type Place } from './changes.ts';
import { boundsOf, countText, documentLabel, fitted, fitting, indexLabel } from './diagram-labels.ts';
import { CHARACTER, LINE } from './diagram-style.ts';
import { type ChangeMark, markOf } from './marks.ts';
import { plural } from './words.ts';

export type Side = 'before' | 'after';

/** A collection on one side of a step. Columns are chunks in key order, rows are shards. */
export interface Panel {
  readonly width: number;
  /** Left edges of the columns, and the right edge of the last. */
  readonly edges: readonly number[];
  /** At the edges, empty where there is no room for all; none where the collection is not sharded. */
  readonly bounds: readonly string[];
  readonly rows: readonly Row[];
}

export interface Row {
  readonly shard: string;
  readonly count: string;
  readonly boxes: readonly Box[];
  readonly cells: readonly Cell[];
  /** Lines of names; none where no index changed. */
  readonly indexes: readonly IndexEntry[][];
  /** Lines of the fullest cell. */
  readonly lines: number;
}

/** A chunk on the shard that owns it, or all of a collection that is not sharded. */
export interface Box {
  readonly column: number;
  readonly mark?: ChangeMark | undefined;
}

/** The documents of a shard in one column; a text where there are too many to draw. */
export interface Cell {
  readonly column: number;
  readonly text?: string;
  readonly dots: readonly Dot[];
}

export interface Dot {
  /** From the left edge of the column. */
  readonly x: number;
  /** From 0. */
  readonly line: number;
  readonly label?: string;
  readonly mark?: ChangeMark | undefined;
  /** The shard does not own it. */
  readonly isOrphan: boolean;
}

export interface IndexEntry {
  readonly label: string;
  readonly mark?: ChangeMark | undefined;
}

const PADDING = 9;
const DOT = 17;
const LABEL_SPACE = 10;
const MOST_LINES = 4;
const LONGEST_LABEL = 14;

/**
 * @param changes of this collection in this step
 * @param labelled pixels that the names of the shards take
 */
export function panelOf(
  state: CollectionState,
  side: Side,
  changes: readonly Change[],
  width: number,
  labelled: number,
): Panel {
  const columns = Math.max(1, state.chunks.length);
  const edges = Array.from({ length: columns + 1 }, (_, i) =>
    Math.round(labelled + (i * (width - labelled - 4)) / columns),
  );
  const room = Math.floor((width - labelled - 4) / columns);
  const bounds = spaced(boundsOf(state.chunks), boundRoom(width, labelled, columns));
  const rows = state.shards.map((shard) => rowOf(state, shard, side, changes, room, { width, labelled }));
  return { width, edges, bounds, rows };
}

/** Pixels for a bound: the first begins at its edge, the second stands in the middle of its. */
function boundRoom(width: number, labelled: number, columns: number): number {
  return (width - labelled) / columns / 1.5 - CHARACTER;
}

/** Below this many characters a bound says nothing. */
const LEAST_BOUND = 6;

/** As many bounds as can be read, cut to their room; the first and the last are among them. */
function spaced(bounds: readonly string[], room: number): string[] {
  const stride = Math.max(1, Math.ceil((LEAST_BOUND * CHARACTER) / Math.max(1, room)));
  const last = bounds.length - 1;
  const isShown = (i: number) => i === last || (i % stride === 0 && i + stride <= last);
  return bounds.map((bound, i) => (isShown(i) ? fitted(bound, room * stride) : ''));
}

/** Whether every bound can be read as it is in a panel of that width. */
export function hasRoom({ chunks }: CollectionState, width: number, labelled: number): boolean {
  const room = boundRoom(width, labelled, Math.max(1, chunks.length));
  return boundsOf(chunks).every((bound) => bound.length * CHARACTER <= room);
}

function rowOf(
  state: CollectionState,
  shard: ShardState,
  side: Side,
  changes: readonly Change[],
  room: number,
  { width, labelled }: { width: number; labelled: number },
): Row {
  const boxes = boxesOf(state, shard, changes);
  const cells = [
    ...cellsOf(state, shard, documentMarks(side, shard, changes), room - 2 * PADDING),
    ...countedCells(shard, boxes, room),
  ];
  const lines = Math.max(1, ...cells.flatMap(({ dots }) => dots.map(({ line }) => line + 1)));
  return {
    shard: fitted(shard.shard, labelled - LABEL_SPACE),
    count: countText(shard),
    boxes,
    cells,
    lines,
    indexes: indexesOf(shard, side, changes, width - labelled),
  };
}

function boxesOf(
  { sharded, chunks }: CollectionState,
  { shard, indexes }: ShardState,
  changes: readonly Change[],
): Box[] {
  if (!sharded) return indexes.length > 0 ? [{ column: 0 }] : [];
  return chunks.flatMap((chunk, column) =>
    chunk.shard === shard ? [{ column, mark: chunkMark(chunk, changes) }] : [],
  );
}

function chunkMark(chunk: Chunk, changes: readonly Change[]): ChangeMark | undefined {
  if (isWhole(changes)) return undefined;
  const found = changes.find((change) => change.what === 'chunk' && isSameRange(change.chunk, chunk));
  return found?.what === 'chunk' ? markOf(found) : undefined;
}

/** The collection itself came, went or was sharded, so that a mark at every part of it would say nothing. */
function isWhole(changes: readonly Change[]): boolean {
  return changes.some(({ what }) => what === 'collection');
}

type MarkAt = (at: number) => ChangeMark | undefined;

/** What became of a document, by its place among those of a shard. */
function documentMarks(side: Side, { shard }: ShardState, changes: readonly Change[]): MarkAt {
  const marks = new Map<number, ChangeMark>();
  for (const change of changes) {
    if (change.what !== 'document') continue;
    const place: Place | undefined = side in change ? (change as { before?: Place; after?: Place })[side] : undefined;
    const mark = markOn(side, change);
    if (place?.shard === shard && mark) marks.set(place.at, mark);
  }
  return (at) => marks.get(at);
}

/** What only changes is before the step as it always was. */
function markOn(side: Side, change: DocumentChange | IndexChange): ChangeMark | undefined {
  return side === 'before' && change.how === 'changed' ? undefined : markOf(change);
}

interface Item {
  readonly column: number;
  readonly label: string;
  readonly mark: ChangeMark | undefined;
  readonly isOrphan: boolean;
}

function cellsOf(
  { chunks }: CollectionState,
  { shard, documents = [] }: ShardState,
  mark: MarkAt,
  room: number,
): Cell[] {
  const items = documents.map(({ document, chunk = 0 }, at) => {
    const isOrphan = chunks[chunk] !== undefined && chunks[chunk].shard !== shard;
    return { column: chunk, label: labelOf(document), mark: mark(at), isOrphan };
  });
  const columns = [...new Set(items.map(({ column }) => column))];
  return columns.map((column) =>
    cellOf(
      column,
      items.filter((item) => item.column === column),
      room,
    ),
  );
}

/** Documents that are not told one by one: their number, where it is clear which chunk has them. */
function countedCells(shard: ShardState, boxes: readonly Box[], room: number): Cell[] {
  if (shard.documents) return [];
  const texts = boxes.length === 1 ? [countText(shard), String(shard.count ?? '…')] : ['…'];
  return boxes.map(({ column }) => ({ column, dots: [], text: fitting(texts, room) }));
}

function labelOf(document: JsonObject): string {
  return fitted(documentLabel(document), LONGEST_LABEL * CHARACTER);
}

/** With labels where they fit, else as dots, else as a number. */
function cellOf(column: number, items: readonly Item[], room: number): Cell {
  const dots =
    placed(items, room, ({ label }) => DOT + label.length * CHARACTER + LABEL_SPACE) ??
    placed(items, room, () => DOT)?.map(({ label: _, ...dot }) => dot);
  if (dots) return { column, dots };
  return { column, dots: [], text: fitting(numberTexts(items), room + 2 * PADDING) };
}

/** The longest first. */
function numberTexts(items: readonly Item[]): string[] {
  const marked = items.filter((item) => item.mark).length;
  const text = plural(items.length, 'doc');
  return [...(marked > 0 ? [`${text}, ${marked} of them marked`] : []), text, String(items.length)];
}

/** In lines, as words are; undefined where they need too many. */
function placed(items: readonly Item[], room: number, widthOf: (item: Item) => number): Dot[] | undefined {
  let [x, line] = [0, 0];
  const dots = items.map((item) => {
    const width = widthOf(item);
    if (x > 0 && x + width > room + LABEL_SPACE) [x, line] = [0, line + 1];
    const dot = { ...item, x: PADDING + Math.round(x) + 5, line };
    x += width;
    return dot;
  });
  const isTooWide = items.some((item) => widthOf(item) > room + LABEL_SPACE);
  return line < MOST_LINES && !isTooWide ? dots : undefined;
}

function indexesOf(
  { shard, indexes }: ShardState,
  side: Side,
  changes: readonly Change[],
  room: number,
): IndexEntry[][] {
  const all = changes.filter((change) => change.what === 'index');
  if (all.length === 0) return [];
  const entries = indexes.map((index) => {
    const change = isWhole(changes) ? undefined : all.find((one) => one.shard === shard && one.index === index.name);
    return { label: indexLabel(index), mark: change && markOn(side, change) };
  });
  return inLines(entries.length > 0 ? entries : [{ label: 'no indexes' }], room);
}

function inLines(entries: readonly IndexEntry[], room: number): IndexEntry[][] {
  const lines: IndexEntry[][] = [];
  for (const entry of entries) {
    const cut = { ...entry, label: fitted(entry.label, room - 20) };
    const line = lines.at(-1);
    if (line && widthOf([...line, cut]) <= room) line.push(cut);
    else lines.push([cut]);
  }
  return lines;
}

function widthOf(entries: readonly IndexEntry[]): number {
  return entries.reduce((sum, { label, mark }) => sum + (label.length + 2 + (mark ? 2 : 0)) * CHARACTER, 0);
}

/** Pixels of a row. */
export function rowHeight(row: Row | undefined): number {
  return row ? boxHeight(row) + row.indexes.length * LINE : 0;
}

/** Pixels of its boxes; the name of the shard and the count of documents need as much. */
export function boxHeight({ lines }: Pick<Row, 'lines'>): number {
  return Math.max(2, lines) * LINE + 8;
}
