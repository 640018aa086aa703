/** The indexes of a collection on one shard, those that the step took away included. */
import type { Json, JsonObject, ShardState } from '../../experiments/harness/record.ts';
import { shellLine } from '../shell-text.ts';
import { GLYPHS, type Mark } from './marks.ts';

export function Indexes({ shard, before }: { shard: ShardState; before: ShardState | undefined }) {
  const was = before?.indexes ?? [];
  const vanished = was.filter(({ name }) => !named(shard.indexes, name));
  if (shard.indexes.length + vanished.length === 0) return null;
  return (
    <>
      <p class="bounds">indexes</p>
      <ul class="chips">
        {shard.indexes.map((index) => (
          <IndexChip index={index} mark={before && markAgainst(named(was, index.name), index)} />
        ))}
        {vanished.map((index) => (
          <IndexChip index={index} mark="gone" />
        ))}
      </ul>
    </>
  );
}

function named(indexes: readonly JsonObject[], name: Json | undefined): JsonObject | undefined {
  return indexes.find((index) => index.name === name);
}

function markAgainst(was: JsonObject | undefined, index: JsonObject): Mark | undefined {
  if (!was) return 'new';
  return shellLine(was) === shellLine(index) ? undefined : 'changed';
}

const MARK_WORDS: Readonly<Partial<Record<Mark, string>>> = { new: 'new', changed: 'changed', gone: 'gone' };

function IndexChip({ index, mark }: { index: JsonObject; mark: Mark | undefined }) {
  return (
    <li class={`chip ${mark ?? ''}`} title={shellLine(index)}>
      {mark && (
        <>
          <span aria-hidden="true">{GLYPHS[mark]} </span>
          <span class="unseen">{MARK_WORDS[mark]}: </span>
        </>
      )}
      <code>{String(index.name)}</code>
      {traits(index).map((trait) => (
        <em> {trait}</em>
      ))}
    </li>
  );
}

/** Field of an index specification and the word for it. */
const TRAITS: readonly (readonly [field: string, word: string])[] = [
  ['unique', 'unique'],
  ['prepareUnique', 'prepared to be unique'],
  ['sparse', 'sparse'],
  ['partialFilterExpression', 'partial'],
  ['collation', 'collated'],
  ['hidden', 'hidden'],
];

function traits(index: JsonObject): string[] {
  return TRAITS.flatMap(([field, word]) => (index[field] ? [word] : []));
}
