/** Before the browser tests: one browser for all of them, and a site to look at. After them: nothing of either. */
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
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
  const folder = await mkdtemp(join(tmpdir(), 'shardlab-browser-'));
  const removed = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', removed); // also where it fails, or is interrupted: Playwright then ends the browser
  const site = join(folder, 'site');
  await writeSite(site);
  const browser = await startBrowser(await mkdtemp(join(folder, 'home-')));
  project.provide('browser', browser.wsEndpoint());
  project.provide('site', pathToFileURL(site + sep).href);
  return async () => {
    await browser.close();
    removed();
  };
}

async function writeSite(folder: string): Promise<void> {
  const sets = siteSets();
  for (const { path, render } of [...sets.flatMap(experimentPages), ...overviewPages(sets)]) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, render());
  }
}
