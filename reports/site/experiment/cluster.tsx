/** The cluster after a step: a column for each shard, rows for each collection. */
import type { CollectionState } from '../../../experiments/harness/record.ts';
import type { Change, CollectionChange, StepStates } from '../../changes.ts';
import { GLYPHS, markOf } from '../../marks.ts';
import { type Refusal, refusedText } from '../../refusals.ts';
import { shellLine } from '../../shell-text.ts';
import { plural } from '../../words.ts';
import { Indexes } from './indexes.tsx';
import { ShardContent } from './shard-content.tsx';
import { brief } from './short-text.ts';

/** @param props.shards names of all shards; the first is the primary shard of the scratch database */
export function ClusterMap(props: { states: StepStates; shards: readonly string[] }) {
  if (props.shards.length <= SIDE_BY_SIDE) return <ClusterTable {...props} />;
  return (
    // What scrolls has to be reached by the keyboard, and is no landmark.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div class="scrolls" role="group" aria-label="Shards, side by side" tabindex={0}>
      <ClusterTable {...props} />
    </div>
  );
}

/** More shards than these may be wider than the page. */
const SIDE_BY_SIDE = 2;

function ClusterTable({ states, shards }: { states: StepStates; shards: readonly string[] }) {
  const { step, after, changes } = states;
  const vanished = changes.filter((change) => change.what === 'collection' && change.how === 'vanished');
  return (
    <table class="map">
      <caption class="unseen">What each shard holds, step {step.number}</caption>
      <thead>
        <tr>
          {shards.map((shard, i) => (
            <th scope="col">
              {shard}
              {i === 0 && <span class="primary"> primary</span>}
            </th>
          ))}
        </tr>
      </thead>
      {after.map((state) => (
        <CollectionRows {...{ state, shards, states }} />
      ))}
      {vanished.map(({ collection }) => (
        <tbody>
          <tr>
            <th class="collection" scope="rowgroup" colspan={shards.length}>
              <code>{collection}</code> <span class="mark gone">{GLYPHS.gone} gone</span>
            </th>
          </tr>
        </tbody>
      ))}
    </table>
  );
}

interface CollectionProps {
  readonly state: CollectionState;
  readonly shards: readonly string[];
  readonly states: StepStates;
}

function CollectionRows({ state, shards, states }: CollectionProps) {
  const changes = states.changes.filter(({ collection }) => collection === state.collection);
  const before = states.before.find(({ collection }) => collection === state.collection);
  const on = (name: string) =>
    state.shards.find(({ shard }) => shard === name) ?? { shard: name, indexes: [], documents: [] };
  return (
    <tbody>
      <tr>
        <th class="collection" scope="rowgroup" colspan={shards.length}>
          <CollectionHead state={state} changes={changes} />
          <Refusals refusals={changes.filter((change) => change.what === 'refused')} />
        </th>
      </tr>
      <tr>
        {shards.map((shard) => (
          <td>
            <ShardContent shard={on(shard)} state={state} changes={changes} />
          </td>
        ))}
      </tr>
      <tr class="indexes">
        {shards.map((name) => (
          <td>
            <Indexes shard={on(name)} before={before?.shards.find(({ shard }) => shard === name)} changes={changes} />
          </td>
        ))}
      </tr>
    </tbody>
  );
}

function CollectionHead({ state, changes }: { state: CollectionState; changes: readonly Change[] }) {
  const { collection, sharded } = state;
  const change = changes.find((one) => one.what === 'collection');
  return (
    <>
      <code>{collection}</code>{' '}
      <span class="key">
        {sharded ? (
          <>
            sharded by <code>{shellLine(sharded.key)}</code>
            {sharded.unique && ', unique'}
          </>
        ) : (
          'not sharded'
        )}
      </span>{' '}
      {change && <CollectionMark change={change} />}
    </>
  );
}

function CollectionMark({ change }: { change: CollectionChange }) {
  const mark = markOf(change);
  return (
    <span class={`mark ${mark}`}>
      {GLYPHS[mark]} {change.how === 'appeared' ? 'new' : change.how}
    </span>
  );
}

/** Which shard refused it, a reply through the router does not say: they stand beside the collection. */
function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  if (refusals.length === 0) return null;
  const shown = refusals.slice(0, SHOWN);
  return (
    <ul class="refusals">
      {shown.map((refusal) => (
        <li class="mark refused">
          {GLYPHS.refused} {refusal.document ? <code>{brief(refusal.document)}</code> : refusal.command}{' '}
          {refusedText(refusal)}
        </li>
      ))}
      {refusals.length > SHOWN && <li>and {plural(refusals.length - SHOWN, 'more refusal')}</li>}
    </ul>
  );
}

const SHOWN = 5;
