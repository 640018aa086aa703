import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type ExistingCluster, openExistingCluster, UnreachableError } from '../../cluster/existing/cluster.ts';
import { dropScratch, newScratchName, scratchNames } from '../../cluster/existing/scratch.ts';
import { targetOf } from '../../cluster/existing/target.ts';
import { type Cluster, InputError, startCluster } from '../../cluster/index.ts';
import { addShardToZone, shardCollection, updateZoneKeyRange } from '../../cluster/sharding.ts';
import type { Experiment } from './define.ts';
import { builtInExperiments } from './load.ts';
import type { CollectionState, Exchange, ResultRecord, StepRecord } from './record.ts';
import { runExperiment } from './runner.ts';

let own: Cluster;
let existing: ExistingCluster;
beforeAll(async () => {
  own = await startCluster({ mongodb: 'embedded' });
});
afterAll(() => own.stop());

/** Nothing but the router can be connected to. */
beforeEach(async () => {
  const { connect } = Socket.prototype;
  const router = new URL(own.uri).port;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const { port } = [args].flat(2)[0] as { port?: number };
    if (String(port) === router) return Reflect.apply(connect, this, args);
    this.destroy(new Error(`a connection to port ${port}, which is no router's`));
    return this;
  });
  existing = await openExistingCluster(targetOf(own.uri));
});

afterEach(async () => {
  expect(await scratchNames(existing.client)).toEqual([]);
  await existing.close();
  vi.restoreAllMocks();
});

const quiet = { stopped: new AbortController().signal, onThrow: () => {} };
const experiments = await builtInExperiments();

test('the guard of these tests lets nobody ask a shard', async () => {
  const [shard] = own.shards;
  const client = new MongoClient(shard?.uri ?? '', { serverSelectionTimeoutMS: 200 });
  await expect(client.db('admin').command({ ping: 1 })).rejects.toThrow("no router's");
  await client.close();
});

async function keptRecord({ number, name }: Experiment): Promise<ResultRecord> {
  const file = `${String(number).padStart(2, '0')}-${name}.json`;
  const folder = '../../reports/results/9.0.0-alpha0-embedded';
  return JSON.parse(await readFile(new URL(`${folder}/${file}`, import.meta.url), 'utf8'));
}

/** What does not depend on how it was found out what is on a shard, nor who answered that. */
function comparable({ environment, verdicts, steps, ...record }: ResultRecord) {
  const { distribution: _, ...rest } = environment;
  return {
    ...record,
    environment: rest,
    verdicts: verdicts.map(({ claim }) => claim),
    steps: inState(steps).map(withoutPlans),
  };
}

function withoutPlans(step: StepRecord) {
  const { counts, scan } = step.observed;
  return counts || scan ? { ...step, exchanges: [] } : step;
}

/** Every step with the state after it. Only a shard itself shows its documents, so that a step which only changed them has no state of its own. */
function inState(steps: readonly StepRecord[]) {
  let state: readonly CollectionState[] = [];
  return steps.map((step) => {
    state = step.state?.map(withoutDocuments) ?? state;
    return { ...step, state };
  });
}

function withoutDocuments(state: CollectionState): CollectionState {
  return { ...state, shards: state.shards.map(({ documents: _, ...shard }) => shard) };
}

test.each(experiments.filter(({ number }) => [1, 3, 14, 16, 46].includes(number)))(
  '$name: the record is that of an ordinary run, apart from who was asked for counts and plans',
  async (one) => {
    const record = await runExperiment(one, existing, quiet);
    expect(comparable(record)).toEqual(comparable(await keptRecord(one)));
    expect(record.environment.distribution).toBe('existing');
    const asked = (exchanges: readonly Exchange[]) => exchanges.map(({ to }) => to);
    expect(new Set(record.steps.flatMap(({ exchanges }) => asked(exchanges)))).toEqual(new Set(['router']));
  },
);

test('counts are excerpts of what the router explains, one shard after the other', async () => {
  const [first] = experiments;
  const { steps } = await runExperiment(first as Experiment, existing, quiet);
  const [exchange] = steps.find(({ observed }) => observed.counts)?.exchanges ?? [];
  expect(exchange).toMatchObject({ to: 'router', isExcerpt: true, command: { explain: { find: 'users' } } });
  const shards = [
    { shardName: 'sh0', nReturned: 2 },
    { shardName: 'sh1', nReturned: 1 },
  ];
  expect(exchange?.reply).toEqual({ executionStats: { executionStages: { shards } } });
});

test('an experiment that goes past the router is skipped, with the reason', async () => {
  const one = experiments.find(({ name }) => name === 'index-on-some-shards-only') as Experiment;
  const { ended } = await runExperiment(one, existing, quiet);
  expect(ended).toEqual({ how: 'skipped', reason: expect.stringMatching(/past the router/) });
});

