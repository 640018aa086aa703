/** The signs of a diagram, and the line that explains them. */
import type { ComponentChildren } from 'preact';
import { CHARACTER, MARKS } from './diagram-style.ts';
import { type ChangeMark, GLYPHS } from './marks.ts';

/** A sign that needs explaining. */
export type Legend = ChangeMark | 'orphan';

/** Marks, dots and orphans are drawn once and used by name. */
export function definitions(marks: readonly Legend[]) {
  return (
    <defs>
      {marks.map((mark) => mark !== 'orphan' && definition(mark))}
      <circle id="dot" class="d" r="4.5" />
      <circle id="orphan" class="p" r="5" />
      <circle id="ring" class="p" r="9" />
    </defs>
  );
}

function definition(mark: ChangeMark) {
  return (
    <g id={mark}>
      <circle class={MARKS[mark].colour} r="6.5" />
      <text class="x" y="4">
        {GLYPHS[mark]}
      </text>
    </g>
  );
}

/** One of the {@link definitions}. */
export function used(name: Legend | 'dot' | 'ring', x: number, y: number) {
  return <use href={`#${name}`} x={x} y={y} />;
}

/** From left to right on one line. */
export function legend(marks: readonly Legend[]) {
  let x = 7;
  return marks.map((mark) => {
    const start = x;
    const words = mark === 'orphan' ? 'orphan: on a shard that does not own its chunk' : MARKS[mark].words;
    x += words.length * CHARACTER + 34;
    return at(
      start,
      0,
      <>
        {used(mark, 0, -4)}
        <text class="t m" x="12">
          {words}
        </text>
      </>,
    );
  });
}

/** Children whose origin is at that point. */
export function at(x: number, y: number, children: ComponentChildren) {
  return x === 0 && y === 0 ? <g>{children}</g> : <g transform={`translate(${x} ${y})`}>{children}</g>;
}
