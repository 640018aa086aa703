/** `npm run report -- --site`: the static site of all results, in a folder that holds nothing else. */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InputError } from '../cluster/index.ts';
import type { NotRun } from '../reports/not-run.ts';
import type { ResultSet } from '../reports/sets.ts';
import { experimentPages, overviewPages, type SitePage } from '../reports/site/pages.ts';
import { plural } from '../reports/words.ts';
import { jsonIn, writeWhole } from './files.ts';

/** Names the pages that we wrote into the folder, so that those that are no more can go, and nothing else ever does. */
const MARKER = '.shardlab-site.json';

/** What the site shows. */
export interface SiteContent {
  readonly sets: readonly ResultSet[];
  /** Versions that have no results, or not all. */
  readonly notRun: readonly NotRun[];
}

/**
 * Writes all pages, and removes those that an earlier site in the same folder has and this one has not.
 * @param folder absolute; made where it does not exist
 * @param say gets a line on each server whose pages are written
 * @param stopped ends it between two pages; the next time goes over what was written
 * @throws InputError before anything is written where the folder holds something else than a site of ours
 */
export async function writeSite(
  { sets, notRun }: SiteContent,
  folder: string,
  say: (line: string) => void,
  stopped: AbortSignal,
): Promise<void> {
  const earlier = await pagesIn(folder);
  const now = [...sets.flatMap(experimentPages), ...overviewPages(sets, notRun)].map(({ path }) => path);
  await mark(folder, [...new Set([...earlier, ...now])]); // until the end both are ours
  for (const set of sets) {
    await writeAll(experimentPages(set), folder, stopped);
    say(`${set.name}: ${plural(set.records.length, 'page')}`);
  }
  await writeAll(overviewPages(sets, notRun), folder, stopped);
  for (const path of earlier) if (!now.includes(path)) await remove(folder, path);
  await mark(folder, now);
}

/** The pages of an earlier site. */
async function pagesIn(folder: string): Promise<string[]> {
  const files = await filesIn(folder);
  if (files.length === 0) return [];
  const pages = files.includes(MARKER) && pathsIn(await readFile(join(folder, MARKER), 'utf8'));
  if (!pages)
    throw new InputError(`${folder} holds something else than a site of ours: name a folder that is empty or new`);
  return pages;
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new InputError(`the site cannot be written to ${folder}: ${message}`, { cause: error });
  }
}

/** Paths like ours and no others: what they name may be removed. */
function pathsIn(text: string): string[] | undefined {
  const { pages } = jsonIn<{ pages?: unknown }>(text) ?? {};
  return Array.isArray(pages) && pages.every(isOurs) ? pages : undefined;
}

/** In the folder, or in one of its folders. A backslash is part of a name where it does not separate names. */
function isOurs(path: unknown): boolean {
  if (typeof path !== 'string' || !path.endsWith('.html')) return false;
  const names = path.split('/');
  return names.length <= 2 && names.every((name) => basename(name) === name && !['', '.', '..'].includes(name));
}

async function mark(folder: string, pages: readonly string[]): Promise<void> {
  try {
    await writeWhole(join(folder, MARKER), `${JSON.stringify({ pages }, null, 2)}\n`);
  } catch (error) {
    throw new InputError(`the site cannot be written to ${folder}: ${(error as Error).message}`, { cause: error });
  }
}

async function writeAll(pages: readonly SitePage[], folder: string, stopped: AbortSignal): Promise<void> {
  for (const { path, render } of pages) {
    stopped.throwIfAborted();
    await writeWhole(join(folder, path), render());
  }
}

/** With its folder where that is empty then. */
async function remove(folder: string, path: string): Promise<void> {
  const file = join(folder, path);
  if (!existsSync(file)) return;
  await rm(file);
  const rest = await readdir(dirname(file));
  if (rest.length === 0) await rmdir(dirname(file));
}
