/** Before the browser tests: one browser for all of them, and a site to look at. After them: nothing of either. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';
import { experimentPages, overviewPages } from '../pages.ts';
import { startBrowser } from './chromium.ts';
import { siteSets } from './site.fixture.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser is reached. */
    browser: string;
    /** Address of the folder that the site is in, with a slash at its end. */
    site: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await startBrowser();
  const folder = await mkdtemp(join(tmpdir(), 'shardlab-site-'));
  const cleanUp = async () => {
    await browser.stop();
    await rm(folder, { recursive: true });
  };
  try {
    await writeSite(folder);
  } catch (error) {
    await cleanUp();
    throw error;
  }
  project.provide('browser', browser.endpoint);
  project.provide('site', pathToFileURL(folder + sep).href);
  return cleanUp;
}

async function writeSite(folder: string): Promise<void> {
  const sets = siteSets();
  for (const { path, render } of [...sets.flatMap(experimentPages), ...overviewPages(sets)]) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, render());
  }
}
