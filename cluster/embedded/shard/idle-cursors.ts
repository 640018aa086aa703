/** Closes the cursors that clients leave open, as a server does after ten minutes: the engine keeps them for ever. */
import { Long } from 'bson';
import { log } from '../log.ts';
import { encode, field, Type, text, truthy } from '../wire/bson.ts';
import type { Engine } from './engine.ts';

/** `cursorTimeoutMillis` of a server, in milliseconds. */
const IDLE_LIMIT_MS = 10 * 60_000;
const CHECK_MS = 60_000;

interface OpenCursor {
  id: bigint;
  /** `db.collection` as the reply said it. */
  ns: string;
  /** On the clock of {@link IdleCursors}. */
  lastUsed: number;
}

/** See the file's comment. */
export class IdleCursors {
  readonly #engine: Pick<Engine, 'runAtOnce'>;
  readonly #open = new Map<bigint, OpenCursor>();

  constructor(engine: Pick<Engine, 'runAtOnce'>) {
    this.#engine = engine;
    setInterval(() => void this.closeIdle(performance.now()), CHECK_MS).unref(); // it never rejects
  }

  /**
   * Looks at the reply to any command for a cursor that is open now, or no longer.
   * @param now milliseconds of a clock that only rises
   */
  note(body: Buffer, reply: Buffer, now: number): void {
    const cursor = field(reply, 'cursor');
    const id = cursor?.type === Type.object ? field(cursor.bytes, 'id') : undefined;
    if (!cursor || id?.type !== Type.long) return;
    const asked = field(body, 'getMore');
    const stays = asked?.type === Type.long && !this.#open.delete(asked.bytes.readBigInt64LE(0));
    const open = id.bytes.readBigInt64LE(0);
    if (open === 0n || stays || truthy(field(body, 'noCursorTimeout'))) return;
    this.#open.set(open, { id: open, ns: text(field(cursor.bytes, 'ns')) ?? '', lastUsed: now });
  }

  /** Closes what was not used for ten minutes; the engine does not mind one that is closed already. */
  async closeIdle(now: number): Promise<void> {
    for (const { id, ns, lastUsed } of [...this.#open.values()]) {
      if (now - lastUsed < IDLE_LIMIT_MS) continue;
      this.#open.delete(id);
      const dot = ns.indexOf('.');
      const kill = { killCursors: ns.slice(dot + 1), cursors: [Long.fromBigInt(id)], $db: ns.slice(0, dot) };
      await this.#engine.runAtOnce(encode(kill)).catch((error: Error) => logRefusal(ns, error));
    }
  }
}

/** An engine that is closing ends its cursors itself. */
function logRefusal(ns: string, { message: error }: Error): void {
  log({
    severity: 'W',
    component: 'QUERY',
    id: 9_990_007,
    context: 'idle-cursors',
    message: 'A cursor that nobody used could not be closed',
    attributes: { ns, error },
  });
}
