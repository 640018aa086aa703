/** What was seen after each step, as a record says it: reproducible, and only where it differs from what was before. */
import type { Document } from 'mongodb';
import type { Normalizer } from '../normalize.ts';
import type { CollectionState, JsonObject, ShardState } from '../record.ts';
import type { LeftToChance } from './chance.ts';
import { placed } from './order.ts';
import type { SeenCollection, SeenShard } from './seen.ts';

/** What is known of the cluster after a step. */
export interface Sight {
  /** Undefined where it was not looked at: nothing can have changed. */
  readonly seen?: readonly SeenCollection[];
  readonly chance?: LeftToChance;
}

/** Of one run. Its steps are to be taken in order, each after its exchanges. */
export class StateLog {
  /** The collections whose documents hang on chance, until they are gone. */
  #chance: ReadonlySet<string> = new Set();
  #last: readonly CollectionState[] = [];
  readonly #tidy: Normalizer;

  constructor(tidy: Normalizer) {
    this.#tidy = tidy;
  }

  /** @returns the state that the record gives, undefined where it is that of the step before */
  after({ seen, chance = [] }: Sight): readonly CollectionState[] | undefined {
    if (!seen) return undefined;
    const names = seen.map(({ collection }) => collection);
    const raced = chance === 'every collection' ? names : chance;
    this.#chance = new Set([...this.#chance, ...raced].filter((name) => names.includes(name)));
    const state = seen.map((one) => this.#collection(one));
    if (JSON.stringify(state) === JSON.stringify(this.#last)) return undefined;
    this.#last = state;
    return state;
  }

  #collection(seen: SeenCollection): CollectionState {
    const { collection, sharded, chunks } = seen;
    const tidy = this.#tidy;
    return {
      collection: tidy.text(collection),
      ...(sharded && { sharded: { key: tidy.document(sharded.key), unique: sharded.unique } }),
      chunks: chunks.map(({ min, max, shard }) => ({ min: tidy.document(min), max: tidy.document(max), shard })),
      shards: seen.shards.map((shard) => this.#shard(shard, seen)),
    };
  }

  #shard({ shard, count, indexes, documents }: SeenShard, collection: SeenCollection): ShardState {
    const known = { shard, indexes: indexes.map((index) => indexState(index, this.#tidy)).sort(byName) };
    if (this.#chance.has(collection.collection)) return known;
    const shown = documents && placed(documents, collection, this.#tidy);
    const states = shown?.map(({ document, chunk }) => ({
      document: this.#tidy.content(document),
      ...(chunk !== undefined && { chunk }),
    }));
    return { ...known, count, ...(states && { documents: states }) };
  }
}

/** In one order, whoever lists it: `v`, `key`, `name`, then the options. The embedded engine names the simple collation where others leave it out. */
function indexState({ v, key, name, ...options }: Document, tidy: Normalizer): JsonObject {
  const isSaid = ([option, value]: [string, Document]) => option !== 'collation' || value.locale !== 'simple';
  const said = Object.entries(options).filter(isSaid).sort(byOption);
  return tidy.document({ v, key, name, ...Object.fromEntries(said) });
}

function byOption([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

function byName(one: JsonObject, other: JsonObject): number {
  return String(one.name) < String(other.name) ? -1 : 1;
}
