/** What dots and marks mean. */
import { GLYPHS, type Mark, MEANINGS } from './marks.ts';

const MARKS = Object.keys(GLYPHS) as Mark[];

export function Legend() {
  return (
    <ul class="legend" aria-label="Legend">
      <li>
        <span class="dot">
          <span class="disc" />
        </span>
        a document, labelled with its <code>_id</code> (<code>#1</code> for <code>{'<ObjectId 1>'}</code>)
      </li>
      {MARKS.map((mark) => (
        <li>
          <span class={`glyph ${mark}`}>{GLYPHS[mark]}</span> {MEANINGS[mark]}
        </li>
      ))}
      <li>
        <span class="dot orphan">
          <span class="disc">?</span>
        </span>
        an orphan: a document on a shard that does not own its chunk
      </li>
    </ul>
  );
}
