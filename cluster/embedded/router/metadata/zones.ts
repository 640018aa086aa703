/** Which zones shards and ranges belong to, as `config.shards` and `config.tags` say. */
import { elements, field, text } from '../../wire/bson.ts';
import { findAll } from '../ask.ts';
import type { Catalog } from '../catalog.ts';
import { compareDocuments } from '../compare.ts';
import { readZoneRange, type ZoneRange } from './documents.ts';

/** The zones of every shard, by its name. */
export async function zonesByShard({ config }: Catalog): Promise<Map<string, string[]>> {
  const shards = await findAll(config, 'config', { find: 'shards' });
  return new Map(shards.map((shard) => [text(field(shard, '_id')) ?? '', tagsOf(shard)]));
}

/** The zone ranges of a collection, in key order. */
export async function zoneRangesOf({ config }: Catalog, ns: string): Promise<ZoneRange[]> {
  const ranges = (await findAll(config, 'config', { find: 'tags', filter: { ns } })).map(readZoneRange);
  return ranges.sort((a, b) => compareDocuments(a.min, b.min));
}

function tagsOf(shard: Buffer): string[] {
  const tags = field(shard, 'tags');
  return tags ? elements(tags.bytes).map((tag) => text(tag) ?? '') : [];
}
