import { describe, expect, it } from 'vitest';
import type { Exchange, JsonObject, ShardState } from '../../../experiments/harness/record.ts';
import { type Change, type StepStates, stepStates } from '../../changes.ts';
import { stateRecord } from '../../state.fixture.ts';
import { changeLines, hiddenLines, nothingChanged } from './change-words.ts';

const states = stepStates(stateRecord) ?? [];
const linesOf = (step: number) => {
  const found = states[step - 1];
  return found ? changeLines(found).map(({ mark, text }) => `${mark}: ${text}`) : [];
};

describe('what a step changed', () => {
  it('is told of a new collection with all that it consists of', () => {
    expect(linesOf(1)).toEqual([
      'new: `users` appeared: sharded by `{ uid: 1 }`, 2 chunks, indexes `_id_` and `uid_1`',
    ]);
  });

  it('is told of documents that arrived, by shard', () => {
    expect(linesOf(2)).toEqual([
      'new: `users`, `{ _id: <ObjectId 1>, uid: 1, email: "ann@example.com" }` and `{ _id: <ObjectId 2>, uid: 2, email: "bob@example.com" }` arrived on sh0',
      'new: `users`, `{ _id: <ObjectId 3>, uid: 2000, email: "cleo@example.com" }` arrived on sh1',
    ]);
  });

  it('is told of an index once, with its shards', () => {
    expect(linesOf(3)).toEqual(['new: `users`, index `email_1` is new on sh0 and sh1']);
  });

  it('is told of a refusal with its code', () => {
    expect(linesOf(4)).toEqual([
      'refused: `users`, `{ _id: <ObjectId 4>, uid: 3, email: "ann@example.com" }` refused: error 11000',
    ]);
  });

  it('is told of a chunk and of its documents apart', () => {
    expect(linesOf(5)).toEqual([
      'moved: `users`, chunk `MinKey() ≤ uid < 1000` moved from sh0 to sh1',
      expect.stringMatching(/^moved: `users`, `{.*ann.*}` and `{.*bob.*}` moved from sh0 to sh1$/),
    ]);
  });

  it('is told of a change before and after, of a count, and of a collection that is gone', () => {
    expect(linesOf(9)).toEqual([
      'gone: `log` is gone',
      expect.stringMatching(/^changed: `users`, changed on sh1: `{.*}` became `{.*deleted: true }`$/),
      'changed: `visits`, sh1: 750 documents, 500 before',
    ]);
  });

  it('is told of several collections that are gone', () => {
    const [state] = states;
    const gone = (collection: string): Change => ({ what: 'collection', how: 'vanished', collection });
    expect(state && changeLines({ ...state, changes: ['log', 'users'].map(gone) })).toEqual([
      { mark: 'gone', text: '`log` and `users` are gone' },
    ]);
  });

  it('is told of each command that is no write and was refused, by its own reply', () => {
    const [state] = states;
    const refused = (reply: JsonObject): Exchange => ({
      to: 'router',
      database: '<database>',
      command: { createIndexes: 'users' },
      reply: { ok: 0, ...reply },
      answeredBy: 'model',
    });
    const cannot = { code: 67, codeName: 'CannotCreateIndex' };
    const exchanges = [cannot, cannot, { code: 16764 }].map(refused);
    const step = state && { ...state.step, exchanges, observed: { ok: true } };
    expect(state && step && changeLines({ ...state, step, changes: [] })).toEqual([
      { mark: 'refused', text: '`createIndexes` refused: error 67 CannotCreateIndex' },
      { mark: 'refused', text: '`createIndexes` refused: error 16764' },
    ]);
  });

  it('is told of a document that another shard has with other content', () => {
    const [before, after] = [
      { shard: 'sh0', at: 0, document: { _id: 1, uid: 1 } },
      { shard: 'sh1', at: 0, document: { _id: 1, uid: 2000 } },
    ];
    const [state] = states;
    const moved: Change = { what: 'document', how: 'moved', collection: 'users', before, after };
    expect(state && changeLines({ ...state, changes: [moved] })).toEqual([
      { mark: 'moved', text: '`users`, `{ _id: 1, uid: 1 }`, now `{ _id: 1, uid: 2000 }`, moved from sh0 to sh1' },
    ]);
  });

  it('counts what is too much to name', () => {
    const arrived = (id: number): Change => ({
      what: 'document',
      how: 'arrived',
      collection: 'users',
      after: { shard: 'sh0', at: id, document: { _id: id } },
    });
    const [state] = states;
    const many = state && changeLines({ ...state, changes: [1, 2, 3, 4].map(arrived) });
    expect(many).toEqual([{ mark: 'new', text: '`users`, 4 documents arrived on sh0' }]);
  });
});

describe('what cannot be seen', () => {
  const [state] = states;
  const seen = (first: Partial<ShardState>): StepStates | undefined =>
    state && {
      ...state,
      after: [
        {
          collection: 'users',
          chunks: [],
          shards: [
            { shard: 'sh0', indexes: [{ name: '_id_' }], ...first },
            { shard: 'sh1', count: 0, indexes: [] },
          ],
        },
      ],
    };
  const wordsOf = (one: StepStates | undefined) => one && [nothingChanged(one), ...hiddenLines(one)];

  it('is nothing where every document is known', () => {
    expect(wordsOf(seen({ count: 0, documents: [] }))).toEqual(['No chunk, index or document changed.']);
    expect(wordsOf(seen({ count: 0 }))).toEqual(['No chunk, index or document changed.']);
  });

  it('is what becomes of documents after a race', () => {
    expect(wordsOf(seen({}))).toEqual([
      'No chunk and no index changed.',
      'Since a race, chance decides which documents there are in `users`: neither they nor what becomes of them is shown.',
    ]);
  });

  it('is a change of a document that is only counted', () => {
    expect(wordsOf(seen({ count: 500 }))).toEqual([
      'No chunk and no index changed.',
      'Documents of `users` are only counted on sh0: what leaves their number as it is does not show.',
    ]);
  });
});
