/** What a step changed, in words: one line for what belongs together. */
import type { CollectionState, JsonObject, ShardState } from '../../../experiments/harness/record.ts';
import type { Change, ChunkChange, CollectionChange, DocumentChange, Place, StepStates } from '../../changes.ts';
import { type Mark, markOf } from '../../marks.ts';
import { refusalsIn, refusedText } from '../../refusals.ts';
import { code, joined, observedText, plural } from '../../words.ts';
import { brief, rangeText } from './short-text.ts';

/** One line, with code in backticks. */
export interface ChangeLine {
  readonly mark: Mark;
  readonly text: string;
}

/** In the order of the changes. */
export function changeLines(states: StepStates): ChangeLine[] {
  const whole = states.changes.filter((change) => change.what === 'collection');
  const told = states.changes.filter((change) => !whole.some((one) => comprises(one, change)));
  const phrases = told.map((change) => ({ mark: markOf(change), ...phraseOf(change, states) }));
  return [...grouped(phrases), ...refusedCommands(states)];
}

/** Those that are no writes of documents, like the creation of an index; the same refusal once. */
function refusedCommands({ step: { exchanges } }: StepStates): ChangeLine[] {
  const refused = exchanges.filter((one, i) => one.reply?.ok === 0 && refusalsIn(one, i).length === 0);
  const texts = refused.map(
    ({ command, reply }) => `${code(Object.keys(command)[0] ?? '')} refused: ${errorOf(reply)}`,
  );
  return [...new Set(texts)].map((text) => ({ mark: 'refused', text }));
}

function errorOf(reply: JsonObject | null): string {
  const { code: number, codeName } = reply ?? {};
  return observedText({
    ok: false,
    ...(number !== undefined && { code: Number(number) }),
    ...(codeName !== undefined && { codeName: String(codeName) }),
  });
}

/** What is said of a step that changed nothing of what is looked at. */
export function nothingChanged({ after }: StepStates): string {
  return after.some(({ shards }) => shards.some(isHidden))
    ? 'No chunk and no index changed.'
    : 'No chunk, index or document changed.';
}

/** Of which collections not all documents are shown, why not, and what cannot be seen for that reason. */
export function hiddenLines({ after }: StepStates): string[] {
  const hidden = after.flatMap(({ collection, shards }) =>
    shards.filter(isHidden).map(({ shard, count }) => ({ name: code(collection), shard, count })),
  );
  const raced = joinedOnce(hidden.filter(({ count }) => count === undefined).map(({ name }) => name));
  const counted = hidden.filter(({ count }) => count !== undefined);
  const [names, shards] = [joinedOnce(counted.map(({ name }) => name)), joinedOnce(counted.map(({ shard }) => shard))];
  return [
    raced &&
      `Since a race, chance decides which documents there are in ${raced}: neither they nor what becomes of them is shown.`,
    names && `Documents of ${names} are only counted on ${shards}: what leaves their number as it is does not show.`,
  ].filter(Boolean);
}

function joinedOnce(items: readonly string[]): string {
  return joined([...new Set(items)]);
}

/** It has documents, or may have some, that the record does not hold. */
function isHidden({ count, indexes, documents }: ShardState): boolean {
  return !documents && count !== 0 && indexes.length > 0;
}

/** What goes without saying beside the news of its collection. */
function comprises({ how, collection }: CollectionChange, { what, ...change }: Change): boolean {
  if (change.collection !== collection || what === 'collection') return false;
  if (how === 'vanished') return what !== 'refused';
  return how === 'appeared' && (what === 'chunk' || what === 'index');
}

/** A sentence on one thing; those that differ in the thing alone become one sentence on all of them. */
interface Phrase {
  readonly head?: string;
  readonly thing: string;
  readonly tail: string;
  /** What many such things are called. */
  readonly noun: string;
}

