import { createElement } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import type { Row } from '../comparison.ts';
import type { Difference, Stretch } from '../differences.ts';
import { realRecord } from '../record.fixture.ts';
import type { ResultSet } from '../sets.ts';
import { MatrixTable } from './matrix-table.tsx';

const real = ['6.0', '7.0', '8.0'].map((name): ResultSet => ({ name, records: [realRecord] }));
const seen = (server: string, outcome: string, text = ''): Stretch => ({ servers: [server], outcome, text });

/** The cells of a claim on three servers, and what is said of since when. */
function row(servers: number, ...differences: Difference[]): string[] {
  const told: Row = { claim: 'G1', servers, everywhere: servers === real.length, differences };
  const html = renderToString(createElement(MatrixTable, { comparison: { real, modelled: [], rows: [told] } }));
  return [...html.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, ''));
}

const outcome: Difference = {
  experiment: 'an-example',
  kind: 'outcome',
  stretches: [seen('6.0', 'success'), seen('7.0', 'error 67', 'no'), seen('8.0', 'error 67', 'no!')],
};
const text: Difference = {
  experiment: 'an-example',
  kind: 'text',
  stretches: [seen('6.0', 'error 67', 'no'), seen('8.0', 'error 67', 'no!')],
};

test('a server with another outcome than the one before is marked; one with other words is not', () => {
  expect(row(3, outcome, text)).toEqual(['holds', 'holds changed', 'holds', 'another outcome since 7.0']);
});

test('where messages alone differ, that is said', () => {
  expect(row(3, text)).toEqual(['holds', 'holds', 'holds', 'other messages since 8.0']);
});

test.each([
  [3, 'same'],
  [2, 'same on 2'],
  [1, '–'],
])('%i servers that came out the same: %s', (servers, words) => {
  expect(row(servers).at(-1)).toBe(words);
});
