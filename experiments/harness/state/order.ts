/** Which chunk each document of a shard belongs to, and in which order a record lists them. */
import type { Document } from 'mongodb';
import { CommandError } from '../../../cluster/embedded/router/command.ts';
import { compareKeys, compareValues, NULL } from '../../../cluster/embedded/router/compare.ts';
import { keyOfDocument, parseShardKey, valueAt } from '../../../cluster/embedded/router/shard-key.ts';
import { decode, documentOf, elements, encode, type RawValue } from '../../../cluster/embedded/wire/bson.ts';
import type { PlacedChunk } from '../../../cluster/sharding.ts';
import type { Normalizer } from '../normalize.ts';
import type { SeenCollection } from './seen.ts';

/** A document with its chunk, from 0; undefined where no chunk can hold it. */
interface PlacedDocument {
  readonly document: Document;
  readonly chunk: number | undefined;
}

/**
 * By chunk (documents that none can hold come last), then by the values of the shard key's fields, then by `_id`. Ids that the
 * run made up compare by the numbers that they have got in the record, because which of them is greater may be chance.
 */
export function placed(
  documents: readonly Document[],
  { sharded, chunks }: Pick<SeenCollection, 'sharded' | 'chunks'>,
  tidy: Normalizer,
): PlacedDocument[] {
  const chunkOf = chunkFinder(sharded?.key ?? {}, chunks);
  const paths = [...Object.keys(sharded?.key ?? {}), '_id'];
  return documents
    .map((document) => {
      const bytes = encode(document);
      const values = paths.map((path) => valueAt(bytes, path) ?? NULL);
      return { document, chunk: chunkOf(bytes), values };
    })
    .sort((one, other) => byChunk(one.chunk, other.chunk) || byValues(one.values, other.values, tidy))
    .map(({ document, chunk }) => ({ document, chunk }));
}

/** The last chunk takes in its upper bound, MaxKey, too. */
function chunkFinder(pattern: Document, chunks: readonly PlacedChunk[]): (document: Buffer) => number | undefined {
  if (chunks.length === 0) return () => undefined;
  const fields = parseShardKey(encode(pattern));
  const bounds = chunks.map(({ min, max }) => ({ min: elements(encode(min)), max: elements(encode(max)) }));
  const last = chunks.length - 1;
  return (document) => {
    const key = keyOrNone(() => keyOfDocument(fields, document));
    const at = bounds.findIndex(
      ({ min, max }, i) => key && compareKeys(min, key) <= 0 && (i === last || compareKeys(key, max) < 0),
    );
    return at < 0 ? undefined : at;
  };
}

/** A document that came past the router may hold an array where the shard key is. */
function keyOrNone<T>(key: () => T): T | undefined {
  try {
    return key();
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

function byChunk(one = Number.POSITIVE_INFINITY, other = Number.POSITIVE_INFINITY): number {
  return one === other ? 0 : one - other;
}

function byValues(one: readonly RawValue[], other: readonly RawValue[], tidy: Normalizer): number {
  for (const [i, value] of one.entries()) {
    const order = byValue(value, other[i] ?? NULL, tidy);
    if (order !== 0) return order;
  }
  return 0;
}

function byValue(one: RawValue, other: RawValue, tidy: Normalizer): number {
  const [a, b] = [one, other].map((value) => tidy.numberOf(decode(documentOf([{ ...value, name: 'v' }])).v));
  return a !== undefined && b !== undefined && a !== b ? a - b : compareValues(one, other);
}
