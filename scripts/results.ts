/** Where results are kept, and how they get there: one folder per server, a record and a page per experiment, one index, one matrix. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTwoFilesPatch } from 'diff';
import { InputError } from '../cluster/index.ts';
import type { ResultRecord } from '../experiments/harness/record.ts';
import { indexPage } from '../reports/index.ts';
import { experimentPage } from '../reports/markdown.ts';
import { matrixPage } from '../reports/matrix.ts';
import { fileName, isModelled, type ResultSet } from '../reports/sets.ts';
import { userPath } from './cli.ts';
import { conformanceText } from './conformance.ts';

const REPOSITORY = fileURLToPath(new URL('../', import.meta.url));
const REPORTS = join(REPOSITORY, 'reports');
const CONFORMANCE = 'conformance.md';
const MATRIX = 'matrix.md';

/** Two paths, absolute. */
export interface Output {
  /** Holds a folder for each server. */
  readonly results: string;
  /** The index, a file; the matrix lies beside it. */
  readonly index: string;
}

/**
 * Where results go: inside this repository to its reports/results, from anywhere else to ./shardlab-reports.
 * @param out a folder that the user names instead, relative to where they called npm
 */
export function outputFor(out?: string): Output {
  if (out !== undefined) return inFolder(userPath(out));
  if (!isInRepository(userPath('.'))) return inFolder(userPath('shardlab-reports'));
  return { results: join(REPORTS, 'results'), index: join(REPORTS, 'README.md') };
}

/**
 * Makes the folder and tries to write into it, so that a run does not end with nowhere to put its results.
 * @returns undoes it, for a run that came to no result
 * @throws InputError that says why it cannot be written to
 */
export async function prepare({ results }: Output): Promise<() => Promise<void>> {
  try {
    const made = await mkdir(results, { recursive: true });
    await rm(await mkdtemp(join(results, '.probe-')), { recursive: true });
    return async () => {
      if (made) await rm(made, { recursive: true });
    };
  } catch (error) {
    throw new InputError(`results cannot be written to ${results}: ${(error as Error).message}`, { cause: error });
  }
}

/** Writes the record, then its page. Either file is whole at any moment. */
export async function writeResult(output: Output, record: ResultRecord): Promise<void> {
  const path = pathOf(output, record);
  await mkdir(dirname(path), { recursive: true });
  await writeWhole(`${path}.json`, recordText(record));
  await writeWhole(`${path}.md`, pageText(path, record));
}

/** Writes every page, the index and the matrix again from the records that are there. */
export async function writePages(output: Output): Promise<void> {
  for (const { path, text } of await pages(output)) await writeWhole(path, text);
}

/** What pages, index and matrix differ in from what the records make of them, as patches. */
export async function differingPages(output: Output): Promise<string[]> {
  const compared = (await pages(output)).map(({ path, text }) => differenceFrom(path, text));
  return (await Promise.all(compared)).flat();
}

/** What a record differs in from the one that is kept, as a patch; none when it does not. */
export async function differingRecord(output: Output, record: ResultRecord): Promise<string[]> {
  return differenceFrom(`${pathOf(output, record)}.json`, recordText(record));
}

/** The page of a record as the user would name it from where they are. */
export function pagePath(output: Output, record: ResultRecord): string {
  return relative(userPath('.'), `${pathOf(output, record)}.md`);
}

/** The page that compares all results, as {@link pagePath}. */
export function matrixPath({ index }: Output): string {
  return relative(userPath('.'), join(dirname(index), MATRIX));
}

function inFolder(folder: string): Output {
  return { results: folder, index: join(folder, 'README.md') };
}

function isInRepository(path: string): boolean {
  const way = relative(REPOSITORY, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Without its ending. */
function pathOf({ results }: Output, record: ResultRecord): string {
  return join(results, setName(record.environment), fileName(record.experiment));
}

/** A cluster that somebody else runs may be set up otherwise than ours of the same version. */
function setName({ version, model, distribution }: ResultRecord['environment']): string {
  return [version, model && 'embedded', distribution === 'existing' && distribution].filter(Boolean).join('-');
}

function recordText(record: ResultRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

function pageText(path: string, record: ResultRecord): string {
  return experimentPage(record, isInRepository(path) ? posix(relative(dirname(path), REPOSITORY)) : undefined);
}

async function pages(output: Output): Promise<{ path: string; text: string }[]> {
  const sets = await readSets(output);
  const folder = dirname(output.index);
  const results = posix(relative(folder, output.results));
  const conformance = folder === REPORTS ? CONFORMANCE : undefined; // only this repository has a page on it
  return [
    ...sets.flatMap((set) => experimentPages(output, set)),
    { path: output.index, text: indexPage(sets, results, { matrix: MATRIX, conformance }) },
    { path: join(folder, MATRIX), text: matrixPage(sets, results) },
    ...(conformance ? [{ path: join(folder, conformance), text: conformanceText() }] : []),
  ];
}

/** Beside the records: a set that came from another machine keeps the name of its folder. */
function experimentPages({ results }: Output, { name, records }: ResultSet): { path: string; text: string }[] {
  return records.map((record) => {
    const path = join(results, name, `${fileName(record.experiment)}.md`);
    return { path, text: pageText(path, record) };
  });
}

/** All records, a set for each folder that has some; real servers first. */
export async function readSets({ results }: Output): Promise<ResultSet[]> {
  if (!existsSync(results)) return [];
  const folders = (await readdir(results, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const sets = await Promise.all(folders.map(({ name }) => readSet(name, join(results, name))));
  return sets.filter(({ records }) => records.length > 0).sort(realOnesFirst);
}

async function readSet(name: string, folder: string): Promise<ResultSet> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
  const records = await Promise.all(files.map((file) => readRecord(join(folder, file))));
  return { name, records: records.sort((one, other) => one.experiment.number - other.experiment.number) };
}

async function readRecord(path: string): Promise<ResultRecord> {
  const record = parsed(await readFile(path, 'utf8'));
  if (record?.format !== 1) throw new InputError(`${path} is no result record of this version of shardlab`);
  return record;
}

function parsed(text: string): ResultRecord | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller says which file
  }
}

/** What was modelled stands apart, behind what servers answered. */
function realOnesFirst(one: ResultSet, other: ResultSet): number {
  return (
    Number(isModelled(one)) - Number(isModelled(other)) || one.name.localeCompare(other.name, 'en', { numeric: true })
  );
}

async function differenceFrom(path: string, text: string): Promise<string[]> {
  const kept = existsSync(path) ? await readFile(path, 'utf8') : '';
  const name = posix(relative(userPath('.'), path));
  return kept === text ? [] : [createTwoFilesPatch(name, name, kept, text, 'kept', 'now')];
}

/** Either the old file is there or the new one, whole. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, text);
  await rename(draft, path);
}

function posix(path: string): string {
  return path.split(sep).join('/');
}
