import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DownloadError, InputError } from '../cluster/index.ts';
import { type TestFolder, testFolder } from '../cluster/servers.fixture.ts';
import type { ResultRecord } from '../experiments/harness/record.ts';
import { modelledRecord, realRecord } from '../reports/record.fixture.ts';
import { columnOf, columnText, exitCodeFor } from './columns.ts';
import { outputFor } from './results.ts';
import { Interrupted } from './stop-signal.ts';

const asExpected: ResultRecord = { ...realRecord, ended: { how: 'completed' } };
const otherwise = realRecord;

let folder: TestFolder;
let said: string[];
beforeEach(async () => {
  folder = await testFolder();
  said = [];
});
afterEach(() => folder[Symbol.asyncDispose]());

/** A column whose run enters the records and then throws, where there is something to be thrown. */
const column = (asked: string, records: readonly ResultRecord[], thrown?: unknown) =>
  columnOf(
    asked,
    outputFor(join(folder.path, 'out')),
    async (ledger) => {
      for (const record of records) await ledger.enter(record);
      if (thrown !== undefined) throw thrown;
    },
    (text) => said.push(text),
  );

test('a version that cannot be had is told with its reason, and the others join each other on the page', async () => {
  const columns = [
    await column('8.1', [], new DownloadError('8.1', 'there is no such version')),
    await column('8.0', [asExpected]),
    await column('embedded', [modelledRecord]),
  ];
  expect(columns.map((one) => columnText(one))).toEqual([
    '8.1  no results: MongoDB 8.1 cannot be had: there is no such version',
    '8.0  MongoDB 8.0.4, 1 experiment: 1 without predictions',
    expect.stringMatching(
      /^embedded {2}MongoDB 9\.0\.0-alpha0, 1 experiment: 1 differs; not as predicted: 07-an-example\n\n.*:\n\n07-an-example\n {2}step 3: /,
    ),
  ]);
  expect(said).toEqual(['MongoDB 8.1 cannot be had: there is no such version']);
  expect((await readdir(join(folder.path, 'out'))).sort()).toEqual([
    '8.0.4',
    '9.0.0-alpha0-embedded',
    'README.md',
    'matrix.md',
    'not-run',
  ]);
  const page = await readFile(join(folder.path, 'out/matrix.md'), 'utf8');
  expect(page).toContain('| 8.0.4 | on every version | 9.0.0-alpha0-embedded |');
  expect(page).toContain(
    '- `8.1` was asked for and gave no results: `MongoDB 8.1 cannot be had: there is no such version`',
  );
});

test('the page names a version until it has given its results', async () => {
  const page = () => readFile(join(folder.path, 'out/matrix.md'), 'utf8');
  await column('8.0', [asExpected], new DownloadError('8.0', 'the network went'));
  expect(await page()).toContain(
    '- `8.0` was asked for and ended early, as MongoDB `8.0.4`: `MongoDB 8.0 cannot be had: the network',
  );
  await column('8.0', [asExpected]);
  expect(await page()).not.toContain('was asked for');
});

test.each<[string, string, unknown]>([
  ['an interruption', '8.0', new Interrupted('stopped by SIGINT', 130)],
  ['a name that is none', 'system', new InputError('mongod is not on PATH')],
  ['a folder', '/opt/mongodb', new DownloadError('8.0', 'it broke')],
  ['a fault of ours', '8.0', new TypeError('x is undefined')],
])('%s says nothing of a version: nothing is left of the run', async (_, asked, thrown) => {
  expect(await column(asked, [], thrown)).toMatchObject({ isNoted: false });
  expect(await readdir(folder.path)).toEqual([]);
});

test('a version that fails half-way keeps its records, and a fault of ours is told with its place', async () => {
  const half = await column('8.0', [asExpected], new TypeError('no\nsuch thing'));
  expect(columnText(half)).toBe('8.0  MongoDB 8.0.4, 1 experiment: 1 without predictions; it ended early: no');
  expect(said).toEqual([expect.stringMatching(/^TypeError: no\nsuch thing\n +at .*columns\.test\.ts/)]);
  expect(await readdir(join(folder.path, 'out/8.0.4'))).toEqual(['07-an-example.json', '07-an-example.md']);
});

test('results that cannot be written end it all', async () => {
  await writeFile(join(folder.path, 'out'), 'a file is in the way');
  await expect(column('8.0', [asExpected])).rejects.toThrow(InputError);
});

test('the exit code is that of the worst column', () => {
  const good = { asked: '7.0', records: [asExpected] };
  const bad = { asked: '8.0', records: [asExpected, otherwise] };
  const missing = { asked: '9.0', records: [], problem: 'it did not start' };
  expect(exitCodeFor([good])).toBe(0);
  expect(exitCodeFor([good, bad])).toBe(1);
  expect(exitCodeFor([missing, bad, good])).toBe(3);
});
