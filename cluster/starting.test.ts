import { MongoServerError } from 'mongodb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ClusterStartError } from './errors.ts';
import type { Member } from './member.ts';
import { Starting } from './starting.ts';
import type { Home } from './watcher.ts';

const member = { name: 'sh0', ended: new Promise<string>(() => {}), lastWords: () => [] } as unknown as Member;
const starting = () => new Starting({} as Home, { timeoutMs: 1_000 });

let said: string[];
beforeEach(() => {
  said = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => void said.push(line));
});
afterEach(() => vi.restoreAllMocks());

it('what a cluster works without is told when a server refuses it, and the start goes on', async () => {
  const refusal = Promise.reject(new MongoServerError({ message: 'no such thing', code: 20 }));
  await starting().tryFor(member, 'shorter waiting', refusal);
  expect(said).toEqual(['Warning: the cluster does without shorter waiting (sh0: no such thing)']);
});

it('a connection that fails meanwhile ends the start', async () => {
  const failure = Promise.reject(new Error('connection lost'));
  const attempt = starting().tryFor(member, 'shorter waiting', failure);
  await expect(attempt).rejects.toThrow(ClusterStartError);
  expect(said).toEqual([]);
});

it('so does an answer that never comes, and the error says what it was to', async () => {
  const attempt = new Starting({} as Home, { timeoutMs: 50 }).tryFor(member, 'shorter waiting', new Promise(() => {}));
  await expect(attempt).rejects.toThrow(/ sh0: shorter waiting was awaited for \d+\.\d s/);
});

it('so does the reason to call it off', async () => {
  const begun = starting();
  const attempt = begun.tryFor(member, 'shorter waiting', new Promise<void>(() => {}));
  begun.callOff(new Error('enough'));
  await expect(attempt).rejects.toThrow('enough');
});
