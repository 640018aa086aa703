/** Looks at the scratch database between the steps, on connections that no transcript and no experiment watches. */
import type { Document } from 'mongodb';
import { chunksOf, type Router, type ShardedCollection } from '../../../cluster/sharding.ts';
import type { RawExchange } from '../transcript.ts';
import { type Moment, momentOf } from './moment.ts';
import { changesOnlyDocuments } from './reads.ts';
import { asking, type Contents, type SeenCollection } from './seen.ts';

/** What a collection's entry in `config.collections` says. */
interface CollectionEntry extends ShardedCollection {
  readonly key: Document;
  readonly unique?: boolean;
}

type Sharding = ReadonlyMap<string, Pick<SeenCollection, 'sharded' | 'chunks'>>;

/** Where to look. */
export interface Sights {
  readonly router: Router;
  readonly database: string;
  /** Every shard's name, in order. */
  readonly shards: readonly string[];
  readonly contents: (database: string, moment: Moment | undefined) => Promise<Contents>;
}

/** See the file's comment. */
export class Lookout {
  readonly #sights: Sights;
  #sharding: Sharding | undefined;

  constructor(sights: Sights) {
    this.#sights = sights;
  }

  /**
   * Every collection, by name. How they are sharded is asked for when something may have changed it.
   * @param exchanges of the step before, whose outcome is to be seen
   * @throws LookError
   */
  async look(exchanges: readonly RawExchange[]): Promise<SeenCollection[]> {
    const { database, shards, contents } = this.#sights;
    if (exchanges.length === 0 || !exchanges.every(changesOnlyDocuments)) this.#sharding = undefined;
    const [sharding, held] = await Promise.all([
      this.#sharding ?? asking('the router', () => shardingSeen(this.#sights)),
      contents(database, momentOf(exchanges)),
    ]);
    this.#sharding = sharding;
    const names = [...new Set([...sharding.keys(), ...held.keys()])].sort();
    const empty = shards.map((shard) => ({ shard, count: 0, indexes: [] }));
    return names.map((collection) => ({
      collection,
      ...(sharding.get(collection) ?? { chunks: [] }),
      shards: held.get(collection) ?? empty,
    }));
  }
}

async function shardingSeen({ router, database }: Sights): Promise<Sharding> {
  const entries = await router.client
    .db('config')
    .collection<CollectionEntry>('collections')
    .find({ _id: { $regex: `^${database}\\.` }, dropped: { $ne: true } })
    .toArray();
  const shown = entries.map(async (entry) => {
    const { _id: ns, key, unique = false } = entry;
    const chunks = await chunksOf(router, entry);
    return [ns.slice(database.length + 1), { sharded: { key, unique }, chunks }] as const;
  });
  return new Map(await Promise.all(shown));
}
