import type { Document } from 'bson';
import { expect, test } from 'vitest';
import { MemberDiedError } from '../../cluster/errors.ts';
import type { Experiment } from './define.ts';
import { type FakeCluster, fakeCluster } from './fake-cluster.fixture.ts';
import { runSeries } from './series.ts';

const experiment = (number: number, run: Experiment['run'] = async () => {}): Experiment => ({
  number,
  name: `e${number}`,
  title: 'T',
  question: 'Q',
  run,
});

/** Runs a series on fake clusters; what happened, in order. */
async function happenings(
  experiments: (cluster: () => FakeCluster) => Experiment[],
  control: { fresh?: boolean; stopped?: AbortSignal } = {},
  answer: (command: Document, cluster: () => FakeCluster) => Document | undefined = () => undefined,
): Promise<string[]> {
  const seen: string[] = [];
  const clusters: FakeCluster[] = [];
  const current = () => clusters.at(-1) as FakeCluster;
  const running = runSeries(experiments(current), {
    start: async () => {
      seen.push('start');
      clusters.push(await fakeCluster((command) => answer(command, current)));
      return current();
    },
    stop: async (cluster) => {
      seen.push('stop');
      await cluster[Symbol.asyncDispose]();
    },
    fresh: control.fresh ?? false,
    stopped: control.stopped ?? new AbortController().signal,
    onBegin: ({ name }) => seen.push(name),
    onThrow: () => {},
    onRecord: async ({ ended }) => void seen.push(ended.how),
    onDone: async (cluster) => void seen.push(cluster ? 'done, cluster up' : 'done'),
  });
  await running.catch((error: Error) => seen.push(error.message.split('\n')[0] ?? ''));
  return seen;
}

test('one cluster serves all experiments', async () => {
  const seen = await happenings(() => [experiment(1), experiment(2)]);
  expect(seen).toEqual(['start', 'e1', 'completed', 'e2', 'completed', 'done, cluster up', 'stop']);
});

test('fresh: a cluster for each', async () => {
  const seen = await happenings(() => [experiment(1), experiment(2)], { fresh: true });
  expect(seen).toEqual(['start', 'e1', 'completed', 'stop', 'start', 'e2', 'completed', 'stop', 'done']);
});

test('an experiment that throws does not keep the next from running', async () => {
  const faulty = experiment(1, async () => {
    throw new Error('no');
  });
  const seen = await happenings(() => [faulty, experiment(2)]);
  expect(seen).toEqual(['start', 'e1', 'threw', 'e2', 'completed', 'done, cluster up', 'stop']);
});

test('a cluster that lost a member runs no further experiment', async () => {
  const died = new MemberDiedError('sh1', 'was killed by SIGKILL', []);
  const seen = await happenings((cluster) => [experiment(1, async () => cluster().fail(died)), experiment(2)]);
  expect(seen).toEqual(['start', 'e1', 'cluster failed', 'stop', died.message]);
});

test('a cluster that refuses before its death is known fails for that reason', async () => {
  const died = new MemberDiedError('cfg', 'exited with code 0', []);
  const unreachable = { ok: 0, code: 6, codeName: 'HostUnreachable', errmsg: 'the config server could not be reached' };
  const seen = await happenings(
    () => [experiment(1)],
    {},
    (command, cluster) => {
      if (!command.enableSharding) return undefined;
      setTimeout(() => cluster().fail(died), 50);
      return unreachable;
    },
  );
  expect(seen).toEqual(['start', 'e1', 'stop', died.message]);
});

test('stopped in an experiment: it has no record, the next does not begin, the cluster is stopped', async () => {
  const stop = new AbortController();
  const seen = await happenings(
    () => [experiment(1), experiment(2, async () => stop.abort(new Error('stopped by SIGINT'))), experiment(3)],
    { stopped: stop.signal },
  );
  expect(seen).toEqual(['start', 'e1', 'completed', 'e2', 'stop', 'stopped by SIGINT']);
});

test('stopped before anything: no cluster is started', async () => {
  const seen = await happenings(() => [experiment(1)], { stopped: AbortSignal.abort(new Error('stopped')) });
  expect(seen).toEqual(['stopped']);
});
