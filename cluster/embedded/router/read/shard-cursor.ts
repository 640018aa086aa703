/** One shard's cursor as a stream of documents, of which the router holds one batch at a time. */
import { Long } from 'bson';
import { encode, text } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { Refused } from '../refused.ts';
import { Batch, type CursorReply, cursorIn, EMPTY_BATCH } from './batch.ts';
import { Spool } from './spool.ts';

/**
 * What one fetch asks of a shard, in bytes, when the client names no batch size: large enough to keep both busy, small enough that a
 * full scan does not make the router grow. (A server fills up to 16 MB.)
 */
export const FETCH_BYTES = 2 * 1024 * 1024;

/** See the file's comment. */
export class ShardCursor {
  readonly #peer: Peer;
  readonly #db: string;
  readonly #collection: string;
  #id: Long;
  #batch: Batch;
  /** Documents per fetch, as far as batches so far tell. */
  #fetchCount: number | undefined;
  /** What is being read, for the next batch or for the spool; it never rejects. */
  #fetching: Promise<void> | undefined;
  #isClosed = false;
  /** What a fetch that nobody waited for ended with. */
  #failure: unknown;
  #spool: Spool | undefined;

  /** @param opened what the shard answered when it opened the cursor */
  constructor(peer: Peer, opened: CursorReply) {
    const ns = text(opened.ns) ?? '';
    const dot = ns.indexOf('.');
    this.#peer = peer;
    this.#db = ns.slice(0, dot);
    this.#collection = ns.slice(dot + 1);
    this.#batch = new Batch(opened.batch);
    this.#id = idOf(opened);
    this.#learn(this.#batch);
  }

  /** Whether it is known without asking the shard what comes next: a document, or the end. */
  get isReady(): boolean {
    return !this.#batch.isEmpty || !this.#hasMore;
  }

  /** Whether nothing is left; only known when ready. */
  get isExhausted(): boolean {
    return this.#batch.isEmpty && !this.#hasMore;
  }

  get batch(): Batch {
    return this.#batch;
  }

  get #hasMore(): boolean {
    if (this.#fetching || this.#failure !== undefined) return true; // a piece on its way is in neither spool nor batch
    return !this.#id.isZero() || this.#spool?.isEmpty === false;
  }

  /**
   * Waits until the cursor is ready.
   * @param batchSize the client's, where it named one
   * @throws Refused when the shard refuses, PeerError when it is gone
   */
  async fill(batchSize?: number): Promise<void> {
    while (!this.isReady) {
      this.prefetch(batchSize);
      await this.#fetching;
      if (this.#failure) throw this.#failure;
    }
  }

  /** Begins to fetch what comes next, unless there is something or nothing left. What goes wrong is told by {@link fill}. */
  prefetch(batchSize?: number): void {
    if (this.isReady || this.#fetching || this.#failure) return;
    this.#begin(this.#fetch(batchSize));
  }

  /** The current batch as a whole, which is thereby taken. */
  takeWhole(): Buffer | undefined {
    const whole = this.#batch.untouched;
    if (whole) this.#batch = new Batch(EMPTY_BATCH);
    return whole;
  }

  /** Reads to the end and keeps on disk what the client has not taken. What goes wrong is told by {@link fill}. */
  async drain(): Promise<void> {
    await this.#fetching;
    if (!this.#id.isZero()) await this.#begin(this.#spoolRest());
  }

  /** Ends the shard's cursor, and what is being read from it; a shard that is gone has ended it already. */
  async close(): Promise<void> {
    const id = this.#id;
    this.#isClosed = true;
    this.#id = Long.ZERO;
    const kill = encode({ killCursors: this.#collection, cursors: [id], $db: this.#db });
    if (!id.isZero()) await this.#peer.send(kill).catch(() => {});
    await this.#fetching;
    await this.#spool?.close();
    this.#spool = undefined;
  }

  #begin(work: Promise<void>): Promise<void> {
    this.#fetching = this.#keepFailure(work).finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #keepFailure(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#failure = error;
      this.#id = Long.ZERO;
    }
  }

  async #fetch(batchSize: number | undefined): Promise<void> {
    const array = this.#spool?.isEmpty === false ? await this.#spool.take() : await this.#ask(batchSize);
    this.#batch = new Batch(array);
    this.#learn(this.#batch);
  }

  async #spoolRest(): Promise<void> {
    this.#spool ??= await Spool.open();
    while (!this.#id.isZero()) await this.#spool.append(await this.#ask());
  }

  /** One `getMore`; returns the batch. */
  async #ask(batchSize = this.#fetchCount): Promise<Buffer> {
    const size = batchSize && { batchSize };
    const body = encode({ getMore: this.#id, collection: this.#collection, ...size, $db: this.#db });
    const reply = await this.#peer.send(body);
    const cursor = cursorIn(reply);
    if (!cursor) throw new Refused(reply);
    this.#id = this.#isClosed ? Long.ZERO : idOf(cursor);
    return cursor.batch;
  }

  /** Draws from a batch how many documents make one fetch. */
  #learn({ bytes, count }: Batch): void {
    if (count > 0) this.#fetchCount = Math.max(1, Math.floor((FETCH_BYTES / bytes) * count));
  }
}

function idOf({ id }: CursorReply): Long {
  return Long.fromBytesLE([...id]);
}
