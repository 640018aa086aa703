/** The documents of several shards' cursors as one stream, in the order of the shards or of a sort. */
import { elements, field, number, type RawValue, Type, text } from '../../wire/bson.ts';
import { compareValues } from '../compare.ts';
import type { Batch } from './batch.ts';
import type { ShardCursor } from './shard-cursor.ts';

/** The name under which a shard sends the key a document sorts by, beside the document (`$sortKey`, AsyncResultsMerger::kSortKeyField). */
export const SORT_KEY = '$sortKey';

/** A stream of documents. Reading is synchronous while it is ready: waiting once per document is what a full scan cannot afford. */
export interface DocumentSource {
  /** Whether the next document, or the end, is known. */
  readonly isReady: boolean;
  /** Waits until ready. @param batchSize the client's, where it named one */
  fill(batchSize?: number): Promise<void>;
  /** The next document, `undefined` at the end; only when ready. */
  peek(): Buffer | undefined;
  /** Steps over the next document. */
  skip(): void;
  /** The batch that comes next and may be passed on whole, when ready; `undefined` where documents have to be picked. */
  readonly wholeBatch: Batch | undefined;
  /** Takes that batch. */
  takeWhole(): Buffer | undefined;
  /** Begins to fetch what will be needed next. */
  prefetch(batchSize?: number): void;
  drain(): Promise<void>;
  close(): Promise<void>;
}

abstract class Merge {
  protected readonly cursors: readonly ShardCursor[];

  constructor(cursors: readonly ShardCursor[]) {
    this.cursors = cursors;
  }

  prefetch(batchSize?: number): void {
    for (const cursor of this.cursors) cursor.prefetch(batchSize);
  }

  async drain(): Promise<void> {
    await Promise.all(this.cursors.map((cursor) => cursor.drain()));
  }

  async close(): Promise<void> {
    await Promise.all(this.cursors.map((cursor) => cursor.close()));
  }
}

/**
 * Batch by batch from each shard in turn. A server takes whichever shard answers first; a fixed turn gives one result the same
 * order every time.
 */
export class Concatenation extends Merge implements DocumentSource {
  #turn = 0;

  get isReady(): boolean {
    return this.#current?.isReady ?? true;
  }

  async fill(batchSize?: number): Promise<void> {
    while (!this.isReady) {
      this.prefetch(batchSize);
      await this.#current?.fill(batchSize);
    }
  }

  peek(): Buffer | undefined {
    return this.#current?.batch.peek();
  }

  skip(): void {
    const cursor = this.#current;
    cursor?.batch.take();
    if (cursor?.batch.isEmpty) this.#turn++;
  }

  get wholeBatch(): Batch | undefined {
    return this.#current?.batch;
  }

  takeWhole(): Buffer | undefined {
    const whole = this.#current?.takeWhole();
    if (whole) this.#turn++;
    return whole;
  }

  /** The cursor whose turn it is, past those that have nothing left. */
  get #current(): ShardCursor | undefined {
    for (let tried = 0; tried < this.cursors.length; tried++) {
      const cursor = this.cursors[this.#turn % this.cursors.length];
      if (cursor && !(cursor.isReady && cursor.isExhausted)) return cursor;
      this.#turn++;
    }
    return undefined;
  }
}

/** What a document sorts by, a value for each field of the sort. */
export type SortKey = readonly RawValue[];

interface Head {
  document: Buffer;
  key: SortKey;
}

/** By the sort keys that the shards send along; equal keys in the order of the shards. */
export class SortedMerge extends Merge implements DocumentSource {
  readonly wholeBatch = undefined;
  readonly #directions: readonly number[];
  readonly #heads = new Map<ShardCursor, Head>();

  /** @param directions 1 or -1 for each field of the sort */
  constructor(cursors: readonly ShardCursor[], directions: readonly number[]) {
    super(cursors);
    this.#directions = directions;
  }

  get isReady(): boolean {
    return this.cursors.every((cursor) => this.#heads.has(cursor) || cursor.isReady);
  }

  async fill(batchSize?: number): Promise<void> {
    const waited = this.cursors.filter((cursor) => !this.#heads.has(cursor));
    await Promise.all(waited.map((cursor) => cursor.fill(batchSize)));
  }

  peek(): Buffer | undefined {
    const first = this.#first();
    return first && this.#heads.get(first)?.document;
  }

  skip(): void {
    const first = this.#first();
    if (first) this.#heads.delete(first);
  }

  takeWhole(): undefined {
    return undefined;
  }

  #first(): ShardCursor | undefined {
    let first: ShardCursor | undefined;
    let least: Head | undefined;
    for (const cursor of this.cursors) {
      const head = this.#head(cursor);
      if (head && (!least || compareSortKeys(head.key, least.key, this.#directions) < 0)) {
        first = cursor;
        least = head;
      }
    }
    return first;
  }

  #head(cursor: ShardCursor): Head | undefined {
    const known = this.#heads.get(cursor);
    if (known || cursor.isExhausted) return known;
    const head = splitSortKey(cursor.batch.take());
    this.#heads.set(cursor, head);
    return head;
  }
}

/** The order of two documents by their sort keys. @param directions 1 or -1 for each field of the sort */
export function compareSortKeys(a: SortKey, b: SortKey, directions: readonly number[]): number {
  for (const [i, direction] of directions.entries()) {
    const order = compareValues(a[i] as RawValue, b[i] as RawValue);
    if (order !== 0) return order * direction;
  }
  return 0;
}

/** 1 or -1 for each field of a sort; by `$meta` the highest comes first, but for distances. */
export function directionsOf(sort: Buffer): number[] {
  return elements(sort).map((part) => {
    if (part.type !== Type.object) return (number(part) ?? 1) < 0 ? -1 : 1;
    return text(field(part.bytes, '$meta')) === 'geoNearDistance' ? 1 : -1;
  });
}

/** Parts a shard's document from the metadata behind it. The bytes are this router's own, so the document is cut where it lies. */
export function splitSortKey(sent: Buffer): Head {
  const sortKey = field(sent, SORT_KEY);
  if (!sortKey) throw new Error(`a shard sent a document without ${SORT_KEY}`);
  const end = metadataStart(sent, sortKey.bytes.byteOffset - sent.byteOffset - SORT_KEY.length - 2);
  sent.writeInt32LE(end + 1, 0);
  sent[end] = 0;
  const isDistance = sortKey.type !== Type.array; // of `$near`, which stands alone
  return { document: sent.subarray(0, end + 1), key: isDistance ? [sortKey] : elements(sortKey.bytes) };
}

/** Metadata that an aggregation sends before the sort key, last first; both are doubles (`Document::toBsonWithMetaData`). */
const BEFORE_SORT_KEY = ['$randVal', '$textScore'].map((name) => Buffer.from(`\x01${name}\0`, 'latin1'));

function metadataStart(sent: Buffer, sortKeyAt: number): number {
  let start = sortKeyAt;
  for (const head of BEFORE_SORT_KEY) {
    const at = start - 8 - head.length;
    if (at >= 4 && head.compare(sent, at, at + head.length) === 0) start = at;
  }
  return start;
}
