/** What browser tests open pages with. Whatever a test looks at, its pages may complain of nothing and ask nobody for anything. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { test as base, expect, inject } from 'vitest';

/** How a person looks at a page. */
interface Looking {
  /** CSS pixels; 1280 unless told. */
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce' | 'no-preference';
  readonly javaScriptEnabled?: boolean;
}

interface Fixtures {
  browser: Browser;
  /** Opens a page by its path within the site, fragment included. */
  open: (path: string, how?: Looking) => Promise<Page>;
}

const ACTION_MS = 60_000;

export const test = base.extend<Fixtures>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
    async ({}, use) => {
      const browser = await chromium.connect(inject('browser'));
      await use(browser);
      await browser.close();
    },
    { scope: 'file' },
  ],
  open: async ({ browser }, use) => {
    const complaints: string[] = [];
    const contexts: { close(): Promise<void> }[] = [];
    await use(async (path, { width = 1280, ...how } = {}) => {
      const context = await browser.newContext({ viewport: { width, height: 800 }, ...how });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(ACTION_MS);
      listen(page, complaints);
      await page.goto(`${inject('site')}${path}`);
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(complaints).toEqual([]);
  },
});

function listen(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
  page.on('dialog', async (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('request', (request) => {
    const isPage = request.isNavigationRequest() && request.url().startsWith(inject('site'));
    if (!isPage) complaints.push(`request: ${request.url()}`);
  });
}

/** What axe finds wrong with a page as it stands: the rule and where. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(await axe);
  return page.evaluate<string[]>(FIND_VIOLATIONS);
}

const FIND_VIOLATIONS = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' ' + target)))`;

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** By how many pixels a page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
