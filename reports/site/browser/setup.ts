/** Before the browser tests: one browser for all of them, and a site to look at. After them: nothing of either. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';
import { startBrowser } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser is reached. */
    browser: string;
    /** Address of the folder that the site is in, with a slash at its end. */
    site: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'shardlab-site-'));
  const browser = await startBrowser();
  project.provide('browser', browser.endpoint);
  project.provide('site', pathToFileURL(folder + sep).href);
  return async () => {
    await browser.stop();
    await rm(folder, { recursive: true });
  };
}
