/** How much a shard holds. */
import { field, number } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { askRaw } from '../ask.ts';
import type { Namespace } from '../ddl/namespace.ts';
import { compose, embedded } from '../metadata/compose.ts';
import type { KeyRange } from './shard-range.ts';

export interface Size {
  documents: number;
  bytes: number;
}

/** Of a whole collection, which the engine keeps count of. */
export async function sizeOfCollection(peer: Peer, { db, collection }: Namespace): Promise<Size> {
  const reply = await askRaw(peer, compose({ collStats: collection, $db: db }));
  return { documents: number(field(reply, 'count')) ?? 0, bytes: number(field(reply, 'size')) ?? 0 };
}

/** Of a range of shard keys, which is read through. */
export async function sizeOfRange(
  peer: Peer,
  { ns, db }: Namespace,
  { min, max }: KeyRange,
  keyPattern: Buffer,
): Promise<Size> {
  const bounds = { keyPattern: embedded(keyPattern), min: embedded(min), max: embedded(max) };
  const reply = await askRaw(peer, compose({ dataSize: ns, ...bounds, $db: db }));
  return { documents: number(field(reply, 'numObjects')) ?? 0, bytes: number(field(reply, 'size')) ?? 0 };
}

/** Never 0, so that it can be divided by. */
export function averageBytes({ documents, bytes }: Size): number {
  return Math.max(1, Math.floor(bytes / Math.max(1, documents)));
}
