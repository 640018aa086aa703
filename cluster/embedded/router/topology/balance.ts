/** What the balancer would find to do on a collection: pure (`BalancerPolicy::balance`, src/mongo/db/s/balancer/balancer_policy.cpp). */
import { compareDocuments } from '../compare.ts';
import type { ChunkEntry, ZoneRange } from '../metadata/documents.ts';

/** One shard of the cluster, whether or not it owns a part of the collection. */
export interface ShardLoad {
  id: string;
  zones: readonly string[];
  /** Of the collection's documents. */
  bytes: number;
}

/** How a collection is spread. */
export interface Distribution {
  chunks: readonly Pick<ChunkEntry, 'min' | 'max' | 'shard' | 'jumbo'>[];
  zoneRanges: readonly Pick<ZoneRange, 'min' | 'max' | 'zone'>[];
  shards: readonly ShardLoad[];
  maxChunkBytes: number;
}

/** The balancer's words for why it would act. A shard never drains here. */
export type Violation = 'zoneViolation' | 'chunksImbalance';

type Chunk = Distribution['chunks'][number];

/** Where chunks belong to no zone. */
const NO_ZONE = '';
/** In full chunks: a smaller difference between two shards is let be. */
const TOLERATED_DIFFERENCE = 3;

/** The first thing the balancer would set right; `undefined` when it would leave the collection alone. */
export function violationOf(distribution: Distribution): Violation | undefined {
  if (crossesZoneBound(distribution) || hasMisplacedChunk(distribution)) return 'zoneViolation';
  const zones = [...new Set(distribution.zoneRanges.map(({ zone }) => zone)), NO_ZONE];
  return zones.some((zone) => isImbalanced(zone, distribution)) ? 'chunksImbalance' : undefined;
}

/** A chunk that a zone begins or ends inside of would be split. */
function crossesZoneBound({ chunks, zoneRanges }: Distribution): boolean {
  const bounds = zoneRanges.flatMap(({ min, max }) => [min, max]);
  return bounds.some((bound) =>
    chunks.some(({ min, max }) => compareDocuments(min, bound) < 0 && compareDocuments(bound, max) < 0),
  );
}

function hasMisplacedChunk({ chunks, zoneRanges, shards }: Distribution): boolean {
  const zonesOf = new Map(shards.map(({ id, zones }) => [id, zones]));
  const served = new Set(shards.flatMap(({ zones }) => zones));
  return chunks.some((chunk) => {
    const zone = zoneOf(chunk, zoneRanges);
    return zone !== NO_ZONE && !chunk.jumbo && served.has(zone) && !zonesOf.get(chunk.shard)?.includes(zone);
  });
}

/** Whether the fullest shard has a chunk of the zone to give to the emptiest that may take it. */
function isImbalanced(zone: string, { chunks, zoneRanges, shards, maxChunkBytes }: Distribution): boolean {
  const takers = shards.filter(({ zones }) => zone === NO_ZONE || zones.includes(zone));
  const [from] = [...shards].sort((a, b) => b.bytes - a.bytes);
  const [to] = takers.sort((a, b) => a.bytes - b.bytes);
  if (!from || !to || from.bytes - to.bytes < TOLERATED_DIFFERENCE * maxChunkBytes) return false;
  return chunks.some((chunk) => chunk.shard === from.id && !chunk.jumbo && zoneOf(chunk, zoneRanges) === zone);
}

function zoneOf({ min, max }: Chunk, zoneRanges: Distribution['zoneRanges']): string {
  const holds = (range: { min: Buffer; max: Buffer }): boolean =>
    compareDocuments(range.min, min) <= 0 && compareDocuments(max, range.max) <= 0;
  return zoneRanges.find(holds)?.zone ?? NO_ZONE;
}
