/** A client's cursor over several shards: pages of a stream, with the skip and the limit that only the router can apply. */
import { BatchWriter, EMPTY_BATCH } from './batch.ts';
import type { DocumentSource } from './merge.ts';
import { FETCH_BYTES } from './shard-cursor.ts';

/** Documents of a first batch for which the client names no size (`query_request_helper::getDefaultBatchSize`). */
const DEFAULT_FIRST_BATCH = 101;
/** What one reply's documents may come to, in bytes (`FindCommon::BSONArrayResponseSizeTracker`). */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;

/** One page of documents as a BSON array. */
export interface Page {
  batch: Buffer;
  exhausted: boolean;
}

/** What only the router can do to a merged stream, and when it ends. */
export interface Bounds {
  /** Documents to pass over. */
  skip?: number | undefined;
  /** Documents at most. */
  limit?: number | undefined;
  /** Called once when the cursor is closed, exhausted or not. */
  onClose?: (() => Promise<void>) | undefined;
}

/** See the file's comment. */
export class MergedCursor {
  readonly #source: DocumentSource;
  readonly #onClose: (() => Promise<void>) | undefined;
  #skip: number;
  #left: number;

  constructor(source: DocumentSource, { skip, limit, onClose }: Bounds = {}) {
    this.#source = source;
    this.#skip = skip ?? 0;
    this.#left = limit ?? Number.POSITIVE_INFINITY;
    this.#onClose = onClose;
  }

  /** The first page. @param batchSize the client's; 0 opens the cursor and returns nothing yet */
  async first(batchSize = DEFAULT_FIRST_BATCH): Promise<Page> {
    if (batchSize > 0) return this.#page(batchSize, MAX_BATCH_BYTES);
    return { batch: EMPTY_BATCH, exhausted: false };
  }

  /** A further page; what the next one needs is already being fetched when it returns. */
  async next(batchSize?: number): Promise<Page> {
    const page = await this.#page(batchSize, batchSize ? MAX_BATCH_BYTES : FETCH_BYTES);
    if (!page.exhausted) this.#source.prefetch(batchSize);
    return page;
  }

  /** As many documents as fit into some bytes, for use within the router. */
  async take(maxBytes: number): Promise<Page> {
    await this.#passOver(undefined);
    const batch = await this.#collect(undefined, maxBytes);
    return { batch, exhausted: this.#isExhausted };
  }

  drain(): Promise<void> {
    return this.#source.drain();
  }

  async close(): Promise<void> {
    await this.#source.close();
    await this.#onClose?.();
  }

  async #page(batchSize: number | undefined, maxBytes: number): Promise<Page> {
    await this.#passOver(batchSize);
    const batch = this.#wholeBatch(batchSize) ?? (await this.#collect(batchSize, maxBytes));
    return { batch, exhausted: this.#isExhausted };
  }

  async #passOver(batchSize: number | undefined): Promise<void> {
    const source = this.#source;
    if (!source.isReady) await source.fill(batchSize);
    while (this.#skip > 0 && source.peek()) {
      source.skip();
      this.#skip--;
      if (!source.isReady) await source.fill(batchSize);
    }
  }

  /** A shard's batch passed on as it came, when it is what the client asked for and large enough to be worth it. */
  #wholeBatch(batchSize: number | undefined): Buffer | undefined {
    const batch = this.#source.wholeBatch;
    if (!batch || batch.isEmpty || this.#left !== Number.POSITIVE_INFINITY) return undefined;
    const fits = batchSize ? batch.count === batchSize : batch.bytes >= FETCH_BYTES / 2;
    return fits ? this.#source.takeWhole() : undefined;
  }

  async #collect(batchSize: number | undefined, maxBytes: number): Promise<Buffer> {
    const writer = new BatchWriter();
    const source = this.#source;
    const wanted = Math.min(batchSize || Number.POSITIVE_INFINITY, this.#left);
    while (writer.count < wanted) {
      if (!source.isReady) await source.fill(batchSize);
      const document = source.peek();
      if (!document || (writer.count > 0 && writer.bytes + document.length > maxBytes)) break;
      writer.add(document);
      source.skip();
    }
    this.#left -= writer.count;
    return writer.finish();
  }

  /** Known only as far as the shards have said so: a cursor may prove empty at its next page. */
  get #isExhausted(): boolean {
    return this.#left === 0 || (this.#source.isReady && this.#source.peek() === undefined);
  }
}
