/** How much a shard holds of a collection. */
import { field, number } from '../../wire/bson.ts';
import type { Peer } from '../../wire/client.ts';
import { askRaw } from '../ask.ts';
import type { Namespace } from '../ddl/namespace.ts';
import { compose } from '../metadata/compose.ts';

export interface Size {
  documents: number;
  bytes: number;
}

/** Of a whole collection, which the engine keeps count of. */
export async function sizeOfCollection(peer: Peer, { db, collection }: Namespace): Promise<Size> {
  const reply = await askRaw(peer, compose({ collStats: collection, $db: db }));
  return { documents: number(field(reply, 'count')) ?? 0, bytes: number(field(reply, 'size')) ?? 0 };
}

/** Never 0, so that it can be divided by. */
export function averageBytes({ documents, bytes }: Size): number {
  return Math.max(1, Math.floor(bytes / Math.max(1, documents)));
}
