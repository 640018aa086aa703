import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { InputError } from '../cluster/index.ts';
import { modelledRecord, realRecord } from '../reports/record.fixture.ts';
import { stateRecord } from '../reports/state.fixture.ts';
import {
  differingPages,
  differingRecord,
  type Output,
  outputFor,
  prepare,
  writePages,
  writeResult,
} from './results.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const { INIT_CWD } = process.env;

let folder: string;
let output: Output;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shardlab results '));
  output = outputFor(folder);
});
afterEach(async () => {
  process.env.INIT_CWD = INIT_CWD ?? '';
  if (INIT_CWD === undefined) delete process.env.INIT_CWD;
  await rm(folder, { recursive: true });
});

test('results go into this repository from inside of it, and beside the caller from anywhere else', () => {
  process.env.INIT_CWD = join(repository, 'experiments');
  expect(outputFor()).toEqual({
    results: join(repository, 'reports/results'),
    index: join(repository, 'reports/README.md'),
  });
  process.env.INIT_CWD = folder;
  expect(outputFor()).toEqual({
    results: join(folder, 'shardlab-reports'),
    index: join(folder, 'shardlab-reports/README.md'),
  });
  expect(outputFor('here')).toEqual({ results: join(folder, 'here'), index: join(folder, 'here/README.md') });
});

test('each server has a folder with a record and a page per experiment, and there is one index', async () => {
  await prepare(output);
  await writeResult(output, modelledRecord);
  await writeResult(output, realRecord);
  await writePages(output);
  expect((await readdir(folder, { recursive: true })).sort()).toEqual([
    '8.0.4',
    '8.0.4/07-an-example.json',
    '8.0.4/07-an-example.md',
    '9.0.0-alpha0-embedded',
    '9.0.0-alpha0-embedded/07-an-example.json',
    '9.0.0-alpha0-embedded/07-an-example.md',
    'README.md',
    'matrix.md',
  ]);
  const kept = await readFile(join(folder, '8.0.4/07-an-example.json'), 'utf8');
  expect(JSON.parse(kept)).toEqual(realRecord);
  expect(await readFile(output.index, 'utf8')).toContain('(9.0.0-alpha0-embedded/07-an-example.md)');
});

test('a server that was told more, or that somebody else runs, has a folder of its own', async () => {
  const told = (mongod: string[]) => ({ ...realRecord.environment, arguments: { mongod } });
  const environments = [
    realRecord.environment,
    { ...realRecord.environment, distribution: 'existing' },
    told(['--slowms', '5']),
    told(['--slowms', '6']),
  ];
  for (const environment of environments) await writeResult(output, { ...realRecord, environment });
  const folders = await readdir(output.results);
  expect(folders).toHaveLength(4);
  expect(folders).toEqual(
    expect.arrayContaining(['8.0.4', '8.0.4-existing', expect.stringMatching(/^8\.0\.4-args-[\da-f]{8}$/)]),
  );
});

test('pictures lie beside the pages; one that no step has any more goes, and until then it differs', async () => {
  await writeResult(output, stateRecord);
  const diagrams = join(folder, '9.0.0-alpha0-embedded/diagrams');
  expect(await readdir(diagrams)).toContain('07-an-example-step-2.svg');
  await writePages(output);
  expect(await differingPages(output)).toEqual([]);

  await writeFile(join(diagrams, '07-an-example-step-99.svg'), '<svg/>');
  await writeFile(join(diagrams, '07-an-example-step-2.svg'), '<svg/>');
  await writeFile(join(diagrams, 'notes.svg'), '<svg/>');
  expect(await differingPages(output)).toHaveLength(2);
  await writePages(output);
  expect(await differingPages(output)).toEqual([]);
  expect(await readdir(diagrams)).not.toContain('07-an-example-step-99.svg');
  expect(await readdir(diagrams)).toContain('notes.svg');
});

test('nothing is removed from a folder that is no set of results', async () => {
  await writeResult(output, stateRecord);
  const others = [join(folder, 'diagrams'), join(folder, 'mine/diagrams'), join(folder, 'a/b/diagrams')];
  for (const other of others) {
    await mkdir(other, { recursive: true });
    await writeFile(join(other, '01-setup-step-1.svg'), '<svg/>');
  }
  await writePages(output);
  expect(await differingPages(output)).toEqual([]);
  for (const other of others) expect(await readdir(other)).toEqual(['01-setup-step-1.svg']);
});

