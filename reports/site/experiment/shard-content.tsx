/** What one shard holds of a collection: its chunks, and the documents in them. */
import type { Chunk, CollectionState, ShardState } from '../../../experiments/harness/record.ts';
import type { Change, ChunkChange } from '../../changes.ts';
import { GLYPHS, markOf } from '../../marks.ts';
import { plural } from '../../words.ts';
import { type Dot, Dots } from './dots.tsx';
import { rangeText } from './short-text.ts';

interface Props {
  readonly shard: ShardState;
  readonly state: CollectionState;
  /** Those of this collection. */
  readonly changes: readonly Change[];
}

export function ShardContent({ shard, state, changes }: Props) {
  const { chunks, sharded } = state;
  const dots = dotsOn(shard, changes);
  const isHere = shard.indexes.length > 0 || dots.length > 0;
  const orphans = dots.filter(({ chunk }) => chunk !== undefined && chunks[chunk]?.shard !== shard.shard);
  const nowhere = dots.filter(({ chunk }) => sharded && chunk === undefined);
  const owned = chunks.flatMap((chunk, i) => (chunk.shard === shard.shard ? [{ chunk, i }] : []));
  return (
    <>
      {owned.length > 0 && (
        <ul class="chunks">
          {owned.map(({ chunk, i }) => (
            <li class="chunk">
              <Bounds chunk={chunk} state={state} changes={changes} />
              <Dots dots={dots.filter((dot) => dot.chunk === i)} />
            </li>
          ))}
        </ul>
      )}
      {!sharded && isHere && (
        <div class="chunk">
          {shard.documents?.length === 0 && <p class="nothing">no document</p>}
          <Dots dots={dots} />
        </div>
      )}
      {sharded && owned.length === 0 && <p class="nothing">no chunk</p>}
      {!sharded && !isHere && <p class="nothing">not here</p>}
      <Apart kind="orphans" words="orphans: their chunk is another shard’s" dots={orphans} isOwned={false} />
      <Apart kind="nowhere" words="in no chunk: an array is no shard key" dots={nowhere} />
      <Apart kind="left" words="gone" dots={goneFrom(shard, changes)} />
      <Count shard={shard} changes={changes} />
    </>
  );
}

function dotsOn({ shard, documents = [] }: ShardState, changes: readonly Change[]): Dot[] {
  const fresh = changes.flatMap((change) =>
    change.what === 'document' && change.how !== 'left' && change.after.shard === shard
      ? [[change.after.at, change] as const]
      : [],
  );
  const changeAt = new Map(fresh);
  return documents.map((document, at) => ({ ...document, change: changeAt.get(at) }));
}

function goneFrom({ shard }: ShardState, changes: readonly Change[]): Dot[] {
  return changes.flatMap((change) =>
    change.what === 'document' && change.how === 'left' && change.before.shard === shard
      ? [{ document: change.before.document, change }]
      : [],
  );
}

function Bounds({ chunk, state, changes }: { chunk: Chunk } & Omit<Props, 'shard'>) {
  const isAllNew = changes.some((one) => one.what === 'collection' && one.how === 'appeared');
  const change = changes.find((one) => one.what === 'chunk' && one.how !== 'vanished' && one.chunk === chunk);
  return (
    <p class="bounds">
      <code>{rangeText(chunk, state.sharded?.key ?? {})}</code>{' '}
      {change && !isAllNew && <ChunkMark change={change as ChunkChange} />}
    </p>
  );
}

function ChunkMark({ change }: { change: ChunkChange }) {
  const mark = markOf(change);
  return (
    <span class={`mark ${mark}`}>
      {GLYPHS[mark]} {change.how === 'moved' ? `from ${change.from}` : 'new'}
    </span>
  );
}

/** Documents that are in none of the shard's chunks. */
function Apart({ kind, words, ...dots }: { kind: string; words: string; dots: readonly Dot[]; isOwned?: boolean }) {
  if (dots.dots.length === 0) return null;
  return (
    <div class={`apart ${kind}`}>
      <p class="bounds">{words}</p>
      <Dots {...dots} />
    </div>
  );
}

/** Where documents are not shown one by one. */
function Count({ shard: { shard, count, documents, indexes }, changes }: Omit<Props, 'state'>) {
  if (documents || indexes.length === 0) return null;
  const change = changes.find((one) => one.what === 'count' && one.shard === shard);
  return (
    <p class="count">
      {count === undefined ? 'How many documents is left to chance.' : plural(count, 'document')}{' '}
      {change?.what === 'count' && (
        <span class="mark changed">
          {GLYPHS.changed} {change.before} before
        </span>
      )}
    </p>
  );
}
