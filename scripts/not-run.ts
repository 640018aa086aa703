/** Notes on versions that a matrix was asked for and that gave no results: in a folder beside the results, one file each. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../cluster/index.ts';
import type { NotRun } from '../reports/not-run.ts';
import { jsonIn, writeWhole } from './files.ts';

/** The folder's name. */
export const NOT_RUN = 'not-run';

/** @param results the folder that holds a folder for each server */
export async function keepNote(results: string, note: NotRun): Promise<void> {
  await writeWhole(pathOf(results, note.asked), `${JSON.stringify(note, null, 2)}\n`);
}

/** Once the version has given its results; nothing happens where there is no note. */
export async function dropNote(results: string, asked: string): Promise<void> {
  await rm(pathOf(results, asked), { force: true });
}

/**
 * All notes, by what was asked for.
 * @throws InputError for a file that is none
 */
export async function readNotes(results: string): Promise<NotRun[]> {
  const folder = join(results, NOT_RUN);
  if (!existsSync(folder)) return [];
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
  const notes = await Promise.all(files.map((file) => readNote(join(folder, file))));
  return notes.sort((one, other) => one.asked.localeCompare(other.asked, 'en', { numeric: true }));
}

async function readNote(path: string): Promise<NotRun> {
  const note = jsonIn<Partial<NotRun>>(await readFile(path, 'utf8'));
  const { format, asked, reason, version } = note ?? {};
  if (format !== 1 || typeof asked !== 'string' || typeof reason !== 'string')
    throw new InputError(`${path} is no note of this version of shardlab`);
  return { format, asked, reason, ...(version !== undefined && { version }) };
}

/** File systems take 255. */
const LONGEST_NAME = 200;

/** A range may hold what no file name may. */
function pathOf(results: string, asked: string): string {
  const name = encodeURIComponent(asked);
  return join(results, NOT_RUN, `${name.length > LONGEST_NAME ? shortened(name) : name}.json`);
}

/** Two that begin alike stay apart. */
function shortened(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, LONGEST_NAME - digest.length)}${digest}`;
}
