/** Chunk lookup and targeting against a plain model; seeded, so a failure comes again. */
import { describe, expect, test } from 'vitest';
import { describeDocument, generator, isStorable, KEY_PATTERNS, Model } from './routing-model.fixture.ts';

const DOCUMENTS = 350;
const FILTERS = 250;

describe.each(KEY_PATTERNS)('under %o', (pattern) => {
  const random = generator(JSON.stringify(pattern).length * 7919 + 1);
  const model = new Model(pattern, random);
  const documents = Array.from({ length: DOCUMENTS }, () => model.document());

  test('every document lies in the chunk that the model finds', () => {
    const wrong = documents.filter((document) => model.lookUp(document) !== model.owner(document));
    expect(wrong.map(describeDocument)).toEqual([]);
  });

  test('every shard that owns a match is a target, and filters do narrow', () => {
    const missed: string[] = [];
    let narrowed = 0;
    for (let i = 0; i < FILTERS; i++) {
      const filter = model.filter(2);
      const { shards } = model.table.targets(filter.bson);
      if (shards.length < model.table.owners.length) narrowed++;
      for (const document of documents) {
        if (filter.matches(document) && !shards.includes(model.owner(document))) {
          missed.push(`${filter.bson.toString('hex')} misses ${describeDocument(document)}`);
        }
      }
    }
    expect(missed).toEqual([]);
    expect(narrowed).toBeGreaterThan(FILTERS / 10);
  });

  test('equality on the whole key has exactly one target', () => {
    const wrong = documents
      .filter((document) => Object.values(document).every((value) => !value || isStorable(value.raw)))
      .filter((document) => {
        const { shards, exact } = model.table.targets(model.equality(document));
        return !exact || shards.length !== 1 || shards[0] !== model.owner(document);
      });
    expect(wrong.map(describeDocument)).toEqual([]);
  });
});