test('a record whose page would lie elsewhere is refused', async () => {
  const experiment = { ...realRecord.experiment, name: '/../../elsewhere' };
  await mkdir(join(folder, '8.0.4'));
  await writeFile(join(folder, '8.0.4', '07-x.json'), JSON.stringify({ ...realRecord, experiment }));
  await expect(writePages(output)).rejects.toThrow(InputError);
  expect(await readdir(join(folder, '8.0.4'))).toEqual(['07-x.json']);
});

test('records that were copied from another machine join in under the name of their folder', async () => {
  await writeResult(output, realRecord);
  await cp(join(folder, '8.0.4'), join(folder, '8.0.4-mac'), { recursive: true });
  await rm(join(folder, '8.0.4-mac/07-an-example.md'));
  await writePages(output);
  const matrix = await readFile(join(folder, 'matrix.md'), 'utf8');
  expect(matrix).toContain('| 8.0.4 | 8.0.4-mac |');
  expect(matrix).toContain('(8.0.4-mac/07-an-example.md)');
  expect(await readFile(join(folder, '8.0.4-mac/07-an-example.md'), 'utf8')).toContain('# 07 · An example');
});

test('a record or page that differs from the kept one is shown as a patch, one that does not is not', async () => {
  await writeResult(output, modelledRecord);
  await writePages(output);
  expect(await differingRecord(output, modelledRecord)).toEqual([]);
  expect(await differingPages(output)).toEqual([]);

  const experiment = { ...modelledRecord.experiment, question: 'Did it?' };
  const [patch] = await differingRecord(output, { ...modelledRecord, experiment });
  expect(patch).toMatch(/07-an-example\.json\tkept\n.*\tnow\n/);
  expect(patch).toContain('-    "question": "Does it work?"');
  expect(patch).toContain('+    "question": "Did it?"');

  await writeFile(output.index, '# Results, touched up\n');
  await writeFile(join(folder, 'matrix.md'), '# Matrix, touched up\n');
  const patches = await differingPages(output);
  expect(patches).toHaveLength(2);
  expect(patches[0]).toContain('-# Results, touched up');
  expect(patches[1]).toContain('-# Matrix, touched up');
});

test('a record that was never kept is said to be missing', async () => {
  expect(await differingRecord(output, realRecord)).toEqual([
    expect.stringMatching(/07-an-example\.json is not there$/),
  ]);
});

test('a folder that cannot be written to is refused before anything runs', async () => {
  await writeFile(join(folder, 'file'), '');
  const blocked = outputFor(join(folder, 'file', 'inside'));
  await expect(prepare(blocked)).rejects.toThrow(InputError);
  await expect(prepare(blocked)).rejects.toThrow(`results cannot be written to ${blocked.results}: EEXIST`);
});

test('a run that came to no result leaves no folder of its making, and leaves one that was there', async () => {
  const undo = await prepare(outputFor(join(folder, 'new', 'results')));
  expect(await readdir(folder)).toEqual(['new']);
  await undo();
  expect(await readdir(folder)).toEqual([]);
  await (await prepare(output))();
  expect(await readdir(folder)).toEqual([]);
});

test('a run that came to no result leaves what another has written into its folder in the meantime', async () => {
  const shared = outputFor(join(folder, 'new'));
  const undo = await prepare(shared);
  await writeResult(shared, realRecord);
  await undo();
  expect(await readdir(join(folder, 'new'))).toEqual(['8.0.4']);
});

test.each(['{ "format": 2 }', '{ "format": 1, "steps": [] }', '{', 'null'])(
  'a file that is no record (%s) is named',
  async (text) => {
    await mkdir(join(folder, '8.0.4'));
    await writeFile(join(folder, '8.0.4', 'x.json'), text);
    await expect(writePages(output)).rejects.toThrow(
      new InputError(`${join(folder, '8.0.4', 'x.json')} is no result record of this version of shardlab`),
    );
  },
);