function phraseOf(change: Change, states: StepStates): Phrase {
  const name = code(change.collection);
  switch (change.what) {
    case 'collection':
      return { thing: name, tail: ` ${collectionWords(change, states)}`, noun: 'collection' };
    case 'chunk':
      return { head: `${name}, `, thing: rangeOf(change, states), tail: chunkWords(change), noun: 'chunk' };
    case 'index':
      return {
        head: `${name}, index ${code(change.index)} ${INDEX_WORDS[change.how]} `,
        thing: change.shard,
        tail: '',
        noun: 'shard',
      };
    case 'document':
      return documentPhrase(change);
    case 'count':
      return {
        head: `${name}, ${change.shard}: `,
        thing: plural(change.after, 'document'),
        tail: `, ${change.before} before`,
        noun: '',
      };
    case 'refused': {
      const thing = change.document ? code(brief(change.document)) : `the ${change.command}`;
      return { head: `${name}, `, thing, tail: ` ${refusedText(change)}`, noun: 'write' };
    }
  }
}

function collectionWords({ how, collection }: CollectionChange, { after }: StepStates): string {
  if (how === 'vanished') return 'is gone';
  if (how === 'unsharded') return 'is no longer sharded';
  const state = after.find((one) => one.collection === collection);
  const key = state?.sharded ? `sharded by ${code(brief(state.sharded.key))}` : 'not sharded';
  return how === 'sharded' ? `is ${key}` : `appeared: ${[key, ...parts(state)].join(', ')}`;
}

function parts(state: CollectionState | undefined): string[] {
  const { chunks = [], shards = [] } = state ?? {};
  const indexes = [...new Set(shards.flatMap((shard) => shard.indexes.map(({ name }) => code(String(name)))))];
  return [
    ...(chunks.length > 0 ? [plural(chunks.length, 'chunk')] : []),
    ...(indexes.length > 0 ? [`${indexes.length === 1 ? 'index' : 'indexes'} ${joined(indexes)}`] : []),
  ];
}

function rangeOf({ how, collection, chunk }: ChunkChange, { before, after }: StepStates): string {
  const state = (how === 'vanished' ? before : after).find((one) => one.collection === collection);
  return `chunk ${code(rangeText(chunk, state?.sharded?.key ?? {}))}`;
}

function chunkWords(change: ChunkChange): string {
  if (change.how === 'moved') return ` moved from ${change.from} to ${change.to}`;
  return change.how === 'appeared' ? ` new on ${change.chunk.shard}` : ` of ${change.chunk.shard} is no more`;
}

const INDEX_WORDS = { appeared: 'is new on', vanished: 'is gone from', changed: 'is changed on' } as const;

function documentPhrase(change: DocumentChange): Phrase {
  const [head, noun] = [`${code(change.collection)}, `, 'document'];
  const [before, after] = placesOf(change).map((place) => code(brief(place.document)));
  switch (change.how) {
    case 'arrived':
      return { head, thing: `${after}`, tail: ` arrived on ${change.after.shard}`, noun };
    case 'left':
      return { head, thing: `${before}`, tail: ` left ${change.before.shard}`, noun };
    case 'moved': {
      const thing = before === after ? `${before}` : `${before}, now ${after},`;
      return { head, thing, tail: ` moved from ${change.before.shard} to ${change.after.shard}`, noun };
    }
    case 'changed':
      return { head: `${head}changed on ${change.after.shard}: `, thing: `${before} became ${after}`, tail: '', noun };
  }
}

/** Before and after the step. */
function placesOf(change: DocumentChange): [Place, Place] {
  if (change.how === 'arrived') return [change.after, change.after];
  return [change.before, change.how === 'left' ? change.before : change.after];
}

/** More than these are only counted: the picture shows which. */
const NAMED = 3;

function grouped(phrases: readonly (Phrase & { mark: Mark })[]): ChangeLine[] {
  const groups = new Map<string, (Phrase & { mark: Mark })[]>();
  for (const phrase of phrases) {
    const key = JSON.stringify([phrase.mark, phrase.noun, phrase.head, phrase.tail]);
    groups.set(key, [...(groups.get(key) ?? []), phrase]);
  }
  return [...groups.values()].map(lineOf);
}

function lineOf(group: readonly (Phrase & { mark: Mark })[]): ChangeLine {
  const [{ mark, head = '', tail, noun }] = group as [Phrase & { mark: Mark }];
  const things = group.map(({ thing }) => thing);
  const words = things.length > 1 ? tail.replace(' is ', ' are ') : tail;
  return { mark, text: head + (things.length > NAMED ? plural(things.length, noun) : joined(things)) + words };
}
