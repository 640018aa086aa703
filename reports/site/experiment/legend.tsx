/** What dots and marks mean. */
import { GLYPHS, type Mark } from '../../marks.ts';

const MEANINGS: readonly (readonly [mark: Mark, meaning: string])[] = [
  ['new', 'new in this step'],
  ['changed', 'changed'],
  ['moved', 'moved'],
  ['gone', 'gone'],
  ['refused', 'refused'],
];

export function Legend() {
  return (
    <ul class="legend" aria-label="Legend">
      <li>
        <span class="dot">
          <span class="disc" />
        </span>
        <span>
          a document, labelled with its <code>_id</code> (<code>#1</code> for <code>{'<ObjectId 1>'}</code>)
        </span>
      </li>
      {MEANINGS.map(([mark, meaning]) => (
        <li>
          <span class={`glyph ${mark}`}>{GLYPHS[mark]}</span> {meaning}
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
