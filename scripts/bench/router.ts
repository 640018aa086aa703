/** What the embedded router costs: the same work through it and on the engines directly. */
import { type Collection, type Document, MongoClient } from 'mongodb';
import { type Cluster, moveRange, placement, shardCollection, splitAt } from '../../cluster/index.ts';
import { compare, type Measurement } from './measure.ts';

const SINGLE = 2_000;
const BULK = 100_000;
const SCAN = 1_000_000;
const MOVED = 50_000;
const BATCH = 1_000;

/** The collections of one benchmark, through the router and on each shard's engine. */
interface Bench {
  cluster: Cluster;
  router: MongoClient;
  shards: readonly MongoClient[];
}

/**
 * @param say told what is measured next
 * @returns one measurement after the other, in a fixed order
 */
export async function measureRouter(cluster: Cluster, say: (what: string) => void): Promise<Measurement[]> {
  const router = new MongoClient(cluster.uri);
  const shards = cluster.shards.map(({ uri }) => new MongoClient(uri));
  const bench = { cluster, router, shards };
  const found: Measurement[] = [];
  try {
    for (const [what, measure] of Object.entries({ singles, bulk, scan, move })) {
      say(what);
      found.push(...(await measure(bench)));
    }
    return found;
  } finally {
    await Promise.all([router, ...shards].map((client) => client.close()));
  }
}

async function singles(bench: Bench): Promise<Measurement[]> {
  const routed = await onBothShards(bench, 'singles', SINGLE / 2);
  const direct = engine(bench, 0).collection('singles');
  await direct.createIndex({ k: 1 });
  const insert = (to: Collection) => () => repeat(SINGLE, (i) => to.insertOne({ k: i, text: 'x'.repeat(100) }));
  const find = (from: Collection) => () => repeat(SINGLE, (i) => from.findOne({ k: i }));
  return [
    await compare('insertOne by shard key', 1.6, 5, insert(routed), insert(direct)),
    await compare('findOne by shard key', 1.6, 5, find(routed), find(direct)),
  ];
}

async function bulk(bench: Bench): Promise<Measurement[]> {
  const routed = await onBothShards(bench, 'bulk', BULK / 2);
  const direct = engine(bench, 0).collection('bulk');
  await direct.createIndex({ k: 1 });
  const what = `insertMany of ${BULK} in batches of ${BATCH}`;
  return [
    await compare(
      what,
      2,
      3,
      () => fill(routed, BULK),
      () => fill(direct, BULK),
    ),
  ];
}

async function scan(bench: Bench): Promise<Measurement[]> {
  const routed = await onBothShards(bench, 'scan', SCAN / 2);
  await fill(routed, SCAN);
  const before = await residentMb(bench.router);
  const direct = bench.shards.map((client) => client.db('bench').collection('scan'));
  const both = () => Promise.all(direct.map(readAll));
  const ratio = await compare(`scan of ${SCAN}, against both shards at once`, 2, 3, () => readAll(routed), both);
  const growth = (await residentMb(bench.router)) - before;
  const made = `${before} MB before the scans`;
  return [ratio, { what: 'growth of the router while scanning', unit: 'MB', value: growth, limit: 64, made }];
}

async function move({ cluster, router, shards }: Bench): Promise<Measurement[]> {
  const ns = 'bench.move';
  await shardCollection({ client: router, version: cluster.version }, ns, { k: 1 });
  await fill(router.db('bench').collection('move'), MOVED);
  const [from, to] = shards.map((client) => client.db('direct').collection('move')) as [Collection, Collection];
  await Promise.all([from, to].map((collection) => collection.createIndex({ k: 1 })));
  await fill(from, MOVED);
  const byDriver = async () => {
    await to.deleteMany({});
    await copy(from, to);
  };
  const byRouter = () => moveToTheOther(cluster, ns);
  return [await compare(`moving a chunk of ${MOVED}, against copying by driver`, 3, 3, byRouter, byDriver)];
}

async function moveToTheOther(cluster: Cluster, ns: string): Promise<void> {
  const [chunk] = await placement(cluster, ns);
  const to = cluster.shards.find(({ name }) => name !== chunk?.shard);
  if (!chunk || !to) throw new Error(`${ns} has no chunk to move`);
  await moveRange(cluster, ns, chunk, to.name);
}

/** A collection sharded by k: below `at` on the first shard, from it on the second. */
async function onBothShards({ cluster, router }: Bench, name: string, at: number): Promise<Collection> {
  const ns = `bench.${name}`;
  await shardCollection(cluster, ns, { k: 1 });
  await splitAt(cluster, ns, { k: at });
  const chunk = (await placement(cluster, ns))[1];
  const [first, second] = cluster.shards;
  if (!chunk || !first || !second) throw new Error('the benchmark needs two shards');
  await moveRange(cluster, ns, chunk, chunk.shard === first.name ? second.name : first.name);
  return router.db('bench').collection(name);
}

function engine({ shards }: Bench, shard: number) {
  const client = shards[shard];
  if (!client) throw new Error(`the benchmark needs shard ${shard}`);
  return client.db('direct');
}

async function fill(collection: Collection, count: number): Promise<void> {
  await collection.deleteMany({});
  for (let start = 0; start < count; start += BATCH) {
    await collection.insertMany(documents(start, BATCH), { ordered: false });
  }
}

function documents(start: number, count: number): Document[] {
  return Array.from({ length: count }, (_, i) => ({ k: start + i, text: 'x'.repeat(100) }));
}

async function readAll(collection: Collection): Promise<number> {
  let count = 0;
  for await (const _ of collection.find({}, { raw: true, batchSize: 10_000 })) count++;
  return count;
}

async function copy(from: Collection, to: Collection): Promise<void> {
  let batch: Document[] = [];
  for await (const document of from.find()) {
    batch.push(document);
    if (batch.length === BATCH) {
      await to.insertMany(batch);
      batch = [];
    }
  }
  if (batch.length > 0) await to.insertMany(batch);
}

async function repeat(times: number, work: (i: number) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < times; i++) await work(i);
}

/** Resident memory of the router in MB, as its `serverStatus` says it. */
async function residentMb(router: MongoClient): Promise<number> {
  const { mem } = await router.db('admin').command({ serverStatus: 1 });
  return Number(mem.resident);
}
