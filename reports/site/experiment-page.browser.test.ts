import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { stateRecord } from '../state.fixture.ts';
import { test } from './browser/open.ts';
import { PAGES } from './browser/site.fixture.ts';

const LAST = stateRecord.steps.length;

/** The numbers of the steps that can be seen, and the one that the address names. */
async function shown(page: Page): Promise<{ steps: number[]; hash: string }> {
  const visible = await page.locator('[data-step]:visible').all();
  const steps = await Promise.all(visible.map((step) => step.getAttribute('data-step')));
  return { steps: steps.map(Number), hash: new URL(page.url()).hash };
}

const at = (step: number) => ({ steps: [step], hash: `#step-${step}` });

describe('the player', () => {
  test('goes forward and back, and stops at both ends', async ({ open }) => {
    const page = await open(PAGES.states);
    expect(await shown(page)).toEqual({ steps: [1], hash: '' });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button('Next').click();
    expect(await shown(page)).toEqual(at(2));
    await button('Back').click();
    expect(await shown(page)).toEqual(at(1));
    await button('Last').click();
    expect(await shown(page)).toEqual(at(LAST));
    expect(await button('Next').getAttribute('aria-disabled')).toBe('true');
    await button('First').click();
    expect(await shown(page)).toEqual(at(1));
    expect(await button('Back').getAttribute('aria-disabled')).toBe('true');
  });

  test('obeys the keyboard', async ({ open }) => {
    const page = await open(PAGES.states);
    for (const [key, step] of [
      ['ArrowRight', 2],
      ['ArrowRight', 3],
      ['ArrowLeft', 2],
      ['End', LAST],
      ['Home', 1],
    ] as const) {
      await page.keyboard.press(key);
      expect(await shown(page)).toEqual(at(step));
    }
  });

  test('has a slider, which keeps its own keys', async ({ open }) => {
    const page = await open(PAGES.states);
    const slider = page.getByRole('slider', { name: 'Step' });
    await slider.fill('4');
    expect(await shown(page)).toEqual(at(4));
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    expect(await shown(page)).toEqual(at(5));
    expect(await slider.getAttribute('aria-valuetext')).toContain(`Step 5 of ${LAST}: A chunk moves`);
  });

  test('tells those who hear the page where they are', async ({ open }) => {
    const page = await open(PAGES.states);
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('[aria-live]').textContent()).toContain(`Step 2 of ${LAST}: Three users sign up.`);
  });
});

describe('the address', () => {
  test('opens the step that it names', async ({ open }) => {
    const page = await open(`${PAGES.states}#step-5`);
    expect(await shown(page)).toEqual(at(5));
    await page.getByText(`All ${LAST} steps`).click();
    await page.getByRole('link', { name: 'Every email has to be unique.' }).click();
    expect(await shown(page)).toEqual(at(3));
  });

  test('leads back and forth through the steps that were shown', async ({ open }) => {
    const page = await open(PAGES.states);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    await page.goBack();
    expect(await shown(page)).toEqual(at(2));
    await page.goBack();
    expect(await shown(page)).toEqual({ steps: [1], hash: '' });
    await page.goForward();
    expect(await shown(page)).toEqual(at(2));
  });
});

describe('without a script', () => {
  test('the whole report is there, and no player', async ({ open }) => {
    const page = await open(PAGES.states, { javaScriptEnabled: false });
    expect((await shown(page)).steps).toEqual(stateRecord.steps.map(({ number }) => number));
    expect(await page.locator('.player').isVisible()).toBe(false);
    for (const { caption } of stateRecord.steps) {
      const heading = page.getByRole('heading', { name: caption.replaceAll('`', '') });
      expect(await heading.isVisible()).toBe(true);
    }
    expect(await page.locator('pre:visible').first().textContent()).toContain('db.users.insert');
  });

  test('a link leads to its step', async ({ open }) => {
    const page = await open(`${PAGES.states}#step-5`, { javaScriptEnabled: false });
    expect(await page.locator('#step-5').evaluate((step) => step.matches(':target'))).toBe(true);
  });
});

describe('what moves', () => {
  const moving = (page: Page) => page.evaluate<number>('document.getAnimations().length');

  test.for([
    ['no-preference', true],
    ['reduce', false],
  ] as const)('with reduced motion set to %s', async ([reducedMotion, moves], { open }) => {
    const page = await open(`${PAGES.states}#step-1`, { reducedMotion });
    await page.keyboard.press('ArrowRight');
    expect((await moving(page)) > 0).toBe(moves);
  });
});

test('what a server said stays text', async ({ open }) => {
  const page = await open(`${PAGES.hostile}#step-4`);
  expect(await page.locator('#step-4 pre').first().textContent()).toContain('</script><script>alert(1)</script>');
  expect(await page.locator('main script, main img').count()).toBe(0);
});
