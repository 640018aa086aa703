import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { StepRecord } from '../../experiments/harness/record.ts';
import { isModelled, type ResultSet } from '../sets.ts';
import { test } from './browser/open.ts';
import { NEW_WORDS, PAGES, siteSets } from './browser/site.fixture.ts';
import { matrixDocument } from './matrix-page.tsx';

/** Waits for an address without a cell: a dialog that closes tells the page of it later. */
async function isForgotten(page: Page): Promise<void> {
  await page.waitForURL(({ hash }) => hash === '');
}

describe('the filter of the matrix', () => {
  test('shows the claims with a verdict, and those that differ', async ({ open }) => {
    const page = await open(PAGES.matrix);
    const all = await page.locator('.matrix tbody tr').count();
    const shown = () => page.locator('.matrix tbody tr:visible b').allTextContents();
    expect(await shown()).toHaveLength(all);
    await page.getByLabel('Verdict').selectOption('fails');
    expect(await shown()).toEqual(['K10', 'G1']);
    await page.getByLabel('only what differs').check();
    expect(await shown()).toEqual(['G1']);
    expect(await page.locator('#shown').textContent()).toBe(`1 of ${all} claims`);
    await page.getByLabel('Verdict').selectOption('skipped');
    expect(await shown()).toEqual([]);
    expect(await page.locator('.differences:visible').count()).toBe(0);
  });

  test('still chooses what was chosen when the reader comes back', async ({ open }) => {
    const page = await open(PAGES.matrix);
    await page.getByLabel('Verdict').selectOption('fails');
    await page.getByRole('link', { name: 'Experiments' }).first().click();
    await page.waitForURL(/index\.html/);
    await page.goBack();
    await page.locator('#shown', { hasText: /^2 of/ }).waitFor();
    expect(await page.getByLabel('Verdict').inputValue()).toBe('fails');
    expect(await page.locator('.matrix tbody tr:visible b').allTextContents()).toEqual(['K10', 'G1']);
  });

  test('is not there where it could do nothing', async ({ open }) => {
    const page = await open(PAGES.matrix, { javaScriptEnabled: false });
    expect(await page.locator('#filter').isVisible()).toBe(false);
  });
});

describe('a cell of the matrix', () => {
  const cell = '[data-cell="G1-8.0.4-101"]';

  test('opens its reply, word for word, and leads to the step', async ({ open }) => {
    const page = await open(PAGES.matrix);
    await page.locator(cell).click();
    const dialog = page.getByRole('dialog', { name: 'G1 on 8.0.4' });
    expect(await dialog.locator('pre').last().textContent()).toContain(NEW_WORDS);
    expect(await dialog.textContent()).toContain('A server answered');
    await dialog.getByRole('link', { name: 'step 1 on its page' }).click();
    await page.waitForURL(/8\.0\.4\/101-example\.html#step-1$/);
  });

  test('is opened and closed with the keyboard, which goes on where it was', async ({ open }) => {
    const page = await open(PAGES.matrix);
    await page.locator(cell).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.dataset.cell')).toBe('G1-8.0.4-101');
    await isForgotten(page);
  });

  test('leaves a click that asks for a tab of its own to the browser', async ({ open }) => {
    const page = await open(PAGES.matrix);
    const opened = page.context().waitForEvent('page');
    await page.locator(cell).click({ modifiers: ['Control'] });
    const tab = await opened;
    await tab.waitForURL(/8\.0\.4\/101-example\.html#step-1$/);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('is closed by a click beside it, and the way forward opens it again', async ({ open }) => {
    const page = await open(PAGES.matrix);
    await page.locator(cell).click();
    await page.getByRole('dialog').waitFor();
    await page.mouse.click(2, 2);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await isForgotten(page);
    await page.goForward();
    await page.getByRole('dialog', { name: 'G1 on 8.0.4' }).waitFor();
  });

  test('is closed by the way back and opened by the way forward', async ({ open }) => {
    const page = await open(PAGES.matrix);
    await page.locator(cell).click();
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.goForward();
    await page.getByRole('dialog', { name: 'G1 on 8.0.4' }).waitFor();
  });

  test('can be linked to, and leads to what the other servers said', async ({ open }) => {
    const page = await open(`${PAGES.matrix}#G1-8.0.4-101`);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: '7.0.14' }).click();
    await page.getByRole('dialog', { name: 'G1 on 7.0.14' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await isForgotten(page);
  });

  test('says where our model answered', async ({ open }) => {
    const page = await open(`${PAGES.matrix}#G1-9.0.0-alpha0-embedded-101`);
    expect(await page.getByRole('dialog').textContent()).toContain('Our model of the sharding layer answered');
  });

  test('says whose words it shows where those of every server would be too many', async ({ open }) => {
    const page = await open(PAGES.matrix);
    await page.setContent(matrixDocument(wordySets()));
    await page.locator('[data-cell="K10-8.0.4-101"]').click();
    await page.getByRole('dialog').getByText('The reply is shown as 7.0.14 gave it').waitFor();
    await page.getByRole('dialog').getByRole('link', { name: '7.0.14' }).click();
    await page.getByRole('dialog', { name: 'K10 on 7.0.14' }).waitFor();
    expect(await page.getByText('The reply is shown as').count()).toBe(0);
  });

  test('shows what a server said as text', async ({ open }) => {
    const page = await open(`${PAGES.matrix}#K10-9.0.0-alpha0-embedded-103`);
    expect(await page.getByRole('dialog').locator('pre').first().textContent()).toContain('</script><script>alert(1)');
    expect(await page.getByRole('dialog').locator('script, img').count()).toBe(0);
  });

  test('leads to the step on its page where there is no script', async ({ open }) => {
    const page = await open(PAGES.matrix, { javaScriptEnabled: false });
    await page.locator(cell).click();
    await page.waitForURL(/8\.0\.4\/101-example\.html#step-1$/);
    expect(await page.locator('#step-1').textContent()).toContain(NEW_WORDS);
  });
});

/** Of real servers, whose replies differ and come to the same. */
function wordySets(): ResultSet[] {
  const real = siteSets().filter((set) => !isModelled(set));
  return real.map(({ name, records }) => {
    const reply = { ok: 1, filler: name.padEnd(160_000, '.') };
    const wordy = ({ exchanges, ...step }: StepRecord): StepRecord => ({
      ...step,
      exchanges: exchanges.map((one) => ({ ...one, reply, answeredBy: 'server' })),
    });
    return { name, records: records.map((record) => ({ ...record, steps: record.steps.map(wordy) })) };
  });
}

test('the matrix says what differs and since when', async ({ open }) => {
  const page = await open(PAGES.matrix);
  await page.getByRole('link', { name: 'another outcome since 8.0.4' }).click();
  expect(await page.locator('#G1').textContent()).toContain('since 8.0.4: fails');
  expect(await page.locator('td', { hasText: 'changed' }).locator('a').getAttribute('data-cell')).toBe('G1-8.0.4-101');
});
