import { expect, test } from 'vitest';
import type { CollectionState, ResultRecord, StepRecord } from '../experiments/harness/record.ts';
import { diagramsOf } from './diagram.tsx';
import { STYLE } from './diagram-style.ts';
import { modelledRecord } from './record.fixture.ts';
import { stateRecord } from './state.fixture.ts';

const diagrams = diagramsOf(stateRecord);
const svgOf = (number: number) => diagrams.find((diagram) => diagram.number === number)?.svg ?? '';

test('a step that changed nothing, or only was refused something, has no picture, nor has a record without states', () => {
  expect(diagrams.map(({ number }) => number)).toEqual([1, 2, 3, 5, 6, 7, 8, 9]);
  expect(diagramsOf(modelledRecord)).toEqual([]);
});

test('a document that changed where it is has a mark afterwards', () => {
  const [first] = stateRecord.steps as [StepRecord];
  const states = [{ a: 1 }, { a: 2 }].map((more) => [plain('u', { _id: 1, ...more })]);
  const steps = states.map((state, i) => ({ ...first, number: i + 1, state }));
  const [, changed] = diagramsOf({ ...stateRecord, steps });
  expect(changed?.alt).toBe('u: one document changed on sh0.');
  expect(changed?.svg.split('href="#changed"')).toHaveLength(1 + 1 + 1);
});

function plain(collection: string, document: Record<string, string | number>): CollectionState {
  return {
    collection,
    chunks: [],
    shards: [{ shard: 'sh0', count: 1, indexes: [{ name: '_id_' }], documents: [{ document }] }],
  };
}

test('every row is there with its count, bounds stand once over their columns', () => {
  expect(textsOf(svgOf(2))).toEqual([
    ...['+', 'users, sharded by { uid: 1 }'],
    ...['before step 2', 'MinKey', '1000', 'MaxKey', 'sh0', '0 docs', 'sh1', '0 docs'],
    ...['after step 2', 'MinKey', '1000', 'MaxKey', 'sh0', '2 docs', '#1', '#2', 'sh1', '1 doc', '#3', 'new'],
  ]);
});

test.each([
  ['an index that appeared', 3, '#new', 2, 'new'],
  ['a chunk and two documents that moved, on both sides', 5, '#moved', 6, 'moved'],
  ['a document that left', 9, '#gone', 1, 'gone afterwards'],
])('%s is marked, and the mark explained', (_, number, mark, times, words) => {
  expect(svgOf(number).split(`href="${mark}"`)).toHaveLength(1 + times + 1);
  expect(textsOf(svgOf(number))).toContain(words);
});

test('an orphan has no dot of the usual kind, and is explained', () => {
  expect(svgOf(7)).toContain('href="#ring"');
  expect(textsOf(svgOf(7))).toContain('orphan: on a shard that does not own its chunk');
});

test('documents that are too many to tell are a number', () => {
  expect(textsOf(svgOf(8))).toContain('500 docs');
});

test('where there are many chunks and long names, texts keep to their place', () => {
  const texts = textsOf(diagramsOf(crowded(40, 'a-shard-with-a-name-of-many-characters'))[0]?.svg ?? '');
  expect(texts.slice(2, 7)).toEqual(['MinKey', '10000', '20000', '30000', 'MaxKey']);
  expect(texts.slice(7)).toEqual(['a-shard-with-a-name-of-m…', '12 docs', '12']);
});

/** All documents are in the first chunk. */
function crowded(chunks: number, shard: string): ResultRecord {
  const [first] = stateRecord.steps as [StepRecord];
  const bound = (i: number) => ({ uid: i === 0 ? { $minKey: 1 } : i === chunks ? { $maxKey: 1 } : i * 1_000 });
  const state: CollectionState = {
    collection: 'u',
    sharded: { key: { uid: 1 }, unique: false },
    chunks: Array.from({ length: chunks }, (_, i) => ({ min: bound(i), max: bound(i + 1), shard })),
    shards: [
      {
        shard,
        count: 12,
        indexes: [],
        documents: Array.from({ length: 12 }, (_, _id) => ({ document: { _id }, chunk: 0 })),
      },
    ],
  };
  return { ...stateRecord, steps: [{ ...first, state: [state] }] };
}

test('a collection that came or went has one side', () => {
  expect(textsOf(svgOf(1))).toContain('after step 1; new');
  expect(textsOf(svgOf(9))).toContain('before step 9; gone afterwards');
});

test('where a step shards a collection, each side says how it is', () => {
  const [first] = stateRecord.steps as [StepRecord];
  const sharded = { ...plain('u', { _id: 1 }), sharded: { key: { _id: 1 }, unique: true } };
  const steps = [plain('u', { _id: 1 }), sharded].map((state, i) => ({ ...first, number: i + 1, state: [state] }));
  const texts = textsOf(diagramsOf({ ...stateRecord, steps })[1]?.svg ?? '');
  expect(texts).toEqual(
    expect.arrayContaining(['u', 'before step 2: not sharded', 'after step 2: sharded by { _id: 1 }, unique']),
  );
});

test('text of a server is text', () => {
  const svg = diagramsOf(named('<script>alert("1")</script>&\0]]>'))[0]?.svg ?? '';
  expect(svg).not.toContain('<script');
  expect(textsOf(svg)[1]).toBe('&lt;script>alert(&quot;1&quot;)&lt;/script>&amp;\ufffd]]&gt;, not sharded');
});

function named(collection: string): ResultRecord {
  const [first] = stateRecord.steps as [StepRecord];
  return { ...stateRecord, steps: [{ ...first, state: [plain(collection, { _id: collection })] }] };
}

test('what it shows is also said in words', () => {
  expect(diagrams.find(({ number }) => number === 5)?.alt).toBe(
    'users: one chunk moved from sh0 to sh1 and 2 documents moved from sh0 to sh1. ' +
      'Before: sh0 1 chunk, 2 documents; sh1 1 chunk, 1 document. After: sh0 nothing; sh1 2 chunks, 3 documents.',
  );
  expect(diagrams.find(({ number }) => number === 3)?.alt).toBe('users: index email_1 appeared on sh0 and sh1.');
});

/** In the order of the file. */
function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, text = '']) => text);
}

/** https://www.w3.org/TR/WCAG22/#contrast-minimum: 4.5 for text, 3 for what is needed to understand a picture. */
test.each([
  ['light', '#ffffff', STYLE.split('@media')[0] ?? ''],
  ['dark', '#0d1117', STYLE.split('@media')[1] ?? ''],
])('contrast is enough where the page is %s', (_, page, style) => {
  const colours = Object.fromEntries([...style.matchAll(/--(\w):(#\w+)/g)].map(([, name, colour]) => [name, colour]));
  const { f, m, b, s, d, n, g, v, o } = colours as Record<string, string>;
  const texts = [
    [f, page],
    [m, page],
    [f, b],
    [m, b],
    [o, n],
    [o, g],
    [o, v],
  ];
  const shapes = [
    [s, page],
    [s, b],
    [d, page],
    [d, b],
    [n, page],
    [g, page],
    [v, page],
  ];
  for (const pair of texts) expect(contrast(pair), `${pair}`).toBeGreaterThanOrEqual(4.5);
  for (const pair of shapes) expect(contrast(pair), `${pair}`).toBeGreaterThanOrEqual(3);
});

function contrast(pair: readonly (string | undefined)[]): number {
  const [dark = 0, light = 0] = pair.map((colour = '') => luminance(colour)).sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const hex = colour.length === 4 ? colour.replaceAll(/\w/g, '$&$&') : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
