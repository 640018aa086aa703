import { type Document, Timestamp } from 'bson';
import { type Db, MongoNetworkError } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { MemberDiedError } from '../../cluster/errors.ts';
import type { Experiment } from './define.ts';
import { type Answer, clusterTime, fakeCluster } from './fake-cluster.fixture.ts';
import type { Lab, TwoShards } from './lab.ts';
import type { ResultRecord } from './record.ts';
import { runExperiment } from './runner.ts';

const engine = { $shardlab: { answeredBy: 'engine' } };
const model = { $shardlab: { answeredBy: 'model' } };
const duplicate = { index: 0, code: 11000, errmsg: 'E11000 duplicate key error collection' };
const quiet = { stopped: new AbortController().signal, onThrow: () => {} };

function experiment(run: (lab: Lab) => Promise<void>, more: Partial<Experiment> = {}): Experiment {
  return { number: 1, name: 'one', title: 'One', question: 'Does it?', run, ...more };
}

async function recordOf(
  answer: Answer,
  run: (lab: Lab) => Promise<void>,
  more: Partial<Experiment> = {},
  known: { version?: string; modelled?: boolean } = {},
): Promise<ResultRecord> {
  await using cluster = await fakeCluster(answer, known);
  return await runExperiment(experiment(run, more), cluster, quiet);
}

const insert = (db: Db) => db.collection<{ _id: number }>('u').insertOne({ _id: 1 });

test('a step records the command as sent, the whole reply, and who answered', async () => {
  const answer: Answer = (command) => (command.insert ? { n: 1, electionId: 'x', ok: 1, ...engine } : undefined);
  const record = await recordOf(answer, async (lab) => {
    await lab.step('One document.', insert);
  });
  expect(record.ended).toEqual({ how: 'completed' });
  expect(record.steps).toEqual([
    {
      number: 1,
      section: 'story',
      caption: 'One document.',
      exchanges: [
        {
          to: 'router',
          database: '<database>',
          command: { insert: 'u', ordered: true, documents: [{ _id: 1 }] },
          reply: { n: 1, electionId: 'x', ok: 1 },
          answeredBy: 'engine',
        },
      ],
      observed: { ok: true },
    },
  ]);
});

test('an error reply is recorded whole and ends nothing', async () => {
  const refusal = { ok: 0, errmsg: 'no', code: 67, codeName: 'CannotCreateIndex' };
  const answer: Answer = (command) => (command.createIndexes ? { ...refusal, ...model } : undefined);
  const record = await recordOf(answer, async (lab) => {
    const name = await lab.step('An index.', (db) => db.collection('u').createIndex({ a: 1 }), { code: 67 });
    expect(name).toBeUndefined();
    lab.instead();
    await lab.step('On.', insert, { ok: true });
  });
  const [refused, after] = record.steps;
  expect(refused?.exchanges[0]).toMatchObject({ reply: refusal, answeredBy: 'model' });
  expect(refused?.observed).toEqual({ ok: false, code: 67, codeName: 'CannotCreateIndex' });
  expect(refused?.check).toMatchObject({ result: 'ok', expected: { code: 67 } });
  expect(after?.section).toBe('instead');
});

test('a write error inside an ok reply counts as the error that the driver makes of it', async () => {
  const answer: Answer = (command) =>
    command.insert ? { n: 0, writeErrors: [duplicate], ok: 1, ...engine } : undefined;
  const record = await recordOf(answer, async (lab) => {
    await lab.step('By the driver.', insert, { ok: true });
    await lab.step('By command.', (db) => db.command({ insert: 'u', documents: [{ _id: 1 }] }), { code: 11000 });
  });
  expect(record.steps.map(({ observed }) => observed.code)).toEqual([11000, 11000]);
  expect(record.steps.map(({ check }) => check?.result)).toEqual(['differs', 'ok']);
});

