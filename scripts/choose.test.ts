import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InputError } from '../cluster/index.ts';
import type { Experiment } from '../experiments/harness/define.ts';
import { chooseExperiments } from './choose.ts';

const experiment = (number: number, name: string): Experiment => ({
  number,
  name,
  title: name,
  question: name,
  run: async () => {},
});
const known = [experiment(1, 'unique-non-prefix'), experiment(2, 'duplicate-id'), experiment(13, 'hashed-unique')];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shardlab choose '));
});
afterAll(() => rm(folder, { recursive: true }));

/** A user's file, `.mjs` so that nothing has to compile it. */
async function file(name: string, number: number): Promise<string> {
  const path = join(folder, `${number}-${name}.mjs`); // a module is loaded once
  const fields = `number: ${number}, name: '${name}', title: 'T', question: 'Q'`;
  await writeFile(path, `export default { ${fields}, async run() {} };`);
  return path;
}

async function chosen(...words: string[]): Promise<string[]> {
  return (await chooseExperiments(words, known)).map(({ name }) => name);
}

test.each<[string[], string[]]>([
  [[], []],
  [['all'], ['unique-non-prefix', 'duplicate-id', 'hashed-unique']],
  [['2'], ['duplicate-id']],
  [['02'], ['duplicate-id']],
  [['hashed-unique'], ['hashed-unique']],
  [['13-hashed-unique'], ['hashed-unique']],
  [['hashed'], ['hashed-unique']],
  [
    ['13', 'duplicate', 'hashed'],
    ['hashed-unique', 'duplicate-id'],
  ],
])('%j means %j', async (words, names) => {
  expect(await chosen(...words)).toEqual(names);
});

test.each([
  ['9', 'there is no experiment 9; run `npm run experiment` for a list'],
  ['e', '"e" is part of 01-unique-non-prefix, 02-duplicate-id and 13-hashed-unique; say which'],
  ['unique', '"unique" is part of 01-unique-non-prefix and 13-hashed-unique; say which'],
  ['duplicate-ids', 'there is no experiment "duplicate-ids"; did you mean duplicate-id?'],
  ['hsahed', 'there is no experiment "hsahed"; did you mean hashed?'],
  ['al', 'there is no experiment "al"; did you mean all?'],
  ['something-else', 'there is no experiment "something-else"; run `npm run experiment` for a list'],
])('%s is refused', async (word, message) => {
  await expect(chosen(word)).rejects.toThrow(new InputError(message));
});

test('a part of many names is not answered with all of them', async () => {
  const many = Array.from({ length: 5 }, (_, i) => experiment(i + 1, `unique-${'abcde'[i]}`));
  await expect(chooseExperiments(['unique'], many)).rejects.toThrow(
    new InputError('"unique" is part of 5 names; run `npm run experiment` for a list'),
  );
});

test('a user’s file is named by its path', async () => {
  expect(await chosen('2', await file('mine', 101))).toEqual(['duplicate-id', 'mine']);
});

test('a user’s file may not take a number or a name that is taken', async () => {
  await expect(chosen(await file('mine', 13))).rejects.toThrow(
    new InputError('13-mine: number 13 is taken by 13-hashed-unique; choose another'),
  );
  await expect(chosen(await file('duplicate-id', 102))).rejects.toThrow(
    new InputError('102-duplicate-id: the name duplicate-id is taken by 02-duplicate-id; choose another'),
  );
  await expect(chosen(await file('one', 103), await file('other', 103))).rejects.toThrow(
    new InputError('103-other: number 103 is taken by 103-one; choose another'),
  );
});

test('a path that holds no file is refused', async () => {
  await expect(chosen(join(folder, 'nothing.ts'))).rejects.toThrow(
    new InputError(`there is no file ${join(folder, 'nothing.ts')}`),
  );
  await expect(chosen(`${folder}/`)).rejects.toThrow(new InputError(`${folder} is no file`));
});
