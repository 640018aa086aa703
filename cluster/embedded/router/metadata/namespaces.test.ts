import { beforeEach, expect, test } from 'vitest';
import { Namespaces } from './namespaces.ts';

let namespaces: Namespaces;
let log: string[];
const say = (words: string) => async () => void log.push(words);
const fail = (words: string) => () => Promise.reject(new Error(words));

beforeEach(() => {
  namespaces = new Namespaces();
  log = [];
});

test('what fails past its point of return is done by whoever comes next, once, before anything else', async () => {
  let isDown = true;
  const rest = async (): Promise<void> => {
    if (isDown) throw new Error('the shard is down');
    log.push('the rest');
  };
  await expect(namespaces.changing('db.c', () => namespaces.seeThrough('db.c', rest))).rejects.toThrow('down');
  await expect(namespaces.using('db.c', say('read'))).rejects.toThrow('down');
  await namespaces.using('db.other', say('another collection'));
  isDown = false;
  await Promise.all([1, 2].map((n) => namespaces.using('db.c', say(`read ${n}`))));
  expect(log).toEqual(['another collection', 'the rest', 'read 1', 'read 2']);
});

test('who waited for the lock of a change that failed finds what it left', async () => {
  const failing = namespaces.changing('db.c', () => namespaces.seeThrough('db.c', fail('the shard is down')));
  const waiting = namespaces.using('db.c', say('read'));
  await expect(failing).rejects.toThrow('down');
  await expect(waiting).rejects.toThrow('down');
  expect(log).toEqual([]);
});

test('what is left on a database comes before its collections, what is left on those before a change of the database', async () => {
  namespaces.leave('db', say('database'));
  namespaces.leave('db.c', say('collection'));
  await namespaces.usingAll(['db.c', 'db.d'], say('both'));
  expect(log).toEqual(['database', 'collection', 'both']);
  namespaces.leave('db.c', say('collection again'));
  await namespaces.changingDatabase('db', say('dropped'));
  expect(log.slice(3)).toEqual(['collection again', 'dropped']);
});

test('two things left on one name are done in the order they were left', async () => {
  namespaces.leave('db.c', say('first'));
  namespaces.leave('db.c', say('second'));
  await namespaces.using('db.c', say('read'));
  expect(log).toEqual(['first', 'second', 'read']);
});

test('what is left while something left is being done is done, too, and what is done is not done again', async () => {
  let isDown = true;
  namespaces.leave('db.c', async () => {
    log.push('first');
    namespaces.leave('db.c', async () => {
      if (isDown) throw new Error('the shard is down');
      log.push('second');
    });
  });
  await expect(namespaces.using('db.c', say('read'))).rejects.toThrow('down');
  isDown = false;
  await namespaces.using('db.c', say('read'));
  expect(log).toEqual(['first', 'second', 'read']);
});