test('on a cluster that is no model, a server answered, and marks mean nothing', async () => {
  const answer: Answer = () => undefined;
  const record = await recordOf(answer, async (lab) => void (await lab.step('One.', insert)), {}, { modelled: false });
  expect(record.environment.model).toBeUndefined();
  expect(record.steps[0]?.exchanges[0]?.answeredBy).toBe('server');
});

test('an unmarked reply of a modelled cluster is the model’s', async () => {
  const record = await recordOf(
    () => undefined,
    async (lab) => void (await lab.step('One.', insert)),
  );
  expect(record.steps[0]?.exchanges[0]?.answeredBy).toBe('model');
});

test('counts come from each shard, in the order of the shards', async () => {
  const counts: Record<string, number> = { sh0: 2, sh1: 1 };
  const answer: Answer = async (command, to) => {
    if (!command.aggregate) return undefined;
    if (to === 'sh0') await new Promise((done) => setTimeout(done, 20)); // answers last
    return { cursor: { id: 0n, ns: 'a.u', firstBatch: [{ _id: 1, n: counts[to] }] }, ok: 1, ...engine };
  };
  const record = await recordOf(answer, async (lab) => {
    expect(await lab.counts('Counted.', 'u', { a: 1 }, { counts: [2, 1] })).toEqual([2, 1]);
  });
  expect(record.steps[0]?.observed).toEqual({ ok: true, counts: [2, 1] });
  expect(record.steps[0]?.exchanges.map(({ to }) => to)).toEqual(['sh0', 'sh1']);
  expect(record.steps[0]?.check?.result).toBe('ok');
});

test('plans come from each shard, in order, and only their stages are recorded', async () => {
  const winningPlan = { stage: 'COLLSCAN', nss: 'a.u' };
  const answer: Answer = (command) =>
    command.explain ? { queryPlanner: { winningPlan, rejectedPlans: [] }, ok: 1, ...engine } : undefined;
  const record = await recordOf(answer, (lab) =>
    lab.explain('A query.', (db) => db.collection('u').find({ a: 1 }), { scan: 'COLLSCAN' }),
  );
  const [step] = record.steps;
  expect(step?.exchanges.map(({ to, answeredBy }) => [to, answeredBy])).toEqual([
    ['sh0', 'engine'],
    ['sh1', 'engine'],
  ]);
  expect(step?.exchanges[0]).toMatchObject({ isExcerpt: true, command: { explain: { find: 'u', filter: { a: 1 } } } });
  expect(step?.exchanges[0]?.reply).toEqual({ queryPlanner: { winningPlan: { stage: 'COLLSCAN' } } });
  expect(step?.check?.result).toBe('ok');
});

test('of a race only what chance does not decide is recorded', async () => {
  let inserted = 0;
  const answer: Answer = (command) => {
    if (!command.insert) return undefined;
    return inserted++ === 0 ? { n: 1, ok: 1, ...engine } : { n: 0, writeErrors: [duplicate], ok: 1, ...engine };
  };
  const record = await recordOf(answer, (lab) =>
    lab.race('Ten at once.', 10, insert, { winners: 'exactly one', code: 11000 }),
  );
  expect(record.steps[0]).toMatchObject({ exchanges: [], check: { result: 'ok' } });
  expect(record.steps[0]?.observed.race).toEqual({
    clients: 10,
    winners: 'exactly one',
    codes: [11000],
    answeredBy: ['engine'],
  });
});

test('an undefined value is shown as the null that the driver makes of it', async () => {
  let sent: Document = {};
  const answer: Answer = (command) => {
    if (command.insert) sent = command;
    return undefined;
  };
  const user = { _id: 1, email: undefined };
  const record = await recordOf(answer, async (lab) => {
    await lab.step('One.', (db) => db.collection<typeof user>('u').insertOne(user));
  });
  expect(sent.documents).toEqual([{ _id: 1, email: null }]);
  expect(record.steps[0]?.exchanges[0]?.command.documents).toEqual([{ _id: 1, email: null }]);
});

