/** The catalog on a config server: see {@link Metadata}. */
import { UUID } from 'bson';
import { encode } from '../../wire/bson.ts';
import { Peer } from '../../wire/client.ts';
import type { Metadata, ShardEntry } from '../catalog.ts';
import { CommandError } from '../command.ts';
import { CONFIG, INTERNAL, ON_CONFIG_SERVER } from '../internal-databases.ts';
import { clearUp } from '../journal/clear-up.ts';
import { Locks } from '../locks.ts';
import type { RoutingTable } from '../routing.ts';
import { type Author, logChange } from './changelog.ts';
import { nextTimestamp } from './clock.ts';
import { type Change, commit, redo } from './commit.ts';
import type { DatabaseEntry } from './documents.ts';
import { leastLoaded } from './least-loaded.ts';
import { EVERYTHING, Namespaces } from './namespaces.ts';
import type { ShardedCollection } from './sharded-collection.ts';
import { look, type Snapshot } from './snapshot.ts';

const SHARD_NOT_FOUND = 70;
const NAMESPACE_EXISTS = 48;
const INVALID_OPTIONS = 72;
const DATABASE_DIFFER_CASE = 13297;

export class ConfigCatalog extends Namespaces implements Metadata {
  readonly config: Peer;
  #shards = new Map<string, ShardEntry>();
  #databases = new Map<string, DatabaseEntry>();
  #collections = new Map<string, ShardedCollection>();
  #broken: Snapshot['broken'] = new Map();
  /** A commit, of an earlier router or of this one, may be half made. */
  #inDoubt = true;
  readonly #peers = new Map<string, Peer>();
  readonly #own = new Locks();
  readonly #author: Author;

  /**
   * @param config the config server's primary
   * @param address the router's own, `host:port`
   */
  constructor(config: Peer, address: string) {
    super();
    this.config = config;
    this.#author = { server: address, shard: CONFIG };
  }

  shards(): readonly ShardEntry[] {
    return [...this.#shards.values()];
  }

  peer(shard: string): Peer {
    if (shard === CONFIG) return this.config;
    const entry = this.#shards.get(shard);
    if (!entry) throw new CommandError(SHARD_NOT_FOUND, `Shard ${shard} not found`);
    return this.#peerAt(primaryAddress(entry.host));
  }

  databases(): readonly DatabaseEntry[] {
    return [...this.#databases.values()];
  }

  primaryOf(db: string): string | undefined {
    return ON_CONFIG_SERVER.has(db) ? CONFIG : this.#databases.get(db)?.primary;
  }

  async ensureDatabase(db: string, primaryShard?: string): Promise<string> {
    const known = this.primaryOf(db);
    if (known === CONFIG || (known !== undefined && (primaryShard ?? known) === known)) return known;
    return this.#own.alone('databases', () => this.#createDatabase(db, primaryShard));
  }

  routing(ns: string): RoutingTable | undefined {
    return this.sharded(ns)?.routing;
  }

  sharded(ns: string): ShardedCollection | undefined {
    const broken = this.#broken.get(ns);
    if (broken) throw broken;
    return this.#collections.get(ns);
  }

  shardedIn(db: string): readonly ShardedCollection[] {
    return [...this.#collections.values()].filter(({ entry }) => entry.ns.startsWith(`${db}.`));
  }

  async commit(changes: readonly Change[], then: () => void): Promise<void> {
    await this.#own.alone('cache', async () => {
      try {
        await commit(this.config, changes);
      } catch (error) {
        this.#doubt();
        throw error;
      }
      then();
    });
  }

  put(collection: ShardedCollection): void {
    this.#collections.set(collection.entry.ns, collection);
  }

  forget(ns: string): void {
    this.#collections.delete(ns);
  }

  forgetDatabase(db: string): void {
    this.#databases.delete(db);
  }

  putShard(shard: ShardEntry): void {
    this.#shards.set(shard.id, shard);
  }

  async reload(): Promise<void> {
    await this.#own.alone('cache', async () => {
      if (this.#inDoubt) await this.#clearUp();
      const { shards, databases, collections, broken } = await look(this.config);
      this.#shards = new Map(shards);
      this.#databases = new Map(databases);
      this.#collections = new Map(collections);
      this.#broken = broken;
    });
  }

  close(): void {
    for (const peer of this.#peers.values()) peer.close();
    this.config.close();
  }

  /** Whether a commit was made is for the config server to say, when it is back. */
  #doubt(): void {
    this.#inDoubt = true;
    this.leave(EVERYTHING, () => this.reload());
  }

  async #clearUp(): Promise<void> {
    await clearUp(this.config);
    await redo(this.config);
    this.#inDoubt = false;
  }

  #peerAt(address: string): Peer {
    const peer = this.#peers.get(address) ?? new Peer(address);
    this.#peers.set(address, peer);
    return peer;
  }

  /** src/mongo/db/global_catalog/ddl/create_database_util.cpp */
  async #createDatabase(db: string, primaryShard: string | undefined): Promise<string> {
    checkDatabaseName(db);
    const twin = this.databases().find(({ id }) => id.toLowerCase() === db.toLowerCase());
    if (twin) return existing(twin, db, primaryShard);
    const primary = primaryShard ?? (await leastLoaded(this));
    if (primary === undefined) throw cannotCreate(db, SHARD_NOT_FOUND, 'No non-draining shard found');
    const version = { uuid: new UUID(), timestamp: nextTimestamp(), lastMod: 1 };
    const entry: DatabaseEntry = { id: db, primary, version };
    const details = { primaryShard: primary, userSelectedPrimary: primaryShard !== undefined };
    const changes: Change[] = [
      logChange(this.#author, 'createDatabase.start', db, details),
      { insert: 'databases', document: encode({ _id: db, primary, version }) },
      logChange(this.#author, 'createDatabase', db, { ...details, version }),
    ];
    await this.commit(changes, () => this.#databases.set(db, entry));
    return primary;
  }
}

/**
 * Says no to the databases that no client creates, `config` but in this spelling.
 * @throws CommandError 72
 */
export function checkDatabaseName(db: string): void {
  if (db === CONFIG || !INTERNAL.has(db.toLowerCase())) return;
  throw cannotCreate(db, INVALID_OPTIONS, `Cannot manually create database '${db}'`);
}

function existing(found: DatabaseEntry, wanted: string, primaryShard: string | undefined): string {
  if (found.id !== wanted) {
    const text = `can't have 2 databases that just differ on case  have: ${found.id} want to add: ${wanted}`;
    throw cannotCreate(wanted, DATABASE_DIFFER_CASE, text);
  }
  if (primaryShard !== undefined && primaryShard !== found.primary) {
    const text = `database already created on a primary which is different from ${primaryShard}`;
    throw cannotCreate(wanted, NAMESPACE_EXISTS, text);
  }
  return found.primary;
}

function cannotCreate(db: string, code: number, why: string): CommandError {
  return new CommandError(code, `Database ${db} could not be created :: caused by :: ${why}`);
}

/** The sets of an embedded cluster have one member, so the first host is the primary. */
function primaryAddress(connectionString: string): string {
  const [hosts = ''] = connectionString.split('/').slice(-1);
  return hosts.split(',')[0] ?? hosts;
}
