/**
 * `mongodb-memory-server` for a replica set of one member, with the parts replaced that do not fit a cluster of many processes: it builds
 * the arguments, spawns, initiates the set and knows when the member is primary. Its own way of starting lets MONGOMS_SYSTEM_BINARY win
 * over the executable it is told, runs `--version` again, prints warnings, adds a process that watches the member, matches the server's
 * words in chunks instead of lines, and answers every fault by asking the server to shut down, for up to 15 s.
 */
import { once } from 'node:events';
import { errors, MongoInstance, MongoMemoryReplSet, MongoMemoryServer } from 'mongodb-memory-server';
import { HOST } from './layout.ts';
import type { Child, Member } from './member.ts';

/** What a member is started with. */
export interface ServerOptions {
  /** The replica set. */
  name: string;
  /** Path of the executable. */
  mongod: string;
  port: number;
  dbPath: string;
  /** Arguments beside those that the options above make. */
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
}

const STORAGE_ENGINE = 'wiredTiger';
/** The only member needs no other's vote and has nobody to fall behind. */
const ELECTION_TIMEOUT_MS = 500;
/** For the first connection to a server that has just said that it accepts them, in milliseconds. */
const CONNECT_LIMIT_MS = 5_000;

/** A replica set of one server, launched first and then initiated. */
export class OneMemberSet extends MongoMemoryReplSet {
  readonly #options: ServerOptions;
  readonly #instance: Instance;
  #ended: Promise<string> = new Promise(() => {});

  constructor(options: ServerOptions) {
    const configSettings = { electionTimeoutMillis: ELECTION_TIMEOUT_MS };
    super({ replSet: { name: options.name, storageEngine: STORAGE_ENGINE, configSettings } });
    this.#options = options;
    this.#instance = new Instance(options);
    this.servers = [new LaunchedServer(options, this.#instance)];
  }

  /**
   * Starts the process, the leader of a process group.
   * @throws the operating system's error when it cannot be started
   */
  async launch(): Promise<Child> {
    try {
      return this.#instance._launchMongod(this.#options.mongod) as Child; // it throws where there is no pid
    } catch (error) {
      if (!(error instanceof errors.StartBinaryFailedError)) throw error;
      const [reason] = await once(this.#instance, 'instanceRawError'); // follows with the next tick
      throw reason;
    }
  }

  /** Takes one line that the server wrote. */
  readLine(line: string): void {
    this.#instance.readLine(line);
  }

  /** Initiates the set; resolves when the server, which accepts connections, is primary, and rejects when it ends before. */
  async initiate(member: Member): Promise<void> {
    this.#ended = member.ended;
    await this.initAllServers();
    await this._initReplSet();
  }

  /** The library's own keeps a timer of 30 s when the server ends. */
  protected override async _waitForPrimary(): Promise<void> {
    if (this.#instance.isInstancePrimary) return;
    const ended = this.#ended.then((ending) => Promise.reject(new Error(ending)));
    await Promise.race([once(this.#instance, 'instancePrimary'), ended]);
  }
}

/** Stands for a process that runs already. */
class LaunchedServer extends MongoMemoryServer {
  readonly #port: number;

  constructor({ name, port, dbPath }: ServerOptions, instance: Instance) {
    super();
    this.#port = port;
    const options = { port, dbPath, dbName: '', ip: HOST, replSet: name, storageEngine: STORAGE_ENGINE } as const;
    this._instanceInfo = { ...options, instance };
  }

  override async start(): Promise<void> {}

  override getUri(): string {
    return `mongodb://${HOST}:${this.#port}/?serverSelectionTimeoutMS=${CONNECT_LIMIT_MS}`;
  }
}

/** Builds the arguments, and understands the lines that tell of the replica set's state. */
class Instance extends MongoInstance {
  constructor({ name, port, dbPath, args, environment }: ServerOptions) {
    super({
      instance: { ip: HOST, port, dbPath, replSet: name, storageEngine: STORAGE_ENGINE, args: [...args] },
      spawn: { env: environment, detached: true },
    });
  }

  readLine(line: string): void {
    super.stdoutHandler(line);
  }

  override stdoutHandler(): void {} // gets chunks
  override stderrHandler(): void {}
  protected override checkErrorInLine(): void {} // a server that cannot go on ends, and that is seen
}
