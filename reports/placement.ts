/** Where the documents of an experiment's collections are, for a record whose steps do not tell it. */
import { isDeepStrictEqual } from 'node:util';
import type { CollectionPlacement, ResultRecord } from '../experiments/harness/record.ts';
import type { Heading, Part } from './contents.ts';
import { shellLine } from './shell-text.ts';
import { alignedTable, code } from './words.ts';

/** The parts of a page that show it; none when no collection was sharded. */
export function placementParts({ before, after }: ResultRecord['placement'], shards: readonly string[]): Part[] {
  if (after.length === 0) return [];
  const parts = after.flatMap((now) => {
    const was = before.find(({ collection }) => collection === now.collection);
    return [heading(now), ...chunks(was, now), documents(was, now, shards)];
  });
  return [{ level: 2, text: 'Where the documents are' }, ...parts];
}

function heading({ collection, key, unique }: CollectionPlacement): Heading {
  return { level: 3, text: `${code(collection)}, sharded by ${code(shellLine(key))}${unique ? ', unique' : ''}` };
}

function chunks(was: CollectionPlacement | undefined, now: CollectionPlacement): string[] {
  if (!was || isDeepStrictEqual(was.chunks, now.chunks)) return [chunkTable(now)];
  return ['At the start:', chunkTable(was), 'At the end:', chunkTable(now)];
}

function chunkTable({ chunks }: CollectionPlacement): string {
  const rows = chunks.map(({ min, max, shard }) => [code(shellLine(min)), code(shellLine(max)), code(shard)]);
  return alignedTable([['from', 'to below', 'shard'], ...rows]);
}

function documents(was: CollectionPlacement | undefined, now: CollectionPlacement, shards: readonly string[]): string {
  const row = (when: string, placed: CollectionPlacement | undefined) => [
    when,
    ...shards.map((one) => countOn(one, placed)),
  ];
  return alignedTable([['documents', ...shards.map(code)], row('at the start', was), row('at the end', now)]);
}

function countOn(shard: string, placed: CollectionPlacement | undefined): string {
  return String(placed?.documents.find((one) => one.shard === shard)?.count ?? '–');
}
