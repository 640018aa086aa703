/** What each step of an experiment changed in the cluster: what a viewer marks. */
import type {
  Chunk,
  CollectionState,
  Json,
  JsonObject,
  ResultRecord,
  ShardState,
  StepRecord,
} from '../experiments/harness/record.ts';
import { type Refusal, refusalsIn } from './refusals.ts';

/** A step with the collections before and after it, and what is different. */
export interface StepStates {
  readonly step: StepRecord;
  readonly before: readonly CollectionState[];
  readonly after: readonly CollectionState[];
  /** By collection in the order of their names: the collection itself, chunks, indexes, documents, counts; what was refused comes last. */
  readonly changes: readonly Change[];
}

/** One thing that is different, or was refused. Of a collection that appeared or vanished all that it holds appeared or vanished, too. */
export type Change = CollectionChange | ChunkChange | IndexChange | DocumentChange | CountChange | Refusal;

/** `sharded` is also said of a collection that exchanged its shard key. */
export interface CollectionChange {
  readonly what: 'collection';
  readonly how: 'appeared' | 'vanished' | 'sharded' | 'unsharded';
  readonly collection: string;
}

/** A split makes one chunk vanish and two appear; `moved` is said of a chunk with the bounds that it had. */
export type ChunkChange = {
  readonly what: 'chunk';
  readonly collection: string;
  /** As it is after the step; one that vanished, as it was before. */
  readonly chunk: Chunk;
} & ({ readonly how: 'appeared' | 'vanished' } | { readonly how: 'moved'; readonly from: string; readonly to: string });

/** An index on one shard. */
export interface IndexChange {
  readonly what: 'index';
  readonly how: 'appeared' | 'vanished' | 'changed';
  readonly collection: string;
  readonly shard: string;
  /** Its name. */
  readonly index: string;
}

/**
 * A document of one shard, known there by its `_id`. `moved` is one that is gone from a shard and new on another: the same content or else,
 * as when its shard key was updated, the same `_id`.
 */
export type DocumentChange = { readonly what: 'document'; readonly collection: string } & (
  | { readonly how: 'arrived'; readonly after: Place }
  | { readonly how: 'changed' | 'moved'; readonly before: Place; readonly after: Place }
  | { readonly how: 'left'; readonly before: Place }
);

/** Where a document is in the collections before or after a step. */
export interface Place {
  readonly shard: string;
  /** Its place among the shard's documents, from 0. */
  readonly at: number;
  readonly document: JsonObject;
}

/** Documents of a shard of which at least once no more than the number is known. */
interface CountChange {
  readonly what: 'count';
  readonly collection: string;
  readonly shard: string;
  readonly before: number;
  readonly after: number;
}

/** Steps of a record with what they changed; undefined for a record in which states were not looked at. */
export function stepStates({ steps }: ResultRecord): readonly StepStates[] | undefined {
  if (!steps.some(({ state }) => state)) return undefined;
  let before: readonly CollectionState[] = [];
  return steps.map((step) => {
    const after = step.state ?? before;
    const changes = [...differences(before, after), ...step.exchanges.flatMap(refusalsIn)];
    const states = { step, before, after, changes };
    before = after;
    return states;
  });
}

function differences(before: readonly CollectionState[], after: readonly CollectionState[]): Change[] {
  if (before === after) return [];
  const names = [...new Set([...before, ...after].map(({ collection }) => collection))].sort();
  return names.flatMap((name) => {
    const [was, now] = [before, after].map((states) => states.find(({ collection }) => collection === name));
    return [...ofCollection(name, was, now), ...ofContent(was ?? nothing(name, now), now ?? nothing(name, was))];
  });
}

function ofCollection(collection: string, was?: CollectionState, now?: CollectionState): CollectionChange[] {
  if (!was) return [{ what: 'collection', how: 'appeared', collection }];
  if (!now) return [{ what: 'collection', how: 'vanished', collection }];
  if (isSame(was.sharded, now.sharded)) return [];
  return [{ what: 'collection', how: now.sharded ? 'sharded' : 'unsharded', collection }];
}

/** A collection that is not there, on the shards of its other state. */
function nothing(collection: string, other: CollectionState | undefined): CollectionState {
  const shards = (other?.shards ?? []).map(({ shard }) => ({ shard, count: 0, indexes: [], documents: [] }));
  return { collection, chunks: [], shards };
}

function ofContent(was: CollectionState, now: CollectionState): Change[] {
  const { collection } = now;
  const pairs = now.shards.map((shard) => [shardOf(was, shard.shard), shard] as const);
  return [
    ...ofChunks(collection, was.chunks, now.chunks),
    ...pairs.flatMap(([one, other]) => ofIndexes(collection, one, other)),
    ...ofDocuments(collection, pairs),
    ...pairs.flatMap(([one, other]) => ofCount(collection, one, other)),
  ];
}

function shardOf({ shards }: CollectionState, name: string): ShardState {
  return shards.find(({ shard }) => shard === name) ?? { shard: name, count: 0, indexes: [], documents: [] };
}

