import { type Document, ObjectId } from 'bson';
import { expect, test } from 'vitest';
import type { RawExchange } from '../transcript.ts';
import { leftToChance } from './chance.ts';

function sent(...commands: Document[]): RawExchange[] {
  return commands.map((command) => ({ to: 'router', database: 'd', command, reply: { ok: 1 }, answeredBy: 'engine' }));
}
const insert = (document: Document) => ({
  insert: 'u',
  documents: [{ _id: new ObjectId(), at: new Date(), ...document }],
});

test('one winner of clients that sent the same leaves nothing to chance, whatever their ids and dates', () => {
  const race = sent(insert({ k: 1 }), { find: 'v' }, insert({ k: 1 }));
  expect(leftToChance(race, 'exactly one')).toEqual([]);
  expect(leftToChance(race, 'none')).toEqual([]);
});

test('how many of several winners there are is chance', () => {
  expect(leftToChance(sent(insert({ k: 1 }), insert({ k: 1 })), 'more than one')).toEqual(['u']);
});

test('which of those that sent something else is the winner is chance', () => {
  const race = sent(insert({ k: 1 }), insert({ k: 2 }), { update: 'v', updates: [] }, { find: 'w' });
  expect(leftToChance(race, 'exactly one')).toEqual(['u', 'v']);
});

test('a document that is found and modified is no name of a collection', () => {
  const race = sent({ findAndModify: 'u', query: {}, update: { $inc: { n: 1 } } });
  expect(leftToChance(race, 'more than one')).toEqual(['u']);
});

test('after any other command all that is there may be chance', () => {
  expect(leftToChance(sent(insert({ k: 1 }), { drop: 'u' }), 'exactly one')).toBe('every collection');
  const merged = sent({ aggregate: 'u', pipeline: [{ $out: 'v' }] }, { aggregate: 'u', pipeline: [{ $out: 'w' }] });
  expect(leftToChance(merged, 'none')).toBe('every collection');
});

test('reads leave nothing to chance', () => {
  expect(leftToChance(sent({ find: 'u' }, { aggregate: 'u', pipeline: [] }), 'more than one')).toEqual([]);
});
