import { expect, test } from 'vitest';
import { changesNothing, changesOnlyDocuments } from './reads.ts';

test.each([
  [{ find: 'u' }, 'nothing'],
  [{ aggregate: 'u', pipeline: [{ $match: {} }] }, 'nothing'],
  [{ aggregate: 'u', pipeline: [{ $match: {} }, { $merge: 'v' }] }, 'anything'],
  [{ aggregate: 'u', pipeline: [{ $out: 'v' }] }, 'anything'],
  [{ explain: { delete: 'u' } }, 'nothing'],
  [{ insert: 'u' }, 'documents'],
  [{ findAndModify: 'u', update: {} }, 'documents'],
  [{ moveRange: 'a.u', find: 1 }, 'anything'],
  [{ somethingNew: 1 }, 'anything'],
])('%j can change %s', (command, what) => {
  const seen = changesNothing({ command }) ? 'nothing' : changesOnlyDocuments({ command }) ? 'documents' : 'anything';
  expect(seen).toBe(what);
});
