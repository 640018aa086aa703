/** Documents as dots: labelled with their `_id`, named by the whole document, marked by what became of them in the step. */
import type { DocumentState } from '../../../experiments/harness/record.ts';
import type { DocumentChange } from '../../changes.ts';
import { GLYPHS, type Mark, markOf } from '../../marks.ts';
import { brief, label } from './short-text.ts';

/** A document and what the step did to it. */
export interface Dot extends DocumentState {
  readonly change?: DocumentChange | undefined;
}

export function Dots({ dots, isOwned = true }: { dots: readonly Dot[]; isOwned?: boolean }) {
  if (dots.length === 0) return null;
  return (
    <ul class="dots">
      {dots.map((dot) => (
        <DotItem {...dot} isOwned={isOwned} />
      ))}
    </ul>
  );
}

function DotItem({ document, change, isOwned }: Dot & { isOwned: boolean }) {
  const mark = change && markOf(change);
  const said = [brief(document), change && became(change), !isOwned && 'an orphan'].filter(Boolean).join(', ');
  return (
    <li>
      <span class={['dot', mark, !isOwned && 'orphan'].filter(Boolean).join(' ')} role="img" title={said}>
        <span class="disc">{glyph(mark, isOwned)}</span>
        {label(document)}
        {change?.how === 'moved' && <span class="from">from {change.before.shard}</span>}
      </span>
    </li>
  );
}

function glyph(mark: Mark | undefined, isOwned: boolean): string {
  return mark ? GLYPHS[mark] : isOwned ? '' : '?';
}

function became(change: DocumentChange): string {
  return change.how === 'moved' ? `moved here from ${change.before.shard}` : `${change.how} in this step`;
}
