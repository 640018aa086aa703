/**
 * The chunks a collection begins with when it is sharded (src/mongo/db/s/config/initial_split_policy.cpp, and `createPolicy` in
 * src/mongo/db/global_catalog/ddl/create_collection_coordinator.cpp; 9.0, without `presplitHashedZones`).
 */
import { documentOf, elements, Type } from '../wire/bson.ts';
import { documentText } from './bson-text.ts';
import { CommandError } from './command.ts';
import { compareDocuments, MIN_KEY } from './compare.ts';
import type { Chunk, KeyField } from './routing.ts';
import { globalMax, globalMin, isHashedBound, parseShardKey } from './shard-key.ts';

const INVALID_OPTIONS = 72;
const CANNOT_CREATE_CHUNK_DISTRIBUTION = 405;
const INT64_MAX = 2n ** 63n - 1n;

/** One zone range of the collection, and the shards its zone is assigned to. */
export interface InitialZone {
  zone: string;
  min: Buffer;
  max: Buffer;
  shards: readonly string[];
}

/** What decides the first chunks. */
export interface InitialChunksSpec {
  keyPattern: Buffer;
  /**
   * The shards, in the order in which they get chunks. A server shuffles its list with a generator of fixed seed, whose outcome
   * depends on the C++ library it was built with; here the order is the caller's, by name.
   */
  shards: readonly string[];
  /** The database's primary shard. */
  primary: string;
  /** The collection holds no document. */
  empty: boolean;
  /** In key order. */
  zones: readonly InitialZone[];
}

/**
 * The first chunks, in key order: one on the primary shard, unless the collection is empty and has zones (a chunk for each range
 * and each hole) or its key begins with a hashed field (a chunk for each shard).
 * @throws CommandError 405 when a zone has no shard
 */
export function initialChunks({ keyPattern, shards, primary, empty, zones }: InitialChunksSpec): Chunk[] {
  const fields = parseShardKey(keyPattern);
  if (empty && zones.length > 0) return zoneChunks(fields, shards, zones);
  if (empty && fields[0]?.hashed) return consecutive(fields, hashedSplitPoints(fields, shards.length), shards);
  return consecutive(fields, [], [primary]);
}

/** One chunk between each two split points, on the shards in turn. */
function consecutive(fields: readonly KeyField[], splitPoints: readonly Buffer[], shards: readonly string[]): Chunk[] {
  const bounds = [globalMin(fields), ...splitPoints, globalMax(fields)];
  return bounds
    .slice(1)
    .map((max, i) => ({ min: bounds[i] as Buffer, max, shard: shards[i % shards.length] as string }));
}

/** Points that part the hashes evenly and lie symmetrically around 0 (`calculateHashedSplitPoints`). */
function hashedSplitPoints(fields: readonly KeyField[], chunks: number): Buffer[] {
  const interval = (INT64_MAX / BigInt(chunks)) * 2n;
  const first = chunks % 2 === 0 ? 0n : interval / 2n;
  const points = chunks % 2 === 0 ? [0n] : [];
  for (let i = 0; i < Math.floor((chunks - 1) / 2); i++) {
    const point = first + interval * BigInt(chunks % 2 === 0 ? i + 1 : i);
    points.push(point, -point);
  }
  return points.sort((a, b) => (a < b ? -1 : 1)).map((point) => hashedBound(fields, point));
}

function hashedBound(fields: readonly KeyField[], hash: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(hash);
  return documentOf(
    fields.map(({ path, hashed }) => ({ name: path, ...(hashed ? { type: Type.long, bytes } : MIN_KEY) })),
  );
}

/** A chunk for each range on its zone's shards in turn, and for each hole between ranges on all shards in turn. */
function zoneChunks(fields: readonly KeyField[], shards: readonly string[], zones: readonly InitialZone[]): Chunk[] {
  const chunks: Chunk[] = [];
  const turns = new Map<string, number>();
  let holes = 0;
  let end = globalMin(fields);
  const fillTo = (max: Buffer): void => {
    if (compareDocuments(max, end) > 0)
      chunks.push({ min: end, max, shard: shards[holes++ % shards.length] as string });
  };
  for (const zone of zones) {
    fillTo(zone.min);
    const turn = turns.get(zone.zone) ?? 0;
    turns.set(zone.zone, turn + 1);
    chunks.push({ min: zone.min, max: zone.max, shard: shardOfZone(zone, turn) });
    end = zone.max;
  }
  fillTo(globalMax(fields));
  return chunks;
}

function shardOfZone({ shards }: InitialZone, turn: number): string {
  const shard = shards[turn % shards.length];
  if (shard !== undefined) return shard;
  const why = 'is not able to find a chunk distribution that satisfies the given set of zones with the current shards';
  throw new CommandError(CANNOT_CREATE_CHUNK_DISTRIBUTION, `The initial split policy ${why}`);
}

/**
 * Refuses zone ranges that were made for another shard key (`getTagsAndValidate`,
 * create_collection_coordinator.cpp).
 * @throws CommandError 72
 */
export function checkZones(keyPattern: Buffer, zones: readonly Pick<InitialZone, 'min' | 'max'>[]): void {
  const fields = parseShardKey(keyPattern);
  for (const zone of zones) checkZone(keyPattern, fields, zone);
}

function checkZone(
  keyPattern: Buffer,
  fields: readonly KeyField[],
  { min, max }: Pick<InitialZone, 'min' | 'max'>,
): void {
  const range = `${documentText(min)} -->> ${documentText(max)}`;
  const key = documentText(keyPattern);
  const lowerParts = elements(min);
  const upperParts = elements(max);
  for (const [i, lower] of lowerParts.entries()) {
    const upper = upperParts[i];
    const part = fields[i];
    if (!upper || lower.name !== upper.name) {
      throw new CommandError(INVALID_OPTIONS, `the min and max of the existing zone ${range} have non-matching keys`);
    }
    const endsTogether = (i + 1 === lowerParts.length) === (i + 1 === fields.length);
    if (!part || lower.name !== part.path || !endsTogether) throw mismatch(key, range);
    if (part.hashed && !(isHashedBound(lower) && isHashedBound(upper))) throw notHashed(key, range);
  }
}

function notHashed(key: string, range: string): CommandError {
  const why = `because there exists a zone ${range} whose boundaries are not of type NumberLong, MinKey or MaxKey`;
  return new CommandError(INVALID_OPTIONS, `cannot do hash sharding with the proposed key ${key} ${why}`);
}

function mismatch(key: string, range: string): CommandError {
  const why = `does not match with the shard key of the existing zone ${range}`;
  return new CommandError(INVALID_OPTIONS, `the proposed shard key ${key} ${why}`);
}
