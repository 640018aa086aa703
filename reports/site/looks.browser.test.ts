import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { overflow, test, violations } from './browser/open.ts';
import { PAGES } from './browser/site.fixture.ts';

const LOOKED_AT: readonly (readonly [what: string, path: string])[] = [
  ['the index', PAGES.index],
  ['the matrix', PAGES.matrix],
  ['a cell of the matrix', `${PAGES.matrix}#G1-8.0.4-101`],
  ['a cell whose texts try to get out of it', `${PAGES.matrix}#K10-9.0.0-alpha0-embedded-103`],
  ['an experiment', PAGES.kept],
  ['a step with the cluster after it', `${PAGES.states}#step-7`],
  ['a page whose texts try to get out of it', `${PAGES.hostile}#step-4`],
];

describe.each(LOOKED_AT)('%s', (_, path) => {
  test.for([360, 1280])(
    'is accessible in light and dark and no wider than its window at %i px',
    async (width, { open }) => {
      const page = await open(path, { width, reducedMotion: 'reduce' });
      expect(await violationsIn('light', page)).toEqual([]);
      expect(await violationsIn('dark', page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
    },
  );
});

test.for([PAGES.states, PAGES.hostile])(
  '%s is accessible before its script, with all of its steps, and no wider than a window of 320 px',
  async (path, { open }) => {
    const page = await open(path, { width: 320 });
    const html = await readFile(new URL(page.url()), 'utf8');
    await page.setContent(html.replace(/<script>.*<\/script>/s, ''));
    expect(await page.locator('.step:visible').count()).toBeGreaterThan(1);
    expect(await violationsIn('light', page)).toEqual([]);
    expect(await violationsIn('dark', page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  },
);

test('on paper a table is whole', async ({ open }) => {
  const page = await open(PAGES.matrix);
  await page.emulateMedia({ media: 'print' });
  const hidden = await page.locator('.matrix').evaluate((box) => {
    return [getComputedStyle(box).overflow, box.scrollHeight - box.clientHeight];
  });
  expect(hidden).toEqual(['visible', 0]);
});

async function violationsIn(colorScheme: 'light' | 'dark', page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  return violations(page);
}