function experiment(run: Experiment['run']): Experiment {
  return { number: 1, name: 'one', title: 'One', question: 'Does it?', run };
}

test('the balancer leaves each scratch collection in place, and no other', async () => {
  const entries = () => own.client.db('config').collection('collections').find().toArray();
  const before = await entries();
  let during: unknown[] = [];
  const record = await runExperiment(
    experiment(async (lab) => {
      await lab.onTwoShards('a', { key: 'k', at: 0 });
      await lab.step('By hand.', (_, router) => shardCollection(router, lab.ns('b'), { k: 'hashed' }));
      during = (await entries()).filter(({ _id }) => String(_id).startsWith(lab.database));
    }),
    existing,
    quiet,
  );
  expect(record.ended).toEqual({ how: 'completed' });
  expect(during).toEqual([expect.objectContaining({ noBalance: true }), expect.objectContaining({ noBalance: true })]);
  expect(await entries()).toEqual(before);
  expect(JSON.stringify(record.steps)).not.toContain('noBalance');
});

test('a run that throws, and one that is given up while it writes, leave nothing', async () => {
  const thrown = experiment(async (lab) => {
    await lab.onTwoShards('a', { key: 'k', at: 0 });
    throw new Error('no more');
  });
  expect((await runExperiment(thrown, existing, quiet)).ended).toEqual({ how: 'threw', error: 'Error: no more' });
  expect(await scratchNames(existing.client)).toEqual([]);
  const stop = new AbortController();
  const given = experiment(async (lab) => {
    await lab.onTwoShards('a', { key: 'k', at: 0 });
    for (let k = 0; ; k += 1) {
      await lab.step('One more.', (db) => db.collection('a').insertOne({ k }));
      if (k === 5) stop.abort(new Error('stopped'));
    }
  });
  await expect(runExperiment(given, existing, { ...quiet, stopped: stop.signal })).rejects.toThrow('stopped');
});

test('what a killed run has left is found: data, an empty database, zones and their ranges', async () => {
  const [full, empty, zoned] = [newScratchName(), newScratchName(), newScratchName()].sort();
  const router = existing;
  await own.client.db(full).collection('a').insertOne({});
  await own.client.db('admin').command({ enableSharding: empty });
  const kept = { min: { k: 0 }, max: { k: 9 } };
  await addShardToZone(router, 'sh0', `${zoned}-east`);
  await addShardToZone(router, 'sh0', 'theirs');
  await updateZoneKeyRange(router, `${zoned}.a`, kept, `${zoned}-east`);
  await updateZoneKeyRange(router, 'theirs.a', kept, 'theirs');
  await own.client.db('shardlab_theirs').collection('a').insertOne({});
  const found = await scratchNames(existing.client);
  expect(found).toEqual([full, empty, zoned].sort());
  for (const name of found) await dropScratch(existing.client, name);
  const config = own.client.db('config');
  expect(
    await config
      .collection('tags')
      .find({}, { projection: { _id: 0, ns: 1 } })
      .toArray(),
  ).toEqual([{ ns: 'theirs.a' }]);
  expect((await config.collection<{ _id: string; tags?: string[] }>('shards').findOne({ _id: 'sh0' }))?.tags).toEqual([
    'theirs',
  ]);
  expect(await own.client.db('shardlab_theirs').collection('a').countDocuments()).toBe(1);
  await expect(dropScratch(existing.client, 'shardlab_theirs')).rejects.toThrow('no scratch database');
  await updateZoneKeyRange(router, 'theirs.a', kept, null);
});

test('of three shards two are used, also for what the router would spread over all', async () => {
  vi.restoreAllMocks();
  await using bigger = await startCluster({ mongodb: 'embedded', shards: 3 });
  const cluster = await openExistingCluster(targetOf(bigger.uri));
  const [, , hashed] = experiments;
  const { environment, steps, placement } = await runExperiment(hashed as Experiment, cluster, quiet);
  await cluster.close();
  expect(environment.shards).toEqual(['sh0', 'sh1']);
  expect(steps.flatMap(({ check }) => (check && check.result !== 'ok' ? [check] : []))).toEqual([]);
  const owners = placement.after.flatMap(({ chunks }) => chunks.map(({ shard }) => shard));
  expect(new Set(owners)).toEqual(new Set(['sh0', 'sh1']));
});

test('a cluster that does not let us in: in one sentence, without the password', async () => {
  const uri = own.uri.replace('mongodb://', 'mongodb://ann:hush@');
  const refusal = await openExistingCluster(targetOf(uri)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(UnreachableError);
  expect((refusal as Error).message).toMatch(/^127\.0\.0\.1:\d+ cannot be used: (?!.*hush)/);
});

test('a shard is no router', async () => {
  vi.restoreAllMocks();
  const [shard] = own.shards;
  await expect(openExistingCluster(targetOf(shard?.uri ?? ''))).rejects.toBeInstanceOf(InputError);
});
