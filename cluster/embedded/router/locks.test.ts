import { expect, test } from 'vitest';
import { Locks } from './locks.ts';

/** Work that says when it begins and ends when it is told to. */
function job(log: string[], name: string): { run: () => Promise<void>; end: () => void } {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const run = async (): Promise<void> => {
    log.push(`${name} begins`);
    await ended;
    log.push(`${name} ends`);
  };
  return { run, end: () => end() };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('sharers run side by side, a changer after them and before those who came later', async () => {
  const locks = new Locks();
  const log: string[] = [];
  const first = job(log, 'first');
  const second = job(log, 'second');
  const changer = job(log, 'changer');
  const late = job(log, 'late');
  const all = [
    locks.shared('db.c', first.run),
    locks.shared('db.c', second.run),
    locks.alone('db.c', changer.run),
    locks.shared('db.c', late.run),
  ];
  await turn();
  expect(log).toEqual(['first begins', 'second begins']);
  first.end();
  await turn();
  expect(log.at(-1)).toBe('first ends');
  second.end();
  await turn();
  expect(log.slice(-2)).toEqual(['second ends', 'changer begins']);
  changer.end();
  late.end();
  await Promise.all(all);
  expect(log.slice(-3)).toEqual(['changer ends', 'late begins', 'late ends']);
});

test('another name is not held up', async () => {
  const locks = new Locks();
  const log: string[] = [];
  const held = job(log, 'held');
  const running = locks.alone('db.a', held.run);
  await locks.alone('db.b', async () => void log.push('free'));
  expect(log).toEqual(['held begins', 'free']);
  held.end();
  await running;
});

test('work that fails gives its lock back', async () => {
  const locks = new Locks();
  await expect(locks.alone('db.c', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  await expect(locks.shared('db.c', async () => 'done')).resolves.toBe('done');
});

test('several names are held together, in an order that lets two who want the same go on', async () => {
  const locks = new Locks();
  const log: string[] = [];
  const both = job(log, 'both');
  const running = locks.sharedAll(['db.b', 'db.a', 'db.b'], both.run);
  await turn();
  const changers = ['db.a', 'db.b'].map((name) => locks.alone(name, async () => void log.push(`${name} changed`)));
  const later = locks.sharedAll(['db.b', 'db.a'], async () => void log.push('later'));
  await turn();
  expect(log).toEqual(['both begins']);
  both.end();
  await Promise.all([running, later, ...changers]);
  expect(log.at(-1)).toBe('later');
});