test('a mistyped arrangement is refused before anything is sent', async () => {
  const arrangement = { key: 'uid', att: 5 } as unknown as TwoShards;
  const record = await recordOf(
    () => undefined,
    (lab) => lab.onTwoShards('u', arrangement),
  );
  expect(record).toMatchObject({
    ended: { how: 'threw', error: "Error: u needs a key and a point to be split at: { key: 'uid', at: 1000 }" },
    steps: [],
  });
});

test('a collection on two shards is sharded, split and moved; its placement is seen before the story and at its end', async () => {
  let documents = 0;
  const answer: Answer = (command, to) => {
    if (command.find === 'collections') {
      return found([{ _id: `${collectionsPrefix(command)}u`, key: { uid: 1 }, unique: true, uuid: 'x' }]);
    }
    if (command.find === 'chunks') return found([{ min: { uid: 0 }, max: { uid: 9 }, shard: 'sh0' }]);
    if (command.listCollections) return found([{ name: 'u', type: 'collection' }]);
    if (command.find === 'u') return found(to === 'sh0' ? Array.from({ length: documents }, () => ({ _id: 1 })) : []);
    if (command.insert) documents++;
    return undefined;
  };
  const record = await recordOf(answer, async (lab) => {
    await lab.onTwoShards('u', { key: 'uid', at: 5, unique: true });
    await lab.step('One.', insert);
  });
  const [arranged] = record.steps;
  expect(arranged?.caption).toBe('`u` is sharded by uid, declared unique: below 5 on sh0, from 5 upward on sh1.');
  expect(arranged?.exchanges.map(({ command }) => command)).toEqual([
    { shardCollection: '<database>.u', key: { uid: 1 }, unique: true },
    { split: '<database>.u', middle: { uid: 5 } },
    {
      moveRange: '<database>.u',
      min: { uid: 5 },
      max: { uid: { $maxKey: 1 } },
      toShard: 'sh1',
      waitForDelete: true,
    },
  ]);
  const placed = (count: number) => ({
    collection: 'u',
    key: { uid: 1 },
    unique: true,
    chunks: [{ min: { uid: 0 }, max: { uid: 9 }, shard: 'sh0' }],
    documents: [
      { shard: 'sh0', count },
      { shard: 'sh1', count: 0 },
    ],
  });
  expect(record.placement).toEqual({ before: [placed(0)], after: [placed(1)] });
});

test('a refusal while a collection is arranged ends the experiment', async () => {
  const answer: Answer = (command) => (command.split ? { ok: 0, errmsg: 'cannot split', code: 2 } : undefined);
  const record = await recordOf(answer, (lab) => lab.onTwoShards('u', { key: 'uid', at: 5 }));
  expect(record.ended).toEqual({ how: 'threw', error: 'MongoServerError: cannot split' });
  expect(record.steps).toHaveLength(1);
});

test('what is no answer of a server is thrown on, and the steps until then stay', async () => {
  const thrown: unknown[] = [];
  await using cluster = await fakeCluster(() => undefined);
  const faulty = experiment(async (lab) => {
    await lab.step('One.', insert);
    await lab.step('Two.', async () => {
      throw new TypeError('not a function');
    });
  });
  const record = await runExperiment(faulty, cluster, { ...quiet, onThrow: (error) => thrown.push(error) });
  expect(record.ended).toEqual({ how: 'threw', error: 'TypeError: not a function' });
  expect(record.steps.map(({ observed }) => observed)).toEqual([
    { ok: true },
    { ok: false, error: 'TypeError: not a function' },
  ]);
  expect(thrown).toEqual([expect.any(TypeError)]);
});

test('two steps at once are refused, because whose command is whose could not be told', async () => {
  const record = await recordOf(
    () => undefined,
    async (lab) => {
      await Promise.all([lab.step('One.', insert), lab.step('Two.', insert)]);
    },
  );
  expect(record.ended).toEqual({ how: 'threw', error: 'Error: two steps at once: await each step before the next' });
});

