import { expect, test } from 'vitest';
import type { SeenCollection } from './state/seen.ts';
import { StepLog } from './steps.ts';
import { Transcript } from './transcript.ts';

test('a step that is given up while the cluster is looked at stays as it is, and does not come back', async () => {
  let see = (_: readonly SeenCollection[]) => {};
  const look = () =>
    new Promise<readonly SeenCollection[]>((resolve) => {
      see = resolve;
    });
  const log = new StepLog(new Transcript(false), '8.0.4', look);
  let isBack = false;
  const taken = log.take({ caption: 'One.', work: async () => {}, observe: () => ({ ok: true }) });
  taken.finally(() => {
    isBack = true;
  });
  await new Promise(setImmediate);
  expect(log.steps).toMatchObject([{ observed: { ok: true } }]);
  log.close();
  see([]);
  await new Promise(setImmediate);
  expect(log.steps[0]).not.toHaveProperty('seen');
  expect(isBack).toBe(false);
});
