/** A replica set of one member: its configuration, kept where a server keeps it, and its standing as the primary. */
import { hostname } from 'node:os';
import { type Document, Long, ObjectId, Timestamp } from 'bson';
import type { MongodOptions } from '../flags.ts';
import { log } from '../log.ts';
import { CommandError } from '../router/command.ts';
import { decode, decodePlain, encode } from '../wire/bson.ts';
import type { Engine } from './engine.ts';
import { dropTemporaryCollections } from './recovery.ts';

/** Where the position and time of a write stand in replies. */
export interface OpTime {
  ts: Timestamp;
  t: Long;
}

/** See the file's comment. */
export class ReplicaSet {
  /** `--replSet`; undefined for a standalone server. */
  readonly name: string | undefined;
  readonly #engine: Engine;
  readonly #options: MongodOptions;
  #config: Document | undefined;
  #term = 0;

  private constructor(options: MongodOptions, engine: Engine) {
    this.name = options.replSet;
    this.#options = options;
    this.#engine = engine;
  }

  /** Reads the configuration that an earlier process left in the data directory and takes the primary's place again. */
  static async load(options: MongodOptions, engine: Engine): Promise<ReplicaSet> {
    const set = new ReplicaSet(options, engine);
    const stored = set.name ? await find(engine, 'system.replset') : undefined;
    if (stored && set.#isMine(stored)) await set.#becomePrimary(stored);
    else if (stored) set.#stayRemoved(stored);
    return set;
  }

  /** The configuration; undefined before `replSetInitiate`. */
  get config(): Document | undefined {
    return this.#config;
  }

  /** False before `replSetInitiate`, and where the configuration names another address. */
  get isPrimary(): boolean {
    return this.#term > 0;
  }

  /** Counts the elections: the process wins one at each start. */
  get term(): number {
    return this.#term;
  }

  /** `host:port` of the only member, as configured. */
  get self(): string {
    return hostIn(this.#config);
  }

  /** Whether `host:port` is a name of this machine with the port this process listens on. */
  isSelf(address: string): boolean {
    const [name = '', port = '27017'] = address.split(':');
    const names = ['localhost', '127.0.0.1', hostname(), ...this.#options.bindIp];
    return Number(port) === this.#options.port && names.includes(name);
  }

  /** Stores a first configuration and becomes the primary. */
  async initiate(config: Document): Promise<void> {
    await this.#store('system.replset', config);
    await this.#becomePrimary(config);
  }

  /** Stores a later configuration. */
  async reconfigure(config: Document): Promise<void> {
    if (!this.isPrimary) return this.initiate(config);
    await this.#store('system.replset', config);
    this.#config = config;
  }

  /** The position of a write done now. */
  now(): OpTime {
    return { ts: new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 }), t: Long.fromNumber(this.#term) };
  }

  /** Grows with the term, so that drivers know a later primary from an earlier one (SDAM specification). */
  electionId(): ObjectId {
    return new ObjectId(`7fffffff${this.#term.toString(16).padStart(16, '0')}`);
  }

  #isMine(config: Document): boolean {
    return config._id === this.name && this.isSelf(hostIn(config));
  }

  /** As a server does whose port or set name has changed. */
  #stayRemoved(config: Document): void {
    this.#config = config;
    log({ severity: 'W', component: 'REPL', id: 21394, message: 'This node is not a member of the config' });
  }

  async #becomePrimary(config: Document): Promise<void> {
    const vote = await find(this.#engine, 'replset.election');
    this.#term = Number(vote?.term ?? 0) + 1;
    await this.#store('replset.election', {
      _id: 'lastVote',
      term: Long.fromNumber(this.#term),
      candidateIndex: Long.ZERO,
    });
    await dropTemporaryCollections(this.#engine);
    this.#config = config;
    log({
      component: 'REPL',
      id: 21331,
      context: 'OplogApplier-0',
      message: 'Transition to primary complete; database writes are now permitted',
      attributes: { term: this.#term },
    });
  }

  /** Makes `document` the only one of a collection of `local`. */
  async #store(collection: string, document: Document): Promise<void> {
    const command = {
      update: collection,
      updates: [{ q: {}, u: document, upsert: true }],
      writeConcern: { w: 1, j: true },
      $db: 'local',
    };
    const reply = decodePlain(await this.#engine.run(encode(command)));
    if (reply.ok !== 1 || reply.writeErrors) throw new CommandError(1, `local.${collection}: ${JSON.stringify(reply)}`);
  }
}

async function find(engine: Engine, collection: string): Promise<Document | undefined> {
  const reply = decode(await engine.run(encode({ find: collection, limit: 1, singleBatch: true, $db: 'local' })));
  if (Number(reply.ok) !== 1) throw new Error(`local.${collection} cannot be read: ${reply.errmsg}`);
  return reply.cursor.firstBatch[0];
}

function hostIn(config: Document | undefined): string {
  return (config?.members as Document[] | undefined)?.[0]?.host ?? '';
}
