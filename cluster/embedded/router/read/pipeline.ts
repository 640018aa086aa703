/**
 * An aggregation pipeline parted between the shards, the router and an engine that merges: pure, from its stages
 * (src/mongo/db/pipeline/pipeline_split.cpp).
 */
import { elements, field, number, type RawValue, rawValue, Type } from '../../wire/bson.ts';
import { directionsOf } from './merge.ts';
import { partialOf } from './partial-group.ts';

/** One stage: its name and what it says. */
export interface Stage {
  name: string;
  operand: RawValue;
  /** The whole stage, `{ $name: operand }`. */
  value: RawValue;
}

/** Who does what. */
export interface Split {
  /** On every shard. */
  shardPart: readonly RawValue[];
  /** The shards are to send partial states and sort keys (`needsMerge`). */
  needsMerge: boolean;
  /** The directions of the sort by which the router merges; absent where any order will do. */
  directions: readonly number[] | undefined;
  /** What the router passes over and lets through of the merged stream. */
  skip: number;
  limit: number | undefined;
  /** On one engine, fed with the merged stream; empty when nothing is left to do. */
  mergePart: readonly RawValue[];
}

/** Stages that make of one document one document, so that it does not matter whether they come before or after a limit. */
const ONE_TO_ONE: ReadonlySet<string> = new Set([
  '$project',
  '$addFields',
  '$set',
  '$unset',
  '$replaceRoot',
  '$replaceWith',
]);
/** Stages that look at one document at a time and keep the order. */
const STREAMING: ReadonlySet<string> = new Set([...ONE_TO_ONE, '$match', '$redact', '$unwind']);
/** Stages that begin a pipeline with documents of each shard's own. */
export const SOURCES: ReadonlySet<string> = new Set(['$collStats', '$indexStats', '$planCacheStats']);

/** The stages of a pipeline; `undefined` when it is not of a pipeline's form. */
export function stagesOf(pipeline: RawValue | undefined): Stage[] | undefined {
  if (pipeline?.type !== Type.array) return undefined;
  const stages: Stage[] = [];
  for (const { type, bytes } of elements(pipeline.bytes)) {
    const parts = type === Type.object ? elements(bytes) : [];
    const [operator] = parts;
    if (!operator || parts.length !== 1) return undefined;
    stages.push({ name: operator.name, operand: operator, value: { type, bytes } });
  }
  return stages;
}

/** Parts a pipeline for several shards. */
export function splitPipeline(stages: readonly Stage[]): Split {
  const taken = new Taken();
  const left = stages.findIndex((stage, i) => !taken.take(stage, i === 0));
  const rest = left < 0 ? [] : stages.slice(left);
  const partial = rest[0] && taken.isUnordered ? partialOf(rest[0]) : undefined;
  const mergePart = rest.slice(partial ? 1 : 0).map(({ value }) => value);
  return {
    shardPart: partial ? [...taken.shardPart, partial.onShards] : taken.shardPart,
    needsMerge: taken.directions !== undefined || partial !== undefined,
    directions: taken.directions,
    skip: taken.skip,
    limit: taken.limit,
    mergePart: partial ? [...partial.onMerger, ...mergePart] : mergePart,
  };
}

/** The front of a pipeline that needs no merging engine: shards do their part, the router merges, skips and limits. */
class Taken {
  readonly #stages: RawValue[] = [];
  /** Where in the shards' part the first skip or limit stood. */
  #boundedAt: number | undefined;
  directions: readonly number[] | undefined;
  skip = 0;
  limit: number | undefined;

  /** Takes a stage, unless it has to be left to a merging engine. */
  take(stage: Stage, isFirst: boolean): boolean {
    const { name, operand, value } = stage;
    if (name === '$limit' || name === '$skip') return this.#bound(name, number(operand));
    if (this.#boundedAt !== undefined) return ONE_TO_ONE.has(name) && this.#add(value);
    if (STREAMING.has(name) || (isFirst && SOURCES.has(name))) return this.#add(value);
    return this.directions === undefined && this.#order(stage, isFirst) && this.#add(value);
  }

  /** Nothing has ordered or cut the stream, so what comes next may be done in parts. */
  get isUnordered(): boolean {
    return this.directions === undefined && this.#boundedAt === undefined;
  }

  /** Any shard may hold all of what the router lets through. */
  get shardPart(): RawValue[] {
    if (this.limit === undefined) return this.#stages;
    return this.#stages.toSpliced(
      this.#boundedAt ?? this.#stages.length,
      0,
      rawValue({ $limit: this.skip + this.limit }),
    );
  }

  #add(value: RawValue): true {
    this.#stages.push(value);
    return true;
  }

  #bound(name: '$limit' | '$skip', n: number | undefined): boolean {
    if (n === undefined || !Number.isSafeInteger(n) || n < 0 || (name === '$limit' && n === 0)) return false; // to be refused
    this.#boundedAt ??= this.#stages.length;
    if (name === '$limit') {
      this.limit = Math.min(this.limit ?? n, n);
    } else {
      this.skip += n;
      if (this.limit !== undefined) this.limit = Math.max(0, this.limit - n);
    }
    return true;
  }

  /** A stage whose result is in an order for which shards send keys. */
  #order({ name, operand }: Stage, isFirst: boolean): boolean {
    if (name === '$sort' && operand.type === Type.object) this.directions = directionsOf(operand.bytes);
    else if (name === '$geoNear' && isFirst) this.directions = [1];
    else if (name === '$sample' && operand.type === Type.object) this.#sample(number(field(operand.bytes, 'size')));
    return this.directions !== undefined;
  }

  /** Every shard sends as many as are wanted, each with a random number; those with the highest are the sample. */
  #sample(size: number | undefined): void {
    if (size === undefined || size < 1) return;
    this.directions = [-1];
    this.limit = size;
    this.#boundedAt = this.#stages.length + 1;
  }
}
