/** The indexes of a collection on one shard, those that the step took away included. */
import type { JsonObject, ShardState } from '../../../experiments/harness/record.ts';
import type { Change } from '../../changes.ts';
import { indexKinds } from '../../diagram-labels.ts';
import { GLYPHS, type Mark, markOf } from '../../marks.ts';
import { shellLine } from '../../shell-text.ts';

interface Props {
  readonly shard: ShardState;
  /** Before the step; undefined where the collection is new, as all of its indexes then are. */
  readonly before: ShardState | undefined;
  /** Of this collection. */
  readonly changes: readonly Change[];
}

export function Indexes({ shard, before, changes }: Props) {
  const markOn = ({ name }: JsonObject) => {
    const change = changes.find((one) => one.what === 'index' && one.shard === shard.shard && one.index === name);
    return before && change && markOf(change);
  };
  const shown = [...shard.indexes, ...(before?.indexes ?? []).filter((index) => markOn(index) === 'gone')];
  if (shown.length === 0) return null;
  return (
    <>
      <p class="bounds">indexes</p>
      <ul class="chips">
        {shown.map((index) => (
          <IndexChip index={index} mark={markOn(index)} />
        ))}
      </ul>
    </>
  );
}

function IndexChip({ index, mark }: { index: JsonObject; mark: Mark | undefined }) {
  return (
    <li class={`chip ${mark ?? ''}`} title={shellLine(index)}>
      {mark && (
        <>
          <span aria-hidden="true">{GLYPHS[mark]} </span>
          <span class="unseen">{mark}: </span>
        </>
      )}
      <code>{String(index.name)}</code>
      {indexKinds(index).map((kind) => (
        <em> {kind}</em>
      ))}
    </li>
  );
}
