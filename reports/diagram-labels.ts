/** The words of a diagram: short enough for their place in it, and the whole of it as a sentence. */
import type { Chunk, CollectionState, Json, JsonObject, ShardState } from '../experiments/harness/record.ts';
import type { Change } from './changes.ts';
import { CHARACTER } from './diagram-style.ts';
import { shellLine } from './shell-text.ts';
import { cut, joined, plural } from './words.ts';

/** The bounds between a collection's columns, one more than it has chunks; each value of a compound key with a comma between. */
export function boundsOf(chunks: readonly Chunk[]): string[] {
  const last = chunks.at(-1);
  return last ? [...chunks.map(({ min }) => min), last.max].map(boundText) : [];
}

function boundText(bound: JsonObject): string {
  return Object.values(bound).map(valueText).join(', ');
}

function valueText(value: Json): string {
  return shellLine(value)
    .replace(/^(\w+Key)\(\)$/, '$1')
    .replace(/^Long\("(.*)"\)$/, '$1');
}

/** What a document is known by: its `_id`, `#2` for `<ObjectId 2>`. */
export function documentLabel({ _id = null }: JsonObject): string {
  const text = typeof _id === 'string' ? _id : shellLine(_id);
  return text.replace(/^<ObjectId (\d+)>$/, '#$1');
}

/** `uid_1_email_1 (unique)` */
export function indexLabel(index: JsonObject): string {
  const kinds = indexKinds(index);
  return `${String(index.name)}${kinds.length > 0 ? ` (${kinds.join(', ')})` : ''}`;
}

/** What makes an index special, as its specification has it: `unique`, `partial` … */
export function indexKinds(index: JsonObject): string[] {
  return INDEX_KINDS.filter((kind) => index[kind]).map((kind) => kind.replace('FilterExpression', ''));
}

const INDEX_KINDS = ['unique', 'partialFilterExpression', 'sparse', 'hidden', 'collation', 'prepareUnique'];

/** `sharded by { uid: 1 }, unique` */
export function shardingText({ sharded }: CollectionState): string {
  return sharded ? `sharded by ${shellLine(sharded.key)}${sharded.unique ? ', unique' : ''}` : 'not sharded';
}

/** As much of a text as fits into so many pixels. */
export function fitted(text: string, width: number): string {
  return cut(text, Math.max(1, Math.floor(width / CHARACTER)));
}

/** The first of these texts that fits into so many pixels; of the last, as much as does. */
export function fitting(texts: readonly string[], width: number): string {
  return texts.find((text) => [...text].length * CHARACTER <= width) ?? fitted(texts.at(-1) ?? '', width);
}

export function countText({ count }: ShardState): string {
  return count === undefined ? 'not told' : plural(count, 'doc');
}

/** For people who do not see it: what changed in these collections, and what each shard holds before and after where that differs. */
export function alternativeText(
  before: readonly CollectionState[],
  after: readonly CollectionState[],
  changes: readonly Change[],
): string {
  const names = [...new Set([...before, ...after].map(({ collection }) => collection))].sort();
  return names.map((name) => sentence(name, before.find(isNamed(name)), after.find(isNamed(name)), changes)).join(' ');
}

export const isNamed = (name: string) => (one: { readonly collection: string }) => one.collection === name;

function sentence(
  name: string,
  was: CollectionState | undefined,
  now: CollectionState | undefined,
  changes: readonly Change[],
): string {
  const words = changeWords(changes.filter(isNamed(name)));
  const [held, holds] = [was && holdings(was), now && holdings(now)];
  const told = held === holds ? [] : [held && `Before: ${held}.`, holds && `After: ${holds}.`];
  return [`${name}: ${words}.`, ...told].filter(Boolean).join(' ');
}

/** `sh0 1 chunk, 2 documents; sh1 nothing` */
function holdings({ shards, chunks }: CollectionState): string {
  return shards.map((shard) => `${shard.shard} ${held(shard, chunks)}`).join('; ');
}

function held({ shard, count }: ShardState, chunks: readonly Chunk[]): string {
  const owned = chunks.filter((chunk) => chunk.shard === shard).length;
  const told = [owned > 0 && plural(owned, 'chunk'), count !== 0 && documentsText(count)].filter(Boolean);
  return told.join(', ') || 'nothing';
}

/** Of a shard whose documents may be left to chance. */
export function documentsText(count: number | undefined): string {
  return count === undefined ? 'an untold number of documents' : plural(count, 'document');
}

/** Each kind of change once, with how many things it happened to. What a collection held goes without saying where itself came or went. */
function changeWords(changes: readonly Change[]): string {
  const whole = changes.find((change) => change.what === 'collection');
  if (whole) return `the collection ${whole.how === 'sharded' ? 'is sharded' : whole.how}`;
  const said = changes.flatMap(wordsOf);
  const kinds = [...new Set(said.map(({ words }) => words))];
  return joined(
    kinds.map((words) =>
      sumText(
        words,
        said.filter((one) => one.words === words),
      ),
    ),
  );
}

/** What happened, and where if the same can happen on several shards. */
interface Happening {
  readonly words: string;
  readonly shard?: string;
}

/** `one document arrived on sh0`, `2 documents arrived on sh0`, `index a_1 appeared on sh0 and sh1` */
function sumText(words: string, happenings: readonly Happening[]): string {
  const shards = happenings.flatMap(({ shard }) => shard ?? []);
  if (shards.length > 0) return `${words} on ${joined(shards)}`;
  if (!/^(?:chunk|document) /.test(words)) return words;
  const { length } = happenings;
  return length === 1 ? `one ${words}` : words.replace(/^\w+/, (noun) => plural(length, noun));
}

function wordsOf(change: Change): Happening[] {
  switch (change.what) {
    case 'chunk':
      return [
        { words: change.how === 'moved' ? `chunk moved from ${change.from} to ${change.to}` : `chunk ${change.how}` },
      ];
    case 'index':
      return [{ words: `index ${change.index} ${change.how}`, shard: change.shard }];
    case 'count':
      return [{ words: `${change.shard} went from ${change.before} to ${plural(change.after, 'document')}` }];
    case 'document':
      return [{ words: `document ${documentWords(change)}` }];
    default:
      return [];
  }
}

function documentWords(change: Extract<Change, { what: 'document' }>): string {
  if (change.how === 'arrived') return `arrived on ${change.after.shard}`;
  if (change.how === 'left') return `left ${change.before.shard}`;
  const { how, before, after } = change;
  return how === 'moved' ? `moved from ${before.shard} to ${after.shard}` : `changed on ${after.shard}`;
}
