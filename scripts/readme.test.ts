import { readFileSync } from 'node:fs';
import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { builtInExperiments } from '../experiments/harness/load.ts';
import type { ResultRecord } from '../experiments/harness/record.ts';
import { fileName } from '../reports/sets.ts';
import { chooseExperiments } from './choose.ts';
import { summary } from './summary.ts';
import { totalsText } from './totals.ts';

const results = 'reports/results/9.0.0-alpha0-embedded';
const readme = read('README.md');

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}

test('the excerpt in the README stands in a committed report', () => {
  const step = /````markdown\n([\s\S]+?)\n````/.exec(readme)?.[1];
  expect(read(`${results}/01-unique-non-prefix.md`)).toContain(`\n${step}\n`);
});

/** On a screen that has room for claims and none for the paths of pages. The columns are as wide as the longest name of all. */
test('the lines that the README shows of a run are what the committed records come to', async () => {
  const names = (await builtInExperiments()).map(fileName);
  const records: ResultRecord[] = names.map((name) => JSON.parse(read(`${results}/${name}.json`)));
  const screen = { columns: 100, colors: picocolors.createColors(false) };
  const lines = summary(records, ({ experiment }) => `${results}/${fileName(experiment)}.md`, screen).split('\n');
  const shown = [...lines.slice(0, 5), '…', lines.at(-1), '', totalsText(records), 'index: reports/README.md'];
  expect(singleSpaced(readme)).toContain(singleSpaced(shown.join('\n')));
});

function singleSpaced(text: string): string {
  return text.replaceAll(/ +/g, ' ');
}

test('every command that the README names is there, with the experiments that it names', async () => {
  const { scripts } = JSON.parse(read('package.json'));
  const commands = [...readme.matchAll(/npm (?:--prefix \S+ )?run ([\w:]+)((?: \w[\w-]*)*)/g)];
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands.map(([, name]) => name)));
  const words = commands.flatMap(([, name, rest = '']) => (name === 'experiment' ? rest.split(' ') : []));
  const named = words.filter(Boolean);
  expect(named).toContain('all');
  await expect(chooseExperiments(named, await builtInExperiments())).resolves.not.toHaveLength(0);
});

test('every file that the README links to is there', () => {
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)]+)\)|^\[[^\]]+\]: (\S+)$/gm)];
  expect(links.length).toBeGreaterThan(5);
  for (const [, inline, target] of links) expect(read(inline ?? target ?? '')).not.toBe('');
});
