/** What stands behind dots and names of indexes, whole, for those who cannot point at them. */
import type { ComponentChildren } from 'preact';
import type { CollectionState } from '../../../experiments/harness/record.ts';
import { shellLine } from '../../shell-text.ts';
import { capitalised, joined, plural } from '../../words.ts';

export function InFull({ collections }: { collections: readonly CollectionState[] }) {
  const [documents, indexes] = [collections.flatMap(documentLists), collections.flatMap(indexLists)];
  if (documents.length + indexes.length === 0) return null;
  const count = documents.reduce((sum, { lines }) => sum + lines.length, 0);
  const held = [...(count > 0 ? [plural(count, 'document')] : []), ...(indexes.length > 0 ? ['indexes'] : [])];
  return (
    <details class="in-full">
      <summary>{capitalised(joined(held))} in full</summary>
      <dl>
        {[...documents, ...indexes].map(({ of, lines }) => (
          <>
            <dt>{of}</dt>
            {lines.map((line) => (
              <dd>
                <code>{line}</code>
              </dd>
            ))}
          </>
        ))}
      </dl>
    </details>
  );
}

interface List {
  readonly of: ComponentChildren;
  readonly lines: readonly string[];
}

function documentLists({ collection, shards }: CollectionState): List[] {
  return shards.flatMap(({ shard, documents = [] }) => {
    const lines = documents.map(({ document }) => shellLine(document));
    return lines.length > 0 ? [{ of: titled(collection, shard), lines }] : [];
  });
}

/** Those that the same shards have together. */
function indexLists({ collection, shards }: CollectionState): List[] {
  const held = shards.map(({ shard, indexes }) => ({ shard, lines: indexes.map(shellLine) }));
  const placeOf = (line: string) => joined(held.flatMap(({ shard, lines }) => (lines.includes(line) ? [shard] : [])));
  const lines = [...new Set(held.flatMap((one) => one.lines))];
  return [...new Set(lines.map(placeOf))].map((place) => ({
    of: titled(collection, place, 'indexes of '),
    lines: lines.filter((line) => placeOf(line) === place),
  }));
}

function titled(collection: string, place: string, what = '') {
  return (
    <>
      {what}
      <code>{collection}</code> on {place}
    </>
  );
}
