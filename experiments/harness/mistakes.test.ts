/** Mistakes in an experiment: each is named, and none ends more than the experiment. */
import type { Db } from 'mongodb';
import { expect, test } from 'vitest';
import type { Experiment } from './define.ts';
import { type Answer, fakeCluster } from './fake-cluster.fixture.ts';
import type { Lab, TwoShards } from './lab.ts';
import { runExperiment } from './runner.ts';

/** What it ends with on a cluster that answers everything, or as it is told. */
async function endOf(run: (lab: Lab) => Promise<void>, answer: Answer = () => undefined) {
  const experiment: Experiment = { number: 1, name: 'one', title: 'One', question: 'Does it?', run };
  const quiet = { stopped: new AbortController().signal, onThrow: () => {} };
  await using cluster = await fakeCluster(answer);
  await using _ = withoutListeners();
  const { ended } = await runExperiment(experiment, cluster, quiet);
  await new Promise(setImmediate);
  return ended.how === 'threw' ? ended.error : ended.how;
}

/** What nobody awaits would end the test run. */
function withoutListeners(): AsyncDisposable {
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  return {
    [Symbol.asyncDispose]: async () => {
      expect(process.listenerCount('unhandledRejection')).toBe(0);
      for (const other of others) process.on('unhandledRejection', other);
    },
  };
}

const insert = (db: Db) => db.collection('u').insertOne({ a: 1 });
const never: Answer = (command) => (command.insert ? new Promise(() => {}) : undefined);

test('no step is awaited', async () => {
  const ended = await endOf(async (lab) => {
    void lab.step('One.', insert);
    void lab.step('Two.', insert);
  });
  expect(ended).toBe('Error: step 1 was not awaited: One.');
});

test('a call of a step is not awaited', async () => {
  const ended = await endOf(async (lab) => {
    await lab.step('One.', async (db) => {
      void insert(db);
      await db.collection('v').findOne({});
    });
  }, never);
  expect(ended).toBe('Error: await each call of a step: insert had no answer yet when the step ended');
});

test('calls that are still under way at the end, or wait for a connection', async () => {
  const ended = await endOf(async (lab) => {
    await lab.step('One.', async (db) => void setTimeout(() => Array.from({ length: 200 }, () => insert(db)), 1));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }, never);
  expect(ended).toBe('Error: a call was not awaited, and was under way when the experiment had ended');
});

test('the caption and the calls are interchanged', async () => {
  const interchanged = [insert, 'One.'] as unknown as [string, typeof insert];
  const ended = await endOf(async (lab) => void (await lab.step(...interchanged)));
  expect(ended).toBe("Error: a step begins with its caption: lab.step('One.', (db) => …)");
});

test('a document is returned where documents are predicted', async () => {
  const ended = await endOf(async (lab) => {
    await lab.step('One.', (db) => db.collection('u').findOne({}), { documents: 1 });
  });
  expect(ended).toBe('Error: { documents: 1 } is a prediction for a step that returns an array or a number');
});

test('a shard that is not there', async () => {
  const ended = await endOf(async (lab) => void (await lab.onShard('shard0', 'One.', insert)));
  expect(ended).toBe('Error: there is no shard shard0; lab.shards has their names: sh0, sh1');
});

test.each<TwoShards>([
  { key: { a: 1, b: 1 }, at: 5 },
  { key: { a: 1, b: 1 }, at: { a: 5 } },
])('%j is no arrangement', async (arrangement) => {
  const ended = await endOf((lab) => lab.onTwoShards('u', arrangement));
  expect(ended).toBe('Error: u is sharded by a, b, and is to be split at a value of each field');
});
