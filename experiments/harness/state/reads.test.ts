import type { Document } from 'bson';
import { expect, test } from 'vitest';
import type { RawExchange } from '../transcript.ts';
import { changesNothing, writtenAlone } from './reads.ts';

const sent = (command: Document, database = 'd'): RawExchange => ({
  to: 'router',
  database,
  command,
  reply: { ok: 1 },
  answeredBy: 'engine',
});

test.each([
  [{ find: 'u' }, true],
  [{ aggregate: 'u', pipeline: [{ $match: {} }] }, true],
  [{ aggregate: 'u', pipeline: [{ $match: {} }, { $merge: 'v' }] }, false],
  [{ aggregate: 'u', pipeline: [{ $out: 'v' }] }, false],
  [{ explain: { delete: 'u' } }, true],
  [{ insert: 'u' }, false],
  [{ somethingNew: 1 }, false],
])('that %j changes nothing: %s', (command, expected) => expect(changesNothing({ command })).toBe(expected));

test('collections that are only written to are named', () => {
  const commands = [{ insert: 'u' }, { find: 'w' }, { findAndModify: 'v', update: {} }];
  expect(
    writtenAlone(
      commands.map((one) => sent(one)),
      'd',
    ),
  ).toEqual(['u', 'v']);
});

test('none is when a command does anything else, is sent elsewhere, or there is none', () => {
  expect(writtenAlone([sent({ insert: 'u' }), sent({ commitTransaction: 1 })], 'd')).toBeUndefined();
  expect(writtenAlone([sent({ moveRange: 'd.u', update: 'u' })], 'd')).toBeUndefined();
  expect(writtenAlone([sent({ insert: 'u' }, 'elsewhere')], 'd')).toBeUndefined();
  expect(writtenAlone([], 'd')).toBeUndefined();
});
