/** Where the documents of an experiment were, for records that say so only for its start and its end. */
import type { CollectionPlacement, ResultRecord } from '../../../experiments/harness/record.ts';
import { documentsText } from '../../diagram-labels.ts';
import { shellLine } from '../../shell-text.ts';
import { rangeText } from './short-text.ts';

interface Props {
  readonly placement: ResultRecord['placement'];
  readonly shards: readonly string[];
}

export function Placement({ placement: { before, after }, shards }: Props) {
  if (after.length === 0) return null;
  return (
    <>
      <h2>Where the documents are</h2>
      {after.map((now) => (
        <Placed was={before.find(({ collection }) => collection === now.collection)} now={now} shards={shards} />
      ))}
    </>
  );
}

interface PlacedProps {
  readonly was: CollectionPlacement | undefined;
  readonly now: CollectionPlacement;
  readonly shards: readonly string[];
}

function Placed({ was, now, shards }: PlacedProps) {
  return (
    <table class="placement">
      <caption>
        <code>{now.collection}</code>, sharded by <code>{shellLine(now.key)}</code>
        {now.unique && ', unique'}
      </caption>
      <thead>
        <tr>
          <td />
          {shards.map((shard) => (
            <th scope="col">{shard}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {was && <PlacementRow when="at the start" placed={was} shards={shards} />}
        <PlacementRow when="at the end" placed={now} shards={shards} />
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly when: string;
  readonly placed: CollectionPlacement;
  readonly shards: readonly string[];
}

function PlacementRow({ when, placed, shards }: RowProps) {
  const countOn = (shard: string) => placed.documents.find((one) => one.shard === shard)?.count;
  return (
    <tr>
      <th scope="row">{when}</th>
      {shards.map((shard) => (
        <td>
          <p>{documentsText(countOn(shard))}</p>
          {placed.chunks
            .filter((chunk) => chunk.shard === shard)
            .map((chunk) => (
              <p>
                <code>{rangeText(chunk, placed.key)}</code>
              </p>
            ))}
        </td>
      ))}
    </tr>
  );
}
