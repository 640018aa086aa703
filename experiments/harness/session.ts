/** The lab that one experiment is given: its words, made of steps on its connections. */
import { type Document, MaxKey } from 'mongodb';
import { type KeyRange, moveRange, shardCollection, splitAt } from '../../cluster/sharding.ts';
import type { Connections } from './connections.ts';
import { asksForDocuments, type Expectation } from './expect.ts';
import type { Lab, TwoShards } from './lab.ts';
import { scanOf } from './plan.ts';
import { seenInRace } from './race.ts';
import type { Observed } from './record.ts';
import type { StepLog } from './steps.ts';

/** See the file's comment. */
export class Session implements Lab {
  readonly database: string;
  readonly shards: readonly string[];
  readonly #connections: Connections;
  readonly #log: StepLog;

  constructor(connections: Connections, log: StepLog) {
    this.database = connections.database;
    this.shards = connections.shards;
    this.#connections = connections;
    this.#log = log;
  }

  ns(collection: string): string {
    return this.#connections.ns(collection);
  }

  readonly step: Lab['step'] = async (caption, run, expectation) => {
    return this.#log.take({
      caption,
      work: () => run(this.#connections.db, this.#connections.router),
      observe: (value) => seen(value, expectation),
      expectation,
    });
  };

  readonly onShard: Lab['onShard'] = async (shard, caption, run, expectation) => {
    const client = this.#connections.access.client(shard);
    return this.step(caption, () => run(client.db(this.database)), expectation);
  };

  readonly counts: Lab['counts'] = async (caption, collection, filter, expectation) => {
    const { access } = this.#connections;
    const counted = await this.#log.take({
      caption,
      work: () => access.counts(this.ns(collection), filter),
      observe: (counts) => ({ ok: true, counts: counts.map(({ count }) => count) }),
      keep: access.keptOfCounts,
      expectation,
    });
    return counted?.map(({ count }) => count);
  };

  readonly explain: Lab['explain'] = async (caption, query, expectation) => {
    const { access } = this.#connections;
    await this.#log.take({
      caption,
      work: () => access.explain(this.database, query),
      observe: (_, exchanges) => ({ ok: true, scan: scanOf(exchanges) }),
      keep: access.keptOfPlans,
      expectation,
    });
  };

  readonly race: Lab['race'] = async (caption, clients, run, expectation) => {
    await this.#log.take({
      caption,
      work: () => Promise.allSettled(Array.from({ length: clients }, () => run(this.#connections.db))),
      observe: seenInRace,
      keep: () => [],
      expectation,
    });
  };

  instead(): void {
    this.#log.section = 'instead';
  }

  async onTwoShards(collection: string, { key, at, unique }: TwoShards): Promise<void> {
    if (key === undefined || at === undefined)
      throw new Error(`${collection} needs a key and a point to be split at: { key: 'uid', at: 1000 }`);
    const [below = '', above] = this.shards;
    if (!above) throw new Error(`${collection} needs two shards, and this cluster has ${this.shards.length}`);
    const { router } = this.#connections;
    const ns = this.ns(collection);
    const pattern = typeof key === 'string' ? { [key]: 1 } : key;
    const min = typeof key === 'string' ? { [key]: at } : (at as Document);
    if (String(Object.keys(min)) !== String(Object.keys(pattern)))
      throw new Error(`${collection} is sharded by ${inWords(pattern)}, and is to be split at a value of each field`);
    const upper = { min, max: Object.fromEntries(Object.keys(pattern).map((field) => [field, new MaxKey()])) };
    const words = `\`${collection}\` is sharded by ${inWords(pattern)}${unique ? ', declared unique' : ''}`;
    const point = Object.values(min).join(', ');
    await this.#arrange(`${words}: below ${point} on ${below}, from ${point} upward on ${above}.`, async () => {
      await shardCollection(router, ns, pattern, unique ? { unique } : {});
      await splitAt(router, ns, upper.min);
      await moveRange(router, ns, upper, above);
    });
  }

  async shardCollection(collection: string, key: Document, options: Document = {}): Promise<void> {
    const { router } = this.#connections;
    const words = `\`${collection}\` is sharded by ${inWords(key)}${options.unique ? ', declared unique' : ''}`;
    await this.#arrange(`${words}.`, () => shardCollection(router, this.ns(collection), key, options));
  }

  async splitAt(collection: string, middle: Document): Promise<void> {
    const { router } = this.#connections;
    await this.#arrange(`A chunk of \`${collection}\` is split.`, () => splitAt(router, this.ns(collection), middle));
  }

  async moveRange(collection: string, chunk: KeyRange, toShard: string): Promise<void> {
    const { router } = this.#connections;
    await this.#arrange(`A chunk of \`${collection}\` moves to ${toShard}.`, () =>
      moveRange(router, this.ns(collection), chunk, toShard),
    );
  }

  /**
   * To be called when the run has come to its end.
   * @throws Error when a step is still under way
   */
  end(): void {
    this.#log.finish();
  }

  async #arrange(caption: string, work: () => Promise<unknown>): Promise<void> {
    await this.#log.take({ caption, work, observe: () => ({ ok: true }), isArrangement: true });
  }
}

/** `region, k hashed` */
function inWords(key: Document): string {
  return Object.entries(key)
    .map(([field, kind]) => (kind === 1 ? field : `${field} ${kind}`))
    .join(', ');
}

/** What a step's calls returned, in the words of a record. */
function seen(value: unknown, expectation: Expectation | undefined): Observed {
  const refused = (value as { writeErrors?: { code: number }[] } | null | undefined)?.writeErrors?.[0];
  if (refused) return { ok: false, code: refused.code };
  const documents = Array.isArray(value) ? value.length : value;
  return expectation && asksForDocuments(expectation) && typeof documents === 'number'
    ? { ok: true, documents }
    : { ok: true };
}
