/** Zones: shards belong to zones, and so do ranges of a collection's key (src/mongo/db/global_catalog/ddl/sharding_catalog_manager_zone_operations.cpp). */
import { documentOf, elements, field, rawValue, text } from '../../wire/bson.ts';
import { findAll } from '../ask.ts';
import { documentText } from '../bson-text.ts';
import type { Catalog } from '../catalog.ts';
import { extendBound, sameBound } from '../chunks/bounds.ts';
import { type Call, CommandError, type CommandHandler, modelReply, type Reply, type Router } from '../command.ts';
import { compareDocuments } from '../compare.ts';
import { compose, embedded } from '../metadata/compose.ts';
import type { ZoneRange } from '../metadata/documents.ts';
import { zoneRangesOf, zonesByShard } from '../metadata/zones.ts';
import { checkStorable, isHashedBound, parseShardKey } from '../shard-key.ts';
import { adminOnly } from '../topology/admin-only.ts';
import { fullNamespace } from './namespace.ts';
import { fieldsOf, requireField } from './request.ts';

const BAD_RANGE = 9;
const SHARD_KEY_NOT_FOUND = 61;
const SHARD_NOT_FOUND = 70;
const INVALID_OPTIONS = 72;
const ZONE_STILL_IN_USE = 163;
const ZONE_NOT_FOUND = 177;
const RANGE_OVERLAP = 178;
/** Zone commands run one after the other. */
const ZONES = 'config.tags';

export const zoneCommands: Readonly<Record<string, CommandHandler>> = {
  addShardToZone: adminOnly(serialised(addShardToZone)),
  removeShardFromZone: adminOnly(serialised(removeShardFromZone)),
  updateZoneKeyRange: adminOnly(serialised(updateZoneKeyRange)),
};

function serialised(handler: CommandHandler): CommandHandler {
  return (call, router) => router.catalog.changing(ZONES, () => handler(call, router));
}

async function addShardToZone(call: Call, router: Router): Promise<Reply> {
  const { shard, zone, tags } = await shardAndZone(call, router);
  if (!tags.includes(zone)) await setTags(shard, [...tags, zone], router);
  return modelReply();
}

async function removeShardFromZone(call: Call, router: Router): Promise<Reply> {
  const { shard, zone, tags, zones } = await shardAndZone(call, router);
  const isOnlyOne = tags.includes(zone) && [...zones.values()].filter((other) => other.includes(zone)).length === 1;
  if (isOnlyOne && (await isInUse(zone, router))) {
    const text = 'cannot remove a shard from zone if a chunk range is associated with it';
    throw new CommandError(ZONE_STILL_IN_USE, text);
  }
  await setTags(
    shard,
    tags.filter((tag) => tag !== zone),
    router,
  );
  return modelReply();
}

async function shardAndZone(
  call: Call,
  { catalog }: Router,
): Promise<{ shard: string; zone: string; tags: string[]; zones: Map<string, string[]> }> {
  const fields = fieldsOf(call, { zone: 'string' });
  const zone = text(requireField(call, fields, 'zone')) ?? '';
  const shard = text(field(call.body, call.name)) ?? '';
  const zones = await zonesByShard(catalog);
  const tags = zones.get(shard);
  if (!tags) throw new CommandError(SHARD_NOT_FOUND, `shard ${shard} does not exist`);
  return { shard, zone, tags, zones };
}

async function isInUse(zone: string, { catalog }: Router): Promise<boolean> {
  return (await findAll(catalog.config, 'config', { find: 'tags', filter: { tag: zone }, limit: 1 })).length > 0;
}

async function setTags(shard: string, tags: readonly string[], { metadata }: Router): Promise<void> {
  await metadata.commit([{ update: 'shards', filter: { _id: shard }, set: { tags } }], () => {});
}

async function updateZoneKeyRange(call: Call, router: Router): Promise<Reply> {
  const { ns } = fullNamespace(call);
  const fields = fieldsOf(call, { min: 'object', max: 'object', zone: 'string' });
  const [min, max] = [requireField(call, fields, 'min').bytes, requireField(call, fields, 'max').bytes];
  if (compareDocuments(min, max) >= 0) {
    throw new CommandError(BAD_RANGE, `min: ${documentText(min)} should be less than max: ${documentText(max)}`);
  }
  const zone = text(fields.get('zone'));
  const range = rangeOf(ns, { min, max }, router);
  if (zone === undefined) await unassign(ns, range, router);
  else await assign(ns, range, zone, router);
  return modelReply();
}