test('a step that is not awaited is a fault of the experiment', async () => {
  const record = await recordOf(
    () => undefined,
    async (lab) => {
      await lab.step('One.', insert);
      void lab.step('Two.', insert);
      await new Promise((done) => setImmediate(done));
    },
  );
  expect(record.ended).toEqual({ how: 'threw', error: 'Error: step 2 was not awaited: Two.' });
});

test('a run that never ends is recorded with the steps until its deadline, and takes no further one', async () => {
  const sent: string[] = [];
  let isLate = false;
  let goOn = () => {};
  const over = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await using cluster = await fakeCluster((command) => void sent.push(Object.keys(command)[0] ?? ''));
  const endless = experiment(
    async (lab) => {
      await lab.step('One.', insert);
      await over;
      isLate = true;
      await lab.step('Too late.', insert);
    },
    { deadlineSeconds: 3 },
  );
  const record = await runExperiment(endless, cluster, quiet);
  expect(record.ended).toEqual({ how: 'deadline', seconds: 3 });
  goOn();
  await expect.poll(() => isLate).toBe(true);
  expect(record.steps.map(({ caption }) => caption)).toEqual(['One.']);
  expect(sent.filter((command) => command === 'insert')).toHaveLength(1);
});

test('a reply that never comes is recorded as such', async () => {
  const answer: Answer = (command) => (command.insert ? new Promise(() => {}) : undefined);
  const record = await recordOf(answer, async (lab) => void (await lab.step('One.', insert)), { deadlineSeconds: 3 });
  expect(record.ended.how).toBe('deadline');
  expect(record.steps[0]?.exchanges[0]).toMatchObject({ reply: null, answeredBy: 'nobody' });
  expect(record.steps[0]?.observed).toEqual({ ok: false, error: 'no answer before the experiment was given up' });
});

test('the death of a member ends the experiment with its name', async () => {
  await using cluster = await fakeCluster(() => undefined);
  const died = new MemberDiedError('sh1', 'was killed by SIGKILL', ['a line of the server']);
  const doomed = experiment(async () => {
    cluster.fail(died);
    await new Promise(() => {});
  });
  const record = await runExperiment(doomed, cluster, quiet);
  expect(record.ended).toEqual({ how: 'cluster failed', error: died.message.split('\n')[0] });
  expect(died.message).toContain('\n');
});

test('an error that a member causes while it dies is no fault of the experiment', async () => {
  await using cluster = await fakeCluster(() => undefined);
  const died = new MemberDiedError('sh1', 'exited with code 0', []);
  const victim = experiment(async () => {
    setTimeout(() => cluster.fail(died), 50);
    throw new MongoNetworkError('read ECONNRESET');
  });
  const record = await runExperiment(victim, cluster, quiet);
  expect(record.ended).toEqual({ how: 'cluster failed', error: died.message });
});

test('stopping gives up without a record', async () => {
  await using cluster = await fakeCluster(() => undefined);
  const stop = new AbortController();
  const running = runExperiment(
    experiment(() => new Promise(() => stop.abort(new Error('stopped by SIGINT')))),
    cluster,
    { ...quiet, stopped: stop.signal },
  );
  await expect(running).rejects.toThrow('stopped by SIGINT');
});

test('what the embedded distribution does not model skips the experiment with its words', async () => {
  const errmsg = 'shardlab: reshardCollection is not modelled; run it on real MongoDB with --mongodb <version>';
  const answer: Answer = (command) =>
    command.reshardCollection ? { ok: 0, errmsg, code: 9_990_001, codeName: 'ShardlabNotModelled' } : undefined;
  const reshard = (db: Db) => db.admin().command({ reshardCollection: 'a.u' });
  const record = await recordOf(
    answer,
    async (lab) => {
      await lab.step('Reshard.', reshard, { ok: true, claims: ['X8'] });
      throw new Error('not reached');
    },
    { claims: ['X8'] },
  );
  expect(record.ended).toEqual({ how: 'skipped', reason: errmsg });
  expect(record.steps[0]?.check?.result).toBe('not modelled');
  expect(record.verdicts).toMatchObject([{ claim: 'X8', verdict: 'skipped', reason: errmsg }]);
});

