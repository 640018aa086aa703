/** Where results are kept, and how they get there: one folder per server, a record and a page per experiment, one index, one matrix. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTwoFilesPatch } from 'diff';
import { makeFolder } from '../cluster/distributions/folder.ts';
import { InputError } from '../cluster/index.ts';
import type { ResultRecord } from '../experiments/harness/record.ts';
import { indexPage } from '../reports/index.ts';
import { experimentFiles } from '../reports/markdown.ts';
import { matrixPage } from '../reports/matrix.ts';
import { fileName, isModelled, type ResultSet } from '../reports/sets.ts';
import { userPath } from './cli.ts';
import { conformanceText } from './conformance.ts';
import { jsonIn, writeWhole } from './files.ts';
import { NOT_RUN, readNotes } from './not-run.ts';

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
    const made = await makeFolder(results);
    await rm(await mkdtemp(join(results, '.probe-')), { recursive: true });
    return async () => {
      if (made) await removeEmpty(results, made);
    };
  } catch (error) {
    throw new InputError(`results cannot be written to ${results}: ${(error as Error).message}`, { cause: error });
  }
}

/** From the inner folder to the outer, as far as nobody else has put anything there in the meantime. */
async function removeEmpty(inner: string, outer: string): Promise<void> {
  if ((await readdir(inner)).length > 0) return;
  await rmdir(inner);
  if (inner !== outer) await removeEmpty(dirname(inner), outer);
}

/** Writes the record, then its page, whose links to other experiments come with {@link writePages}. Each file is whole at any moment. */
export async function writeResult(output: Output, record: ResultRecord): Promise<void> {
  const path = pathOf(output, record);
  await writeWhole(`${path}.json`, recordText(record));
  for (const file of pageFiles(output, dirname(path), record)) await writeWhole(file.path, file.text);
}

/** Writes every page with its pictures, the index and the matrix again from the records that are there; removes pictures of no step. */
export async function writePages(output: Output): Promise<void> {
  const files = await pages(output);
  for (const { path, text } of files) await writeWhole(path, text);
  for (const path of await strayDiagrams(output, files)) await rm(path, { force: true });
}

