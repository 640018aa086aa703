/** Scratch databases on a cluster that others use too: their names, and how nothing is left of them. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Document, MongoClient } from 'mongodb';
import { updateZoneKeyRange } from '../sharding.ts';

/** The name of a scratch database at the beginning of a text. */
const SCRATCH_NAME = /^shardlab_[0-9a-f]{12}(?![0-9a-z])/;

/** A command that was under way when its client went may make a database again that has just been dropped. */
const ATTEMPTS = 5;
const PAUSE_MS = 200;

export function newScratchName(): string {
  return `shardlab_${randomBytes(6).toString('hex')}`;
}

/** Names of scratch databases of which something is there: data, an entry in `config`, zones. Sorted. */
export async function scratchNames(client: MongoClient): Promise<string[]> {
  const config = client.db('config');
  const [listed, known, ranges, shards] = await Promise.all([
    databases(client),
    config.collection<{ _id: string }>('databases').find().toArray(),
    config.collection('tags').find().toArray(),
    config.collection('shards').find().toArray(),
  ]);
  const zones = shards.flatMap(({ tags }): string[] => tags ?? []);
  const texts = [...listed, ...known.map(({ _id }) => _id), ...ranges.map(({ ns }) => String(ns)), ...zones];
  return [...new Set(texts.flatMap((text) => SCRATCH_NAME.exec(text)?.[0] ?? []))].sort();
}

/**
 * Drops a scratch database, the zone ranges of its collections, and the zones whose names begin with its name.
 * @throws Error when `name` is no scratch database's, or the database is there again whenever it has been dropped
 */
export async function dropScratch(client: MongoClient, name: string): Promise<void> {
  if (SCRATCH_NAME.exec(name)?.[0] !== name) throw new Error(`${name} is no scratch database`);
  await removeZoneRanges(client, name);
  await dropForGood(client, name);
  await removeZones(client, name);
}

async function removeZoneRanges(client: MongoClient, name: string): Promise<void> {
  const ranges = await client
    .db('config')
    .collection('tags')
    .find({ ns: { $regex: `^${name}\\.` } })
    .toArray();
  for (const { ns, min, max } of ranges) await updateZoneKeyRange({ client }, ns, { min, max }, null);
}

async function dropForGood(client: MongoClient, name: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await client.db(name).dropDatabase();
    await sleep(attempt * PAUSE_MS);
    if (!(await databases(client)).includes(name)) return;
  }
  throw new Error(`the scratch database ${name} was dropped ${ATTEMPTS} times and is there again`);
}

async function removeZones(client: MongoClient, name: string): Promise<void> {
  const shards = await client.db('config').collection<Document & { _id: string }>('shards').find().toArray();
  for (const { _id: shard, tags = [] } of shards) {
    for (const zone of tags.filter((tag: string) => SCRATCH_NAME.exec(tag)?.[0] === name))
      await client.db('admin').command({ removeShardFromZone: shard, zone });
  }
}

async function databases(client: MongoClient): Promise<string[]> {
  const { databases: all } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  return all.map(({ name }) => name);
}