test.each([
  [{ mongodb: '>=9.0.0' }, '9.0.0-alpha0', 'completed'],
  [{ mongodb: '>=9.1' }, '9.0.0-alpha0', 'it needs MongoDB >=9.1, and this is 9.0.0-alpha0'],
  [
    { features: ['transactions'] as const },
    '9.0.0-alpha0',
    'it needs transactions, which our model lacks; run it on real MongoDB with --mongodb <version>',
  ],
])('needs %j on a modelled %s', async (needs, version, outcome) => {
  const record = await recordOf(
    () => undefined,
    async () => {},
    { needs, claims: ['G1'] },
    { version },
  );
  const seen = record.ended.how === 'skipped' ? record.ended.reason : record.ended.how;
  expect(seen).toBe(outcome);
});

function found(firstBatch: Document[]): Document {
  return { cursor: { id: 0n, ns: 'a.b', firstBatch }, ok: 1 };
}

/** The scratch database as the harness asks for its collections. */
function collectionsPrefix(command: Document): string {
  return String(command.filter._id.$regex ?? command.filter._id).replace(/[\^\\]|u$/g, '');
}

test('of a real server the record says the feature compatibility version, of the model none', async () => {
  const real = await recordOf(
    () => undefined,
    async () => {},
    {},
    { version: '8.0.4', modelled: false },
  );
  expect(real.environment).toMatchObject({ version: '8.0.4', featureCompatibilityVersion: '8.0' });
  const modelled = await recordOf(
    () => undefined,
    async () => {},
  );
  expect(modelled.environment).not.toHaveProperty('featureCompatibilityVersion');
});

test('a feature that a real server lacks skips the experiment', async () => {
  const needs = { features: ['resharding'] } as const;
  const { ended } = await recordOf(
    () => undefined,
    async () => {},
    { needs },
    { version: '4.4.1', modelled: false },
  );
  expect(ended).toEqual({ how: 'skipped', reason: 'it needs resharding, which MongoDB 4.4.1 does not have' });
});

describe('where only the router can be reached', () => {
  const names = [{ name: 'sh0' }, { name: 'sh1' }];
  const explained = (...shards: Document[]) => ({ executionStats: { executionStages: { shards } }, ok: 1, ...model });
  const on = (shardName: string, nReturned: number) => ({ shardName, nReturned, executionTimeMillis: 7 });

  async function counted(answer: Document) {
    await using cluster = await fakeCluster((command) => (command.explain ? answer : undefined));
    const run = async (lab: Lab) => void (await lab.counts('How many.', 'u', {}));
    const { steps } = await runExperiment(experiment(run), { ...cluster, shards: names }, quiet);
    return steps[0];
  }

  test('a shard that it does not ask has none, and one that is none of ours is not passed over', async () => {
    const step = await counted(explained(on('sh9', 3), on('sh8', 0), on('sh1', 2)));
    expect(step?.observed).toEqual({ ok: true, counts: [0, 2, 3] });
    const shards = [
      { shardName: 'sh1', nReturned: 2 },
      { shardName: 'sh8', nReturned: 0 },
      { shardName: 'sh9', nReturned: 3 },
    ];
    expect(step?.exchanges[0]?.reply).toEqual({ executionStats: { executionStages: { shards } } });
  });

  test('its refusal is recorded whole', async () => {
    const step = await counted({ ok: 0, code: 13, errmsg: 'not allowed' });
    expect(step?.observed).toEqual({ ok: false, code: 13 });
    expect(step?.exchanges[0]?.reply).toEqual({ ok: 0, code: 13, errmsg: 'not allowed' });
  });
});

