/** What the members of one cluster share while it starts: its folder, its time, and the one reason to give up. */
import { MongoClient, type MongoClientOptions, MongoServerError } from 'mongodb';
import type { ProgressStep } from './cluster.ts';
import { ClusterStartError } from './errors.ts';
import { type Child, Member } from './member.ts';
import { PortTakenError } from './ports.ts';
import { bounded, TimeExpired } from './waiting.ts';
import type { Home } from './watcher.ts';

/** A client notices a dead server before we do: for its end to be known, in milliseconds. */
const ENDING_LIMIT_MS = 2_000;

const CLIENT_OPTIONS = {
  appName: 'shardlab', // with this name the embedded servers say who answered
  monitorCommands: true,
  serverSelectionTimeoutMS: 10_000, // the driver's own 30 s are for servers that may come back
} as const satisfies MongoClientOptions;

/** See the file's comment. */
export class Starting {
  readonly home: Home;
  /** Every process that was started, in that order, those that ended again too. */
  readonly members: Member[] = [];
  /** Every driver client that was opened. */
  readonly clients: MongoClient[] = [];
  #begun = performance.now();
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal;
  readonly #calledOff = new AbortController();
  readonly #onProgress: (step: ProgressStep) => void;

  constructor(
    home: Home,
    options: {
      timeoutMs: number;
      signal?: AbortSignal | undefined;
      onProgress?: ((step: ProgressStep) => void) | undefined;
    },
  ) {
    this.home = home;
    this.#timeoutMs = options.timeoutMs;
    this.#signal = options.signal ? AbortSignal.any([options.signal, this.#calledOff.signal]) : this.#calledOff.signal;
    this.#onProgress = options.onProgress ?? (() => {});
  }

  /** Its time begins anew: fetching servers for the first time may take longer than any start. */
  restartClock(): void {
    this.#begun = performance.now();
  }

  /** Ends every wait, now and to come, with this reason. */
  callOff(reason: unknown): void {
    this.#calledOff.abort(reason);
  }

  /**
   * Takes a new process in: from now on it is guarded, and its lines are read.
   * @param onLine told of every line it writes
   */
  launched(name: string, child: Child, onLine: (line: string) => void = () => {}): Member {
    this.home.guard(child.pid);
    const member = new Member(name, child, onLine);
    this.members.push(member);
    return member;
  }

  /** From now on the member's end ends the start, whatever is being waited for. */
  established(member: Member): void {
    const since = performance.now();
    member.ended.then((ending) => {
      const facts = { awaited: 'the rest of the cluster', ms: performance.now() - since, ending };
      this.callOff(new ClusterStartError({ member: member.name, ...facts, serverLines: member.lastWords() }));
    });
  }

  /** A driver client, which connects when it is first used. */
  connect(uri: string): MongoClient {
    const client = new MongoClient(uri, CLIENT_OPTIONS);
    this.clients.push(client);
    return client;
  }

  /** What to throw when a member is not what was asked for. */
  refused({ name }: Member, awaited: string, problem: string): ClusterStartError {
    const ms = performance.now() - this.#begun;
    return new ClusterStartError({ member: name, awaited, ms, ending: `was refused (${problem})`, serverLines: [] });
  }

  /**
   * Waits until a member accepts connections.
   * @throws PortTakenError when it found its port taken; otherwise as {@link waitFor}
   */
  async readiness(member: Member, port: number): Promise<void> {
    try {
      await this.waitFor(member, 'readiness for connections', member.ready);
    } catch (error) {
      throw member.portTaken && error instanceof ClusterStartError ? new PortTakenError(port, error) : error;
    }
  }

  /** Reports a step around `work`. */
  async step<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.#report(what, 'started');
    const result = await work();
    this.#report(what, 'done');
    return result;
  }

  /**
   * Waits for something of a member, no longer than it lives and the start may take.
   * @param awaited for an error: `readiness for connections`
   * @throws ClusterStartError when the member ends, the promise rejects or time runs out; the reason when the start is called off
   */
  async waitFor<T>(member: Member, awaited: string, promise: Promise<T>): Promise<T> {
    const since = performance.now();
    const ended = member.ended.then((ending) => Promise.reject(new Error(`${member.name} ${ending}`)));
    try {
      return await bounded(Promise.race([promise, ended]), this.#begun + this.#timeoutMs - since, this.#signal);
    } catch (error) {
      this.#signal.throwIfAborted();
      const ending = error instanceof TimeExpired ? undefined : await howItFailed(member, error);
      this.#signal.throwIfAborted(); // meanwhile another member's end may have explained it
      const ms = performance.now() - since;
      const serverLines = member.lastWords(ending === undefined);
      throw new ClusterStartError({ member: member.name, awaited, ms, ending, serverLines }, { cause: error });
    }
  }

  /**
   * As {@link waitFor}, of something that a cluster is better with and works without: what the server answers to it is said on stderr, and
   * the start goes on.
   * @param what for that line, and for the error when no answer comes: `shorter waiting`
   */
  async tryFor(member: Member, what: string, promise: Promise<void>): Promise<void> {
    const answered = promise.then(() => undefined, refusalIn);
    const refusal = await this.waitFor(member, what, answered);
    if (refusal) console.error(`Warning: the cluster does without ${what} (${member.name}: ${refusal.message})`);
  }

  #report(what: string, state: ProgressStep['state']): void {
    this.#onProgress({ what, state, ms: performance.now() - this.#begun });
  }
}

/** What a server answered; anything else is thrown on. */
function refusalIn(error: unknown): MongoServerError {
  if (error instanceof MongoServerError) return error;
  throw error;
}

async function howItFailed(member: Member, error: unknown): Promise<string> {
  const ending = await bounded(member.ended, ENDING_LIMIT_MS).catch(() => undefined);
  return ending ?? `failed (${messageOf(error)})`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
