/** A row of a panel: a shard with its boxes, dots and indexes. */
import { type Box, boxHeight, type Cell, type Dot, type IndexEntry, type Row } from './diagram-panel.ts';
import { at, used } from './diagram-signs.tsx';
import { CHARACTER, LINE, MARKS } from './diagram-style.ts';

/** Its upper left corner is at 0, 0. */
export function drawnRow(row: Row, edges: readonly number[], width: number) {
  const column = (i: number) => [edges[i] ?? 0, edges[i + 1] ?? width] as const;
  return (
    <>
      <path class="r" d={`M0 .5H${width}`} />
      <path class="l" d={edges.map((x) => `M${x} 1V${boxHeight(row)}`).join('')} />
      <text y="18">{row.shard}</text>
      <text class="m" y="34">
        {row.count}
      </text>
      {row.boxes.map((box) => drawnBox(box, ...column(box.column), boxHeight(row)))}
      {row.cells.map((cell) => drawnCell(cell, ...column(cell.column), row.lines, boxHeight(row)))}
      {row.indexes.map((line, i) => at(edges[0] ?? 0, boxHeight(row) + i * LINE + 12, indexLine(line)))}
    </>
  );
}

function drawnBox({ mark }: Box, left: number, right: number, height: number) {
  const colour = mark && `w s${MARKS[mark].colour}${mark === 'gone' ? ' k' : ''}`;
  return (
    <>
      <rect
        class={['b', colour].filter(Boolean).join(' ')}
        x={left + 3}
        y="5"
        width={right - left - 6}
        height={height - 10}
        rx="5"
      />
      {mark && used(mark, right - 3, 6)}
    </>
  );
}

function drawnCell({ dots, text }: Cell, left: number, right: number, lines: number, height: number) {
  const top = (height - (lines - 1) * LINE) / 2;
  if (text)
    return (
      <text class="c" x={(left + right) / 2} y={height / 2 + 4}>
        {text}
      </text>
    );
  return dots.map((dot) => drawnDot(dot, left + dot.x, top + dot.line * LINE));
}

function drawnDot({ label, mark, isOrphan }: Dot, x: number, y: number) {
  return (
    <>
      {isOrphan && used(mark ? 'ring' : 'orphan', x, y)}
      {mark ? used(mark, x, y) : !isOrphan && used('dot', x, y)}
      {label && (
        <text x={x + 10} y={y + 4}>
          {label}
        </text>
      )}
    </>
  );
}

function indexLine(entries: readonly IndexEntry[]) {
  let x = 3;
  return entries.map(({ label, mark }) => {
    const start = x;
    const signWidth = mark ? 16 : 0;
    x += signWidth + (label.length + 2) * CHARACTER;
    return (
      <>
        {mark && used(mark, start + 6, -4)}
        <text class={mark ? undefined : 'm'} x={start + signWidth}>
          {label}
        </text>
      </>
    );
  });
}