test('a collection that cannot be kept in place ends the experiment, and is no answer to the command that sharded it', async () => {
  await using cluster = await fakeCluster(() => undefined);
  const leaveInPlace = () => Promise.reject(new Error('not allowed'));
  const run = (lab: Lab) => lab.shardCollection('a', { k: 1 });
  const { ended } = await runExperiment(experiment(run), { ...cluster, leaveInPlace }, quiet);
  expect(ended).toEqual({ how: 'threw', error: 'Error: not allowed' });
});

test('what is masked is in no part of the record', async () => {
  await using cluster = await fakeCluster((command) =>
    command.insert ? { ok: 0, code: 13, errmsg: 'h1:27017 refuses hush', ...model } : undefined,
  );
  const mask = (text: string) => text.replaceAll('hush', '<secret>').replaceAll('h1:27017', '<host of sh0>');
  const run = async (lab: Lab) => {
    await lab.step('hush', insert);
    throw new Error('hush');
  };
  const record = await runExperiment(experiment(run), { ...cluster, mask }, quiet);
  expect(JSON.stringify(record)).not.toMatch(/hush|h1:27017/);
  expect(record.steps[0]?.exchanges[0]?.reply?.errmsg).toBe('<host of sh0> refuses <secret>');
});

describe('between the steps', () => {
  const one = { name: 'u', type: 'collection' };
  const listed: Answer = (command) => (command.listCollections ? found([one]) : undefined);

  test('the cluster is looked at after what can have changed it, and the transcript does not show that', async () => {
    const looks: string[] = [];
    const answer: Answer = (command, to) => {
      if (command.listCollections) looks.push(to);
      return listed(command, to);
    };
    const record = await recordOf(answer, async (lab) => {
      await lab.step('One.', insert);
      await lab.step('Read.', (db) => db.collection('u').find().toArray());
      await lab.step('By a connection of its own, perhaps.', async () => {});
    });
    expect(looks.sort()).toEqual(['sh0', 'sh0', 'sh1', 'sh1']);
    expect(record.steps.flatMap(({ exchanges }) => exchanges.map(({ command }) => Object.keys(command)[0]))).toEqual([
      'insert',
      'find',
    ]);
    const shards = ['sh0', 'sh1'].map((shard) => ({ shard, count: 0, indexes: [], documents: [] }));
    expect(record.steps.map(({ state }) => state)).toEqual([
      [{ collection: 'u', chunks: [], shards }],
      undefined,
      undefined,
    ]);
  });

  test('a look that fails is a failure of the cluster, even if the experiment would not mind', async () => {
    const answer: Answer = (command, to) =>
      command.listCollections && to === 'sh1' ? { ok: 0, code: 13, errmsg: 'not allowed' } : undefined;
    const record = await recordOf(answer, async (lab) => {
      await lab.step('One.', insert).catch(() => {});
      await lab.step('Two.', insert);
    });
    const error = 'shard sh1 could not be asked what is there: not allowed';
    expect(record.ended).toEqual({ how: 'cluster failed', error });
    expect(record.steps.map(({ caption, observed }) => [caption, observed.ok])).toEqual([['One.', true]]);
  });

  test('a look that fails because a member dies ends with what became of the member', async () => {
    const died = new MemberDiedError('sh1', 'was killed by SIGKILL', []);
    await using cluster = await fakeCluster((command, to) => {
      if (!command.listCollections || to !== 'sh1') return undefined;
      setTimeout(() => cluster.fail(died), 50);
      return { ok: 0, code: 91, errmsg: 'shutting down' };
    });
    const run = async (lab: Lab) => void (await lab.step('One.', insert));
    const record = await runExperiment(experiment(run), cluster, quiet);
    expect(record.ended).toEqual({ how: 'cluster failed', error: died.message });
  });

  test('a step that begins during a look is refused', async () => {
    let isLooking = () => {};
    const looking = new Promise<void>((resolve) => {
      isLooking = resolve;
    });
    const answer: Answer = (command) => {
      if (command.listCollections) isLooking();
      return undefined;
    };
    const record = await recordOf(answer, async (lab) => {
      const first = lab.step('One.', insert);
      await looking;
      await Promise.all([lab.step('Two.', insert), first]);
    });
    expect(record.ended).toEqual({ how: 'threw', error: 'Error: two steps at once: await each step before the next' });
  });

  /** A shard refuses a time that its own clock has not reached (src/mongo/db/read_concern_mongod.cpp): it comes with the read. */
  test('a real shard is asked for what it holds no earlier than at the last answer', async () => {
    const at = new Timestamp({ t: 7, i: 1 });
    const reads: Document[] = [];
    const answer: Answer = (command, to) => {
      if (command.find === 'u') reads.push({ to, ...command.readConcern, ...command.$clusterTime });
      return command.insert ? { n: 1, ok: 1, operationTime: at, $clusterTime: clusterTime(7) } : listed(command, to);
    };
    await recordOf(answer, async (lab) => void (await lab.step('One.', insert)), {}, { modelled: false });
    expect(reads.sort((a, b) => (a.to < b.to ? -1 : 1))).toMatchObject([
      { to: 'sh0', afterClusterTime: at, clusterTime: at },
      { to: 'sh1', afterClusterTime: at, clusterTime: at },
    ]);
  });

  test('entries of collections that are no longer sharded, or never were, are passed over', async () => {
    const filters: Document[] = [];
    const answer: Answer = (command, to) => {
      if (command.find === 'collections') filters.push(command.filter);
      return listed(command, to);
    };
    await recordOf(answer, async (lab) => void (await lab.step('One.', insert)));
    expect(filters).toEqual([{ _id: expect.anything(), dropped: { $ne: true }, unsplittable: { $ne: true } }]);
  });

  test('the buckets of a sharded time series are not shown', async () => {
    const answer: Answer = (command, to) => {
      if (command.find !== 'collections') return listed(command, to);
      return found([{ _id: `${collectionsPrefix(command)}system.buckets.t`, key: { meta: 1 }, uuid: 'x' }]);
    };
    const record = await recordOf(answer, async (lab) => void (await lab.step('One.', insert)));
    expect(record.steps[0]?.state?.map(({ collection }) => collection)).toEqual(['u']);
  });

  test('a collection that was dropped since it was listed has no indexes; any other refusal is a failure', async () => {
    const code =
      (number: number): Answer =>
      (command, to) =>
        command.listIndexes ? { ok: 0, code: number, errmsg: 'no' } : listed(command, to);
    const run = async (lab: Lab) => void (await lab.step('One.', insert));
    const dropped = await recordOf(code(26), run);
    expect(dropped.steps[0]?.state?.[0]?.shards.map(({ indexes }) => indexes)).toEqual([[], []]);
    expect((await recordOf(code(13), run)).ended.how).toBe('cluster failed');
  });

  test('documents that are too many or too large are counted, not recorded', async () => {
    const documents: Record<string, Document[]> = {
      sh0: Array.from({ length: 41 }, (_, _id) => ({ _id })),
      sh1: [{ _id: 1, text: 'x'.repeat(9000) }],
    };
    const answer: Answer = (command, to) => {
      if (command.find === 'u') return found(documents[to] ?? []);
      if (command.aggregate) return found([{ _id: 1, n: to === 'sh0' ? 500 : 1 }]);
      return listed(command, to);
    };
    const record = await recordOf(answer, async (lab) => void (await lab.step('One.', insert)));
    expect(record.steps[0]?.state?.[0]?.shards).toEqual([
      { shard: 'sh0', count: 500, indexes: [] },
      { shard: 'sh1', count: 1, indexes: [] },
    ]);
  });
});
