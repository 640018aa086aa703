/** The documents behind the dots, whole, for those who cannot point at a dot. */
import type { CollectionState } from '../../experiments/harness/record.ts';
import { shellLine } from '../shell-text.ts';
import { plural } from '../words.ts';

export function AllDocuments({ collections }: { collections: readonly CollectionState[] }) {
  const lists = collections.flatMap(({ collection, shards }) =>
    shards.flatMap(({ shard, documents = [] }) => (documents.length > 0 ? [{ collection, shard, documents }] : [])),
  );
  const count = lists.reduce((sum, { documents }) => sum + documents.length, 0);
  if (count === 0) return null;
  return (
    <details class="documents">
      <summary>{plural(count, 'document')} in full</summary>
      <dl>
        {lists.map(({ collection, shard, documents }) => (
          <>
            <dt>
              <code>{collection}</code> on {shard}
            </dt>
            {documents.map(({ document }) => (
              <dd>
                <code>{shellLine(document)}</code>
              </dd>
            ))}
          </>
        ))}
      </dl>
    </details>
  );
}