interface Range {
  min: Buffer;
  max: Buffer;
  keyPattern: Buffer;
}

/** The range with every field of the collection's key; of a collection that is not sharded yet, as given. */
function rangeOf(ns: string, { min, max }: { min: Buffer; max: Buffer }, { metadata }: Router): Range {
  const keyPattern = metadata.sharded(ns)?.entry.key;
  if (!keyPattern) return { min, max, keyPattern: inferred(min, max) };
  for (const [name, bound] of Object.entries({ min, max })) {
    if (isPrefix(bound, keyPattern)) continue;
    const why = `is not a prefix of the shard key ${documentText(keyPattern)} of ns: ${ns}`;
    throw new CommandError(SHARD_KEY_NOT_FOUND, `${name}: ${documentText(bound)} ${why}`);
  }
  return { min: extendBound(keyPattern, min), max: extendBound(keyPattern, max), keyPattern };
}

function isPrefix(bound: Buffer, keyPattern: Buffer): boolean {
  const pattern = elements(keyPattern);
  return elements(bound).every(({ name }, i) => pattern[i]?.name === name);
}

function inferred(min: Buffer, max: Buffer): Buffer {
  const [ofMin, ofMax] = [min, max].map((bound) =>
    documentOf(elements(bound).map(({ name }) => ({ name, ...rawValue(1) }))),
  ) as [Buffer, Buffer];
  if (ofMin.equals(ofMax)) return ofMin;
  throw new CommandError(
    SHARD_KEY_NOT_FOUND,
    `the shard key of min ${documentText(min)} doesn't match with the shard key of max ${documentText(max)}`,
  );
}

async function unassign(ns: string, { min, max }: Range, { metadata }: Router): Promise<void> {
  const filter = compose({ ns, min: embedded(min), max: embedded(max) });
  await metadata.commit([{ delete: 'tags', filter }], () => {});
}

async function assign(ns: string, range: Range, zone: string, router: Router): Promise<void> {
  const { min, max } = range;
  checkStorable(min);
  checkStorable(max);
  const zones = [...(await zonesByShard(router.catalog)).values()].flat();
  if (!zones.includes(zone)) throw new CommandError(ZONE_NOT_FOUND, `zone ${zone} does not exist`);
  checkHashed(range);
  await checkOverlap(ns, range, zone, router.catalog);
  const filter = compose({ ns, min: embedded(min) });
  const set = { ns, min: embedded(min), max: embedded(max), tag: zone };
  await router.metadata.commit([{ update: 'tags', filter, set, upsert: true }], () => {});
}

function checkHashed({ min, max, keyPattern }: Range): void {
  const fields = parseShardKey(keyPattern);
  const isHashed = (bound: Buffer): boolean =>
    elements(bound).every((value, i) => !fields[i]?.hashed || isHashedBound(value));
  if (isHashed(min) && isHashed(max)) return;
  throw new CommandError(
    INVALID_OPTIONS,
    `there exists a field in the range ${documentText(min)} -->> ${documentText(max)} not of type NumberLong, MinKey, or MaxKey which corresponds to a hashed field in the shard key pattern ${documentText(keyPattern)}`,
  );
}

/** The very same range of the same zone again is no conflict. */
async function checkOverlap(
  ns: string,
  { min, max, keyPattern }: Range,
  zone: string,
  catalog: Catalog,
): Promise<void> {
  for (const found of await zoneRangesOf(catalog, ns)) {
    const existing = { ...found, min: extendBound(keyPattern, found.min), max: extendBound(keyPattern, found.max) };
    if (compareDocuments(existing.max, min) <= 0 || compareDocuments(existing.min, max) >= 0) continue;
    if (sameBound(existing.min, min) && sameBound(existing.max, max) && existing.zone === zone) continue;
    const wanted = zoneText({ min, max, zone });
    throw new CommandError(RANGE_OVERLAP, `Zone range: ${wanted} is overlapping with existing: ${zoneText(existing)}`);
  }
}

function zoneText({ min, max, zone }: Omit<ZoneRange, 'ns'>): string {
  return `${documentText(min)} -->> ${documentText(max)}  on  ${zone}`;
}
