/**
 * `mongodb-memory-server` for a replica set of one member, as far as it fits a cluster of many processes: it builds the arguments, spawns, and
 * knows when the member is primary. Its own way of starting lets MONGOMS_SYSTEM_BINARY win over the executable it is told, runs `--version`
 * again, prints warnings, adds a process that watches the member, matches the server's words in chunks instead of lines, answers every
 * fault by asking the server to shut down, for up to 15 s, and initiates over a connection that nobody can close when the member has ended.
 */
import { once } from 'node:events';
import type { Document, MongoClient } from 'mongodb';
import { errors, MongoInstance } from 'mongodb-memory-server';
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

/** A replica set of one server, launched first and then initiated. */
export class OneMemberSet {
  readonly #options: ServerOptions;
  readonly #instance: Instance;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#instance = new Instance(options);
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

  /**
   * Initiates the set; resolves when the server, which accepts connections, is primary, and rejects when it ends before.
   * @param client of this server alone; closing it ends the attempt
   */
  async initiate(member: Member, client: MongoClient): Promise<void> {
    const ended = member.ended.then((ending) => Promise.reject(new Error(ending)));
    const primary = this.#instance.isInstancePrimary ? [] : once(this.#instance, 'instancePrimary');
    await Promise.race([client.db('admin').command({ replSetInitiate: this.#configuration() }), ended]);
    await Promise.race([primary, ended]);
  }

  /** `configsvr: true` is added by a server that was started as one (`ReplSetConfig::_initialize`, src/mongo/db/repl/repl_set_config.cpp). */
  #configuration(): Document {
    const { name, port } = this.#options;
    const members = [{ _id: 0, host: `${HOST}:${port}` }];
    return { _id: name, members, settings: { electionTimeoutMillis: ELECTION_TIMEOUT_MS } };
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
