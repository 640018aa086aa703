import { describe, expect, it } from 'vitest';
import { allOrFirstFailure, bounded, TimeExpired } from './waiting.ts';

const never = new Promise<never>(() => {});

describe('bounded', () => {
  it('passes on what comes in time', async () => {
    await expect(bounded(Promise.resolve(1), 1000)).resolves.toBe(1);
    await expect(bounded(Promise.reject(new Error('no')), 1000)).rejects.toThrow('no');
  });

  it('ends when time runs out', async () => {
    await expect(bounded(never, 5)).rejects.toThrow(TimeExpired);
  });

  it('ends when the signal aborts, before or while waiting', async () => {
    const controller = new AbortController();
    const waiting = bounded(never, 10_000, controller.signal);
    controller.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    await expect(bounded(never, 10_000, controller.signal)).rejects.toThrow('stop');
  });
});

describe('allOrFirstFailure', () => {
  it('waits for the siblings and throws what failed first', async () => {
    let callOff: (error: unknown) => void = () => {};
    const calledOff = new Promise<never>((_, reject) => {
      callOff = reject;
    });
    const late = calledOff.catch(() => {
      throw new Error('called off');
    });
    const all = allOrFirstFailure([late, Promise.reject(new Error('first'))], (error) => callOff(error));
    await expect(all).rejects.toThrow('first');
    await expect(late).rejects.toThrow('called off');
  });

  it('gives the results in order', async () => {
    await expect(allOrFirstFailure([Promise.resolve(1), Promise.resolve(2)], () => {})).resolves.toEqual([1, 2]);
  });
});
