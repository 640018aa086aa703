import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InputError } from '../cluster/index.ts';
import { testFolder } from '../cluster/servers.fixture.ts';
import { dropNote, keepNote, readNotes } from './not-run.ts';

const note = (asked: string, reason: string) => ({ format: 1, asked, reason }) as const;

test('a note is kept until it is dropped, the newest of a version alone, in the order of versions', async () => {
  await using folder = await testFolder();
  expect(await readNotes(folder.path)).toEqual([]);
  await keepNote(folder.path, note('10.0', 'no build'));
  await keepNote(folder.path, note('9.0', 'no network'));
  await keepNote(folder.path, { ...note('9.0', 'it broke'), version: '9.0.1' });
  expect(await readNotes(folder.path)).toEqual([
    { ...note('9.0', 'it broke'), version: '9.0.1' },
    note('10.0', 'no build'),
  ]);
  await dropNote(folder.path, '9.0');
  await dropNote(folder.path, '9.0');
  expect(await readNotes(folder.path)).toEqual([note('10.0', 'no build')]);
});

test('a range that is no file name is one', async () => {
  await using folder = await testFolder();
  await keepNote(folder.path, note('>=6 <8 / x', 'none'));
  expect(await readdir(join(folder.path, 'not-run'))).toEqual(['%3E%3D6%20%3C8%20%2F%20x.json']);
  expect((await readNotes(folder.path)).map(({ asked }) => asked)).toEqual(['>=6 <8 / x']);
});

test('two that are too long for a file name, and differ at their ends, have a note each', async () => {
  await using folder = await testFolder();
  const asked = ['a', 'b'].map((end) => `8.0 with mongod ${'--setParameter x=1 '.repeat(20)}${end}`);
  for (const one of asked) await keepNote(folder.path, note(one, 'none'));
  expect((await readNotes(folder.path)).map((kept) => kept.asked)).toEqual(asked);
});

test.each(['{', '{}', '{"format":2,"asked":"8.0","reason":"x"}'])(
  'a file that is none is refused: %s',
  async (text) => {
    await using folder = await testFolder();
    await mkdir(join(folder.path, 'not-run'));
    await writeFile(join(folder.path, 'not-run/8.0.json'), text);
    await expect(readNotes(folder.path)).rejects.toThrow(InputError);
  },
);
