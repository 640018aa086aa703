/** The two kinds of cursor a client can hold: one shard's, passed through, and one of the router's own over several shards. */
import { documentOf, elements, field, number, type RawValue, Type } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import type { Call } from '../command.ts';
import { accepted } from '../refused.ts';
import { type CursorReply, cursorIn, cursorReply, EMPTY_BATCH, EXHAUSTED } from './batch.ts';
import { Concatenation } from './merge.ts';
import { MergedCursor } from './merged-cursor.ts';
import { ShardCursor } from './shard-cursor.ts';

/** What the registry keeps of a cursor, whoever makes its pages. */
export interface ClientCursor {
  /** Answers a `getMore`. @param id the client's id of this cursor, for the reply while anything is left */
  getMore(call: Call, id: Buffer): Promise<{ reply: Buffer; exhausted: boolean }>;
  /** Reads to the end and keeps what is left, so that the shards' documents may move. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** A cursor whose pages the router makes. */
export class PagedCursor implements ClientCursor {
  readonly #pages: MergedCursor;
  readonly #ns: RawValue;

  /** @param ns as replies name it */
  constructor(pages: MergedCursor, ns: RawValue) {
    this.#pages = pages;
    this.#ns = ns;
  }

  async getMore(call: Call, id: Buffer): Promise<{ reply: Buffer; exhausted: boolean }> {
    const { batch, exhausted } = await this.#pages.next(number(field(call.body, 'batchSize')));
    return { reply: cursorReply('nextBatch', { id: exhausted ? EXHAUSTED : id, ns: this.#ns, batch }), exhausted };
  }

  drain(): Promise<void> {
    return this.#pages.drain();
  }

  close(): Promise<void> {
    return this.#pages.close();
  }
}

/** One shard's cursor: the client's `getMore` goes there as it came, but for the id, until the cursor has been drained. */
export class PassedCursor implements ClientCursor {
  readonly #peer: Peer;
  readonly #ns: RawValue;
  readonly #id: Buffer;
  #rest: PagedCursor | undefined;

  /** @param opened what the shard answered when it opened the cursor */
  constructor(peer: Peer, opened: CursorReply) {
    this.#peer = peer;
    this.#ns = opened.ns;
    this.#id = Buffer.from(opened.id);
  }

  async getMore(call: Call, id: Buffer): Promise<{ reply: Buffer; exhausted: boolean }> {
    if (this.#rest) return this.#rest.getMore(call, id);
    const command = documentOf([
      { name: 'getMore', type: Type.long, bytes: this.#id },
      ...elements(call.body).slice(1),
    ]);
    const reply = accepted(await this.#peer.send(command));
    return { reply, exhausted: !replaceId(reply, id) };
  }

  async drain(): Promise<void> {
    if (this.#rest) return;
    const cursor = this.#shardCursor();
    this.#rest = new PagedCursor(new MergedCursor(new Concatenation([cursor])), this.#ns);
    await cursor.drain();
  }

  close(): Promise<void> {
    return (this.#rest ?? this.#shardCursor()).close();
  }

  #shardCursor(): ShardCursor {
    return new ShardCursor(this.#peer, { id: this.#id, ns: this.#ns, batch: EMPTY_BATCH });
  }
}

/** Writes the client's id over the shard's in a reply; `false` when the cursor is exhausted and so has none. */
export function replaceId(reply: Buffer, id: Buffer): boolean {
  const cursor = cursorIn(reply);
  if (!cursor || cursor.id.equals(EXHAUSTED)) return false;
  id.copy(cursor.id);
  return true;
}
