/** Replays the scenarios on a cluster and takes down what it answers. */
import { type Collection, type Db, MongoBulkWriteError, MongoClient, MongoServerError } from 'mongodb';
import type { Cluster } from '../../index.ts';
import type { Answer, Refusal } from './answer.ts';
import { type Step, scenarios } from './scenarios.ts';
import { tidy } from './tidy.ts';

/** The answers to the steps of every scenario, by the scenario's name. */
export type Answers = Readonly<Record<string, readonly Answer[]>>;

/** Who the steps are sent to. */
interface Stage {
  readonly router: MongoClient;
  /** In the order of {@link names}. */
  readonly shards: readonly [MongoClient, MongoClient];
  readonly names: readonly [string, string];
}

const DATABASE = 'conf';

/**
 * Runs every scenario, one after another, each on an empty database whose primary shard is the first.
 * Pauses are left out: they are for the moment that real shards need to show a transaction, and the embedded ones have none.
 * @param cluster has two shards, and its balancer is off
 * @throws whatever is no server's answer, a lost connection for one
 */
export async function replay(cluster: Pick<Cluster, 'uri' | 'shards'>): Promise<Answers> {
  const [a, b, ...more] = cluster.shards;
  if (!a || !b || more.length > 0) throw new Error(`the scenarios want two shards; there are ${cluster.shards.length}`);
  const clients = [cluster.uri, a.uri, b.uri].map((uri) => new MongoClient(uri));
  const [router, ...shards] = clients as [MongoClient, MongoClient, MongoClient];
  try {
    return await runAll({ router, shards, names: [a.name, b.name] });
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

async function runAll(stage: Stage): Promise<Answers> {
  const answers: Record<string, Answer[]> = {};
  for (const [name, steps] of Object.entries(scenarios)) answers[name] = await runScenario(steps, stage);
  return answers;
}

async function runScenario(steps: readonly Step[], stage: Stage): Promise<Answer[]> {
  await stage.router.db(DATABASE).dropDatabase();
  await stage.router.db('admin').command({ enableSharding: DATABASE, primaryShard: stage.names[0] });
  const answers: Answer[] = [];
  for (const step of steps) answers.push(await run(step, stage));
  return answers;
}

async function run(step: Step, stage: Stage): Promise<Answer> {
  try {
    return { reply: tidy(await perform(step, stage), stage.names) };
  } catch (error) {
    if (error instanceof MongoServerError) return { error: refusalOf(error, stage) };
    throw error;
  }
}

function perform(step: Step, stage: Stage): Promise<unknown> {
  const db = target(step, stage).db(step.db ?? DATABASE);
  if (step.cmd) return db.command(bound(step.cmd, stage));
  if (step.api) return call(db, step, stage);
  if (step.counts) return countEach(step, stage);
  if (step.race) return race(step, stage);
  if (step.txn) return transact(db, step.txn, stage);
  if (step.pause) return Promise.resolve('paused');
  throw new Error(`a step says nothing to do: ${JSON.stringify(step)}`);
}

function target({ on }: Step, { router, shards }: Stage): MongoClient {
  if (!on) return router;
  return on === '$A' ? shards[0] : shards[1];
}

/** With the shards' real names in place of `$A` and `$B`. */
function bound<T>(value: T, stage: Stage): T;
function bound(value: unknown, stage: Stage): unknown {
  if (value === '$A') return stage.names[0];
  if (value === '$B') return stage.names[1];
  if (Array.isArray(value)) return value.map((item) => bound(item, stage));
  if (typeof value !== 'object' || value?.constructor !== Object) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, bound(item, stage)]));
}

/** A method of the driver's collection; what it finds is read to the end. */
async function call(
  db: Db,
  { api = '', coll = '', args = [] }: Step,
  stage: Stage,
  session?: object,
): Promise<unknown> {
  const collection = db.collection(coll) as Collection & Record<string, (...args: unknown[]) => unknown>;
  const [first, ...options] = bound(args, stage);
  const given = session ? [first, { ...Object.assign({}, ...options), session }] : [first, ...options];
  const result = await collection[api]?.(...given);
  const { toArray } = result as { toArray?: () => Promise<unknown[]> };
  return toArray ? toArray.call(result) : result;
}

function countEach({ db = DATABASE, counts = '', filter = {} }: Step, { shards }: Stage): Promise<number[]> {
  return Promise.all(shards.map((shard) => shard.db(db).collection(counts).countDocuments(filter)));
}

/** How many of the copies succeeded, and which codes the others got. */
async function race({ race, times = 0 }: Step, stage: Stage): Promise<unknown> {
  const answers = await Promise.all(Array.from({ length: times }, () => run(race as Step, stage)));
  const codes = answers.flatMap((answer) => ('error' in answer ? [answer.error.code] : []));
  return { succeeded: times - codes.length, codes: [...new Set(codes)] };
}

/** The replies of the calls; the first that fails ends the transaction. */
async function transact(db: Db, calls: readonly Step[], stage: Stage): Promise<unknown[]> {
  const replies: unknown[] = [];
  await using session = stage.router.startSession();
  session.startTransaction();
  try {
    for (const step of calls) replies.push(await call(db, step, stage, session));
    await session.commitTransaction();
    return [...replies, 'committed'];
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
    return [...replies, { code: error.code }];
  }
}

function refusalOf(error: MongoServerError, { names }: Stage): Refusal {
  const { code, codeName, message, keyPattern, keyValue } = error;
  const found = { ...(keyPattern && { keyPattern, keyValue }), ...writesIn(error) };
  return tidy(
    { ...(code !== undefined && { code }), ...(codeName && { codeName }), message, ...found },
    names,
  ) as Refusal;
}

function writesIn(error: MongoServerError): Pick<Refusal, 'writeErrors' | 'insertedCount'> {
  if (!(error instanceof MongoBulkWriteError)) return {};
  const failed = [error.writeErrors].flat().map(({ index, code, errmsg = '' }) => ({ index, code, message: errmsg }));
  return { ...(failed.length > 0 && { writeErrors: failed }), insertedCount: error.insertedCount };
}
