/** The cursors that clients hold open at this router: see {@link Cursors}. */
import { randomBytes } from 'node:crypto';
import { field, type RawValue, rawValue, text, truthy } from '../wire/bson.ts';
import type { Catalog } from './catalog.ts';
import { type AnsweredBy, type Call, CommandError, type Cursors, modelReply, type Reply } from './command.ts';
import { fieldsOf, itemsIn, ownValue, requireField, requireNotNegative } from './ddl/request.ts';
import { cursorIn, cursorReply, EXHAUSTED } from './read/batch.ts';
import { type ClientCursor, PagedCursor, PassedCursor, replaceId } from './read/client-cursors.ts';
import type { MergedCursor, Page } from './read/merged-cursor.ts';

const UNAUTHORIZED = 13;
const CURSOR_NOT_FOUND = 43;
const CURSOR_KILLED = 237;
const CURSOR_IN_USE = 12051;
/** After which a cursor that nobody asks is closed (server parameter `cursorTimeoutMillis`). */
export const IDLE_MILLIS = 10 * 60 * 1000;
const REAP_EVERY_MILLIS = 60 * 1000;

/** The fields of `getMore` besides those of every command (getmore_command.idl). */
const GET_MORE = {
  collection: 'string',
  batchSize: 'number',
  term: 'number',
  lastKnownCommittedOpTime: 'any',
  includeQueryStatsMetrics: 'bool',
} as const;

/** Namespaces, `db.coll` each; the first is the cursor's own. */
type Uses = readonly [string, ...string[]];

interface Entry {
  id: bigint;
  /** The id as it stands in replies. */
  rawId: Buffer;
  uses: Uses;
  cursor: ClientCursor;
  answeredBy: AnsweredBy;
  lastUsed: number;
  /** It asked for `noCursorTimeout`. */
  stays: boolean;
  busy: boolean;
}

export function openCursors(catalog: Catalog): CursorRegistry {
  const registry = new CursorRegistry(catalog);
  setInterval(() => registry.closeIdle(Date.now()), REAP_EVERY_MILLIS).unref();
  return registry;
}

/** See the file's comment. */
export class CursorRegistry implements Cursors {
  readonly #catalog: Catalog;
  readonly #entries = new Map<bigint, Entry>();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  adopt(reply: Buffer, shard: string, call: Call, reads: readonly string[] = []): Buffer {
    const opened = cursorIn(reply);
    if (!opened || opened.id.equals(EXHAUSTED)) return reply;
    const ns = text(opened.ns) ?? call.db;
    const id = this.#keep([ns, ...reads], new PassedCursor(this.#catalog.peer(shard), opened), 'engine', call);
    replaceId(reply, id);
    return reply;
  }

  /**
   * Keeps a cursor of the router's own for the client, unless its first page was all.
   * @param uses the namespace as replies name it, and the other collections that it reads
   * @param call the command that opened it
   * @returns the reply to that command
   */
  open(cursor: MergedCursor, uses: Uses, first: Page, answeredBy: AnsweredBy, call: Call): Reply {
    const rawNs = rawValue(uses[0]);
    const id = first.exhausted ? EXHAUSTED : this.#keep(uses, new PagedCursor(cursor, rawNs), answeredBy, call);
    return { body: cursorReply('firstBatch', { id, ns: rawNs, batch: first.batch }), answeredBy };
  }

  /**
   * @throws CommandError 40414 or 14 when it is no request for more, 43 when there is no such cursor, 13 when it is of another collection,
   * 12051 while it is in use, 237 when it is killed meanwhile
   */
  async getMore(call: Call): Promise<Reply> {
    const id = idOf(ownValue(call, 'long'));
    const fields = fieldsOf(call, GET_MORE);
    const collection = text(requireField(call, fields, 'collection'));
    requireNotNegative('batchSize', fields.get('batchSize'));
    const entry = this.#find(id, `${call.db}.${collection}`);
    entry.busy = true; // while it waits for its collection, too
    try {
      return await this.#catalog.usingAll(entry.uses, () => this.#page(entry, call));
    } finally {
      entry.busy = false;
      entry.lastUsed = Date.now();
    }
  }

  async killCursors(call: Call): Promise<Reply> {
    const cursors = requireField(call, fieldsOf(call, { cursors: 'array' }), 'cursors');
    const asked = itemsIn(call, 'cursors', cursors, 'long').map(idOf);
    const killed = [...new Set(asked)].filter((id) => this.#entries.has(id));
    await Promise.all(killed.map((id) => this.#remove(id)));
    const missing = asked.filter((id) => !killed.includes(id));
    return modelReply({ cursorsKilled: killed, cursorsNotFound: missing, cursorsAlive: [], cursorsUnknown: [] });
  }

  async drain(ns: string): Promise<void> {
    const open = [...this.#entries.values()].filter(({ uses }) => uses.includes(ns));
    await Promise.all(open.map(({ cursor }) => cursor.drain()));
  }

  /** Closes what has not been asked for ten minutes. @param now milliseconds since 1970 */
  closeIdle(now: number): void {
    for (const { id, busy, stays, lastUsed } of this.#entries.values())
      if (!busy && !stays && now - lastUsed > IDLE_MILLIS) void this.#remove(id);
  }

  #keep(uses: Uses, cursor: ClientCursor, answeredBy: AnsweredBy, { body }: Call): Buffer {
    const rawId = freshId();
    const id = rawId.readBigInt64LE(0);
    const stays = truthy(field(body, 'noCursorTimeout'));
    this.#entries.set(id, { id, rawId, uses, cursor, answeredBy, lastUsed: Date.now(), stays, busy: false });
    return rawId;
  }

  #find(id: bigint, ns: string): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw new CommandError(CURSOR_NOT_FOUND, `Cursor not found (id: ${id}).`);
    const [own] = entry.uses;
    if (own !== ns) {
      const why = `Requested getMore on namespace '${ns}', but cursor belongs to a different namespace ${own}`;
      throw new CommandError(UNAUTHORIZED, why);
    }
    if (entry.busy) throw new CommandError(CURSOR_IN_USE, `Cursor already in use (id: ${id}).`);
    return entry;
  }

  async #page(entry: Entry, call: Call): Promise<Reply> {
    try {
      this.#requireAlive(entry);
      const { reply, exhausted } = await entry.cursor.getMore(call, entry.rawId);
      this.#requireAlive(entry);
      if (exhausted) await this.#remove(entry.id);
      return { body: reply, answeredBy: entry.answeredBy };
    } catch (error) {
      this.#requireAlive(entry); // whatever goes wrong with a cursor that is closed, it was killed
      await this.#remove(entry.id);
      throw error;
    }
  }

  /** As a killed cursor ends the request that uses it (`ClusterCursorManager::killOperationUsingCursor`). */
  #requireAlive({ id }: Entry): void {
    if (!this.#entries.has(id)) throw new CommandError(CURSOR_KILLED, 'operation was interrupted');
  }

  /** Forgets a cursor and closes it: a client that is told so finds nothing of it on the shards any more. */
  async #remove(id: bigint): Promise<void> {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    await entry?.cursor.close();
  }
}

function freshId(): Buffer {
  const id = randomBytes(8);
  id.writeUInt8(id.readUInt8(7) & 0x7f, 7); // positive
  id.writeUInt8(id.readUInt8(0) | 1, 0); // never 0
  return id;
}

function idOf({ bytes }: RawValue): bigint {
  return bytes.readBigInt64LE(0);
}
