/** Looks at the scratch database between the steps, on connections that no transcript and no experiment watches. */
import type { Document } from 'mongodb';
import { chunksOf, type Router, type ShardedCollection } from '../../../cluster/sharding.ts';
import { OF_SHARDED } from '../../../cluster/versions.ts';
import type { RawExchange } from '../transcript.ts';
import { type Moment, momentOf } from './moment.ts';
import { writtenAlone } from './reads.ts';
import { asking, isShown, type SeenCollection, type ShardSight } from './seen.ts';

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
  readonly sight: ShardSight;
}

/** See the file's comment. */
export class Lookout {
  readonly #sights: Sights;
  #last: readonly SeenCollection[] = [];

  constructor(sights: Sights) {
    this.#sights = sights;
  }

  /**
   * Every collection, by name. After commands that do no more than write documents of known collections, nothing else is looked at.
   * @param exchanges of the step before, whose outcome is to be seen
   * @throws LookError
   */
  async look(exchanges: readonly RawExchange[]): Promise<readonly SeenCollection[]> {
    const written = writtenAlone(exchanges, this.#sights.database);
    const moment = momentOf(exchanges);
    const areKnown = written?.every((name) => this.#last.some(({ collection }) => collection === name));
    this.#last = areKnown ? await this.#again(written ?? [], moment) : await everything(this.#sights, moment);
    return this.#last;
  }

  #again(written: readonly string[], moment: Moment | undefined): Promise<SeenCollection[]> {
    const { sight, database } = this.#sights;
    const seen = this.#last.map(async (known) => {
      if (!written.includes(known.collection)) return known;
      return { ...known, shards: await sight.documents(database, known, moment) };
    });
    return Promise.all(seen);
  }
}

async function everything(sights: Sights, moment: Moment | undefined): Promise<SeenCollection[]> {
  const [sharding, contents] = await Promise.all([
    asking('the router', () => shardingSeen(sights)),
    sights.sight.contents(sights.database, moment),
  ]);
  const sharded = [...sharding.keys()].filter((name) => isShown({ name })); // with a time series its buckets, which nobody looks into
  const names = [...new Set([...sharded, ...contents.keys()])].sort();
  const empty = sights.shards.map((shard) => ({ shard, count: 0, indexes: [] }));
  return names.map((collection) => ({
    collection,
    ...(sharding.get(collection) ?? { chunks: [] }),
    shards: contents.get(collection) ?? empty,
  }));
}

async function shardingSeen({ router, database }: Sights): Promise<Sharding> {
  const entries = await router.client
    .db('config')
    .collection<CollectionEntry>('collections')
    .find({ _id: { $regex: `^${database}\\.` }, ...OF_SHARDED })
    .toArray();
  const shown = entries.map(async (entry) => {
    const { _id: ns, key, unique = false } = entry;
    const chunks = await chunksOf(router, entry);
    return [ns.slice(database.length + 1), { sharded: { key, unique }, chunks }] as const;
  });
  return new Map(await Promise.all(shown));
}
