/** Whole pages of three experiments with their pictures, from records that stay as they are: what changes here is the renderer's doing. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ResultRecord } from '../experiments/harness/record.ts';
import { experimentFiles } from './markdown.ts';
import { fileName } from './sets.ts';

const names = ['01-unique-non-prefix', '34-migration-onto-a-duplicate', '38-cross-shard-transaction'];
const records = names.map(golden);
const context = { root: '../..', index: '../README.md', set: { name: '9.0.0-alpha0-embedded', records } };

function golden(name: string): ResultRecord {
  return JSON.parse(readFileSync(new URL(`golden/${name}.json`, import.meta.url), 'utf8'));
}

test.each(records)('the page of $experiment.name', async (record) => {
  const { page, diagrams } = experimentFiles(record, context);
  await expect(page).toMatchFileSnapshot(`golden/${fileName(record.experiment)}.md`);
  for (const { path, svg } of diagrams) await expect(svg).toMatchFileSnapshot(`golden/${path}`);
});

test('a page shows each of its pictures', () => {
  for (const record of records) {
    const { page, diagrams } = experimentFiles(record, context);
    const shown = [...page.matchAll(/!\[(?:\\.|[^\]])+\]\((\S+)\)/g)].map(([, path]) => path);
    expect(shown).toEqual(diagrams.map(({ path }) => path));
  }
});
