/** Looks at the scratch database between the steps, on connections that no transcript and no experiment watches. */
import type { Document } from 'mongodb';
import { placement, type Router } from '../../../cluster/sharding.ts';
import type { RawExchange } from '../transcript.ts';
import { type Moment, momentOf } from './moment.ts';
import { asking, type Contents, type SeenCollection } from './seen.ts';

/** What a collection's entry in `config.collections` says. */
interface CollectionEntry {
  readonly _id: string;
  readonly key: Document;
  readonly unique?: boolean;
}

type Sharded = Pick<SeenCollection, 'sharded' | 'chunks'>;

/** Where to look. */
export interface Lookout {
  readonly router: Router;
  readonly database: string;
  /** Every shard's name, in order. */
  readonly shards: readonly string[];
  readonly contents: (database: string, moment: Moment | undefined) => Promise<Contents>;
}

/**
 * Every collection of the scratch database, by name.
 * @param exchanges of the step before, whose outcome is to be seen
 * @throws LookError
 */
export async function look(lookout: Lookout, exchanges: readonly RawExchange[]): Promise<SeenCollection[]> {
  const { database, shards } = lookout;
  const [sharded, contents] = await Promise.all([
    asking('the router', () => shardedCollections(lookout)),
    lookout.contents(database, momentOf(exchanges)),
  ]);
  const names = [...new Set([...sharded.keys(), ...contents.keys()])].sort();
  const empty = shards.map((shard) => ({ shard, count: 0, indexes: [] }));
  return names.map((collection) => ({
    collection,
    ...(sharded.get(collection) ?? { chunks: [] }),
    shards: contents.get(collection) ?? empty,
  }));
}

async function shardedCollections({ router, database }: Lookout): Promise<Map<string, Sharded>> {
  const entries = await router.client
    .db('config')
    .collection<CollectionEntry>('collections')
    .find({ _id: { $regex: `^${database}\\.` }, dropped: { $ne: true } })
    .toArray();
  const shown = entries.map(async ({ _id: ns, key, unique = false }) => {
    const chunks = await placement(router, ns);
    return [ns.slice(database.length + 1), { sharded: { key, unique }, chunks }] as const;
  });
  return new Map(await Promise.all(shown));
}