function ofChunks(collection: string, was: readonly Chunk[], now: readonly Chunk[]): ChunkChange[] {
  const vanished = was.filter((chunk) => !now.some((other) => isSameRange(chunk, other)));
  return [
    ...vanished.map((chunk) => ({ what: 'chunk', how: 'vanished', collection, chunk }) as const),
    ...now.flatMap((chunk) => {
      const known = was.find((other) => isSameRange(chunk, other));
      return chunkChange(collection, chunk, known);
    }),
  ];
}

function chunkChange(collection: string, chunk: Chunk, known: Chunk | undefined): ChunkChange[] {
  if (!known) return [{ what: 'chunk', how: 'appeared', collection, chunk }];
  if (known.shard === chunk.shard) return [];
  return [{ what: 'chunk', how: 'moved', collection, chunk, from: known.shard, to: chunk.shard }];
}

/** Whether two chunks have the same bounds, whoever owns them. */
export function isSameRange(one: Chunk, other: Chunk): boolean {
  return isSame(one.min, other.min) && isSame(one.max, other.max);
}

function ofIndexes(collection: string, was: ShardState, now: ShardState): IndexChange[] {
  const names = [...new Set([...was.indexes, ...now.indexes].map(({ name }) => String(name)))].sort();
  return names.flatMap((index) => {
    const [one, other] = [was, now].map(({ indexes }) => indexes.find(({ name }) => name === index));
    if (isSame(one, other)) return [];
    const how = !one ? 'appeared' : other ? 'changed' : 'vanished';
    return [{ what: 'index', how, collection, shard: now.shard, index }];
  });
}

type Pair = readonly [was: ShardState, now: ShardState];

/** Of the shards whose documents are known before and after. */
function ofDocuments(collection: string, pairs: readonly Pair[]): DocumentChange[] {
  const known = pairs.filter(areKnown).map(([was, now]) => ({ was: placesOf(was), now: placesOf(now) }));
  const changed = known.flatMap(({ was, now }) => changedOn(was, now));
  const gone = known.flatMap(({ was, now }) => without(was, now));
  const fresh = known.flatMap(({ was, now }) => without(now, was));
  const moved = movesAmong(gone, fresh);
  const [from, to] = [new Set(moved.map(({ before }) => before)), new Set(moved.map(({ after }) => after))];
  const head = { what: 'document', collection } as const;
  return [
    ...changed.map((places) => ({ ...head, how: 'changed', ...places }) as const),
    ...moved.map((places) => ({ ...head, how: 'moved', ...places }) as const),
    ...gone.filter((place) => !from.has(place)).map((before) => ({ ...head, how: 'left', before }) as const),
    ...fresh.filter((place) => !to.has(place)).map((after) => ({ ...head, how: 'arrived', after }) as const),
  ];
}

function areKnown([was, now]: Pair): boolean {
  return was.documents !== undefined && now.documents !== undefined;
}

/** Those of a shard by their `_id`s. */
type PlacesById = ReadonlyMap<string, Place>;

function placesOf({ shard, documents = [] }: ShardState): PlacesById {
  return new Map(documents.map(({ document }, at) => [textOf(document._id), { shard, at, document }]));
}

interface Places {
  readonly before: Place;
  readonly after: Place;
}

function changedOn(was: PlacesById, now: PlacesById): Places[] {
  return [...was].flatMap(([id, before]) => {
    const after = now.get(id);
    return after && !isSame(before.document, after.document) ? [{ before, after }] : [];
  });
}

function without(places: PlacesById, others: PlacesById): Place[] {
  return [...places].flatMap(([id, place]) => (others.has(id) ? [] : [place]));
}

/** First those of the same content. */
function movesAmong(gone: readonly Place[], fresh: readonly Place[]): Places[] {
  const moves: Places[] = [];
  const taken = new Set<Place>();
  for (const sameText of [({ document }: Place) => textOf(document), ({ document }: Place) => textOf(document._id)]) {
    const arrived = grouped(fresh, sameText);
    for (const before of gone.filter((place) => !taken.has(place))) {
      const fitting = arrived.get(sameText(before)) ?? [];
      const after = fitting.find((place) => !taken.has(place) && place.shard !== before.shard);
      if (!after) continue;
      taken.add(before).add(after);
      moves.push({ before, after });
    }
  }
  return moves;
}

function grouped(places: readonly Place[], by: (place: Place) => string): ReadonlyMap<string, readonly Place[]> {
  const groups = new Map<string, Place[]>();
  for (const place of places) {
    const text = by(place);
    const group = groups.get(text);
    if (group) group.push(place);
    else groups.set(text, [place]);
  }
  return groups;
}

function ofCount(collection: string, was: ShardState, now: ShardState): CountChange[] {
  if (areKnown([was, now])) return [];
  if (was.count === undefined || now.count === undefined || was.count === now.count) return [];
  return [{ what: 'count', collection, shard: now.shard, before: was.count, after: now.count }];
}

/** The order of fields counts, as it does in BSON. */
function isSame(one: Json | object | undefined, other: Json | object | undefined): boolean {
  return textOf(one) === textOf(other);
}

function textOf(value: Json | object | undefined): string {
  return JSON.stringify(value) ?? '';
}
