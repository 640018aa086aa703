import { expect, test } from 'vitest';
import { modelledRecord, realRecord } from '../record.fixture.ts';
import { hostileRecord } from './hostile.fixture.ts';
import { indexDocument } from './index-page.tsx';

const sets = [
  { name: '8.0.4', records: [realRecord] },
  { name: '9.0-embedded', records: [modelledRecord] },
];

test('an experiment leads to its pages and shows how its predictions fared on each server, a claim opens its cell of the matrix', () => {
  const page = indexDocument(sets);
  expect(page).toContain('<a class="badge differs" href="8.0.4/07-an-example.html">did not end</a>');
  expect(page).toContain('<a class="badge differs" href="9.0-embedded/07-an-example.html">1 of 3 differs</a>');
  expect(page).toMatch(/<a class="title" href="8\.0\.4\/07-an-example\.html"><b>07<\/b> An example<\/a>/);
  expect(page).toContain('<a class="badge modelled" href="matrix.html#G1-9.0-embedded-7">modelled</a>');
});

test('an experiment without predictions is neither as predicted nor otherwise', () => {
  const steps = modelledRecord.steps.map(({ check: _, ...step }) => step);
  expect(indexDocument([{ name: 'a', records: [{ ...modelledRecord, steps }] }])).toContain('<a class="badge none"');
});

test('modelled columns stand apart from those of servers, whatever there are', () => {
  const heads = (shown: typeof sets) =>
    indexDocument(shown)
      .match(/<th scope="col"[^>]*>[^<]*(?=<)/g)
      ?.slice(0, 4);
  const more = [...sets, { name: '9.1-embedded', records: [modelledRecord] }];
  expect(heads(more)).toEqual([
    '<th scope="col">Experiment',
    '<th scope="col">8.0.4',
    '<th scope="col" class="model apart">9.0-embedded',
    '<th scope="col" class="model">9.1-embedded',
  ]);
});

test('experiments and claims lead to each other', () => {
  const page = indexDocument(sets);
  expect(page).toMatch(/id="experiment-7".*?<a href="#G1">G1<\/a>/s);
  expect(page).toMatch(/id="G1".*?<a href="#experiment-7">07<\/a>/s);
});

test('verdicts are explained and counted; that a model proves nothing is said where there is one', () => {
  const [real = sets[0], modelled = sets[1]] = sets.map((set) => indexDocument([set as (typeof sets)[0]]));
  expect(modelled).toContain('1 claim on 9.0-embedded');
  expect(modelled).toContain('class="note modelled"');
  expect(real).not.toContain('class="note modelled"');
});

test('without results it says so; texts of a record are escaped', () => {
  expect(indexDocument([])).toContain('No experiment has been run yet');
  expect(indexDocument([{ name: '<b>', records: [hostileRecord] }])).not.toMatch(/<script|<img|<b><\/th>/);
});