/** What pages, pictures, index and matrix differ in from what the records make of them, as patches. */
export async function differingPages(output: Output): Promise<string[]> {
  const files = await pages(output);
  const strays = (await strayDiagrams(output, files)).map((path) => ({ path, text: '' }));
  const compared = [...files, ...strays].map(({ path, text }) => differenceFrom(path, text));
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

/** The index of all results, as {@link pagePath}. */
export function indexPath({ index }: Output): string {
  return relative(userPath('.'), index);
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

/** A cluster that somebody else runs, or whose servers were told more, may be set up otherwise than ours of the same version. */
function setName({ version, model, distribution, arguments: told }: ResultRecord['environment']): string {
  const parts = [version, told && argsName(told), model && 'embedded', distribution === 'existing' && distribution];
  return parts.filter(Boolean).join('-');
}

/** Other arguments, another folder. */
function argsName(told: object): string {
  const digest = createHash('sha256').update(JSON.stringify(told)).digest('hex');
  return `args-${digest.slice(0, 8)}`;
}

function recordText(record: ResultRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** The page of a record and the pictures in it. */
function pageFiles(output: Output, folder: string, record: ResultRecord, set?: ResultSet): TextFile[] {
  const { page, diagrams } = experimentFiles(record, {
    root: isInRepository(folder) ? posix(relative(folder, REPOSITORY)) : undefined,
    index: posix(relative(folder, output.index)),
    set,
  });
  const path = join(folder, `${fileName(record.experiment)}.md`);
  return [{ path, text: page }, ...diagrams.map(({ path, svg }) => ({ path: join(folder, path), text: svg }))];
}

async function pages(output: Output): Promise<TextFile[]> {
  const [sets, notes] = await Promise.all([readSets(output), readNotes(output.results)]);
  const folder = dirname(output.index);
  const results = posix(relative(folder, output.results));
  const conformance = folder === REPORTS ? CONFORMANCE : undefined; // only this repository has a page on it
  return [
    ...sets.flatMap((set) => experimentPages(output, set)),
    { path: output.index, text: indexPage(sets, results, { matrix: MATRIX, conformance }) },
    { path: join(folder, MATRIX), text: matrixPage(sets, results, notes) },
    ...(conformance ? [{ path: join(folder, conformance), text: conformanceText() }] : []),
  ];
}

/** Beside the records: a set that came from another machine keeps the name of its folder. */
function experimentPages(output: Output, set: ResultSet): TextFile[] {
  return set.records.flatMap((record) => pageFiles(output, join(output.results, set.name), record, set));
}

/** Pictures beside the pages of a set that are in none of them. No other folder is looked into: the user may have named one of their own. */
async function strayDiagrams({ results }: Output, files: readonly TextFile[]): Promise<string[]> {
  const wanted = new Set(files.map(({ path }) => path));
  const ofSets = files.map(({ path }) => dirname(path)).filter((folder) => dirname(folder) === results);
  const folders = [...new Set(ofSets)].map((folder) => join(folder, 'diagrams')).filter(existsSync);
  const kept = await Promise.all(folders.map(async (one) => (await readdir(one)).map((name) => join(one, name))));
  return kept.flat().filter((path) => DIAGRAM.test(basename(path)) && !wanted.has(path));
}

const DIAGRAM = /^\d+-.+-step-\d+\.svg$/;

/** All records, a set for each folder that has some; real servers first. */
export async function readSets({ results }: Output): Promise<ResultSet[]> {
  if (!existsSync(results)) return [];
  const folders = (await readdir(results, { withFileTypes: true })).filter(
    (entry) => entry.isDirectory() && entry.name !== NOT_RUN,
  );
  const sets = await Promise.all(folders.map(({ name }) => readSet(name, join(results, name))));
  return sets.filter(({ records }) => records.length > 0).sort(realOnesFirst);
}

async function readSet(name: string, folder: string): Promise<ResultSet> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
  const records = await Promise.all(files.map((file) => readRecord(join(folder, file))));
  return { name, records: records.sort((one, other) => one.experiment.number - other.experiment.number) };
}

async function readRecord(path: string): Promise<ResultRecord> {
  const record = jsonIn<Partial<ResultRecord> | null>(await readFile(path, 'utf8'));
  if (!isRecord(record)) throw new InputError(`${path} is no result record of this version of shardlab`);
  const name = `${fileName(record.experiment)}.json`; // names the page, too, which must not end up elsewhere
  if (name !== basename(path))
    throw new InputError(`${path} is the record of another experiment: it belongs into ${name}`);
  return record;
}

/** A file of somebody else may be anything; one that was cut by hand lacks a part. */
function isRecord(record: Partial<ResultRecord> | null | undefined): record is ResultRecord {
  return record?.format === 1 && PARTS.every((part) => record[part]);
}

const PARTS = ['experiment', 'environment', 'ended', 'steps', 'placement', 'verdicts'] as const;

/** What was modelled stands apart, behind what servers answered. */
function realOnesFirst(one: ResultSet, other: ResultSet): number {
  return (
    Number(isModelled(one)) - Number(isModelled(other)) || one.name.localeCompare(other.name, 'en', { numeric: true })
  );
}

async function differenceFrom(path: string, text: string): Promise<string[]> {
  const name = posix(relative(userPath('.'), path));
  if (!existsSync(path)) return [`${name} is not there`];
  const kept = await readFile(path, 'utf8');
  return kept === text ? [] : [createTwoFilesPatch(name, name, kept, text, 'kept', 'now')];
}

function posix(path: string): string {
  return path.split(sep).join('/');
}
