import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { stateRecord } from '../../state.fixture.ts';
import { test } from '../browser/open.ts';
import { PAGES } from '../browser/site.fixture.ts';

const LAST = stateRecord.steps.length;

/** The steps that can be seen. */
async function visibleSteps(page: Page): Promise<(string | null)[]> {
  const steps = await page.locator('.step:visible').all();
  return Promise.all(steps.map((step) => step.getAttribute('id')));
}

/** Waits for it: a browser that goes back tells the page of it later. */
async function expectStep(page: Page, step: number, hash = `#step-${step}`): Promise<void> {
  const shown = async () => ({ steps: await visibleSteps(page), hash: new URL(page.url()).hash });
  await expect.poll(shown).toEqual({ steps: [`step-${step}`], hash });
}

describe('the player', () => {
  test('goes forward and back, and stops at both ends', async ({ open }) => {
    const page = await open(PAGES.states);
    await expectStep(page, 1, '');
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button('Next').click();
    await expectStep(page, 2);
    await button('Back').click();
    await expectStep(page, 1);
    await button('Last').click();
    await expectStep(page, LAST);
    expect(await button('Next').getAttribute('aria-disabled')).toBe('true');
    await button('First').click();
    await expectStep(page, 1);
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
      await expectStep(page, step);
    }
  });

  test('has a slider, which keeps its own keys', async ({ open }) => {
    const page = await open(PAGES.states);
    const slider = page.getByRole('slider', { name: 'Step' });
    await slider.fill('4');
    await expectStep(page, 4);
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await expectStep(page, 5);
    expect(await slider.getAttribute('aria-valuetext')).toContain(`Step 5 of ${LAST}: A chunk moves`);
  });

  test('tells those who hear the page where they are', async ({ open }) => {
    const page = await open(PAGES.states);
    await page.keyboard.press('ArrowRight');
    const said = page.locator('[aria-live]');
    expect(await said.textContent()).toContain(`Step 2 of ${LAST}: Three users sign up.`);
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowRight');
    expect((await said.textContent())?.trim()).toBe('users, index email_1 is new on sh0 and sh1'); // the slider says the rest
  });

  test('keeps the focus where it was pressed, and takes it along from a step that goes', async ({ open }) => {
    const page = await open(`${PAGES.states}#step-2`);
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await page.getByRole('button', { name: 'Next' }).press('Enter');
    expect(await focused()).toBe('Next');
    await page.locator('#step-3 summary').focus();
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toContain('An email of the same shard again is refused.');
  });

  test('has no landmark for each step', async ({ open }) => {
    const page = await open(PAGES.states);
    expect(await page.locator('main').ariaSnapshot()).not.toContain('region');
  });
});

describe('the address', () => {
  test('opens the step that it names', async ({ open }) => {
    const page = await open(`${PAGES.states}#step-5`);
    await expectStep(page, 5);
    await page.getByText(`List of ${LAST} steps`).click();
    await page.getByRole('link', { name: 'Every email has to be unique.' }).click();
    await expectStep(page, 3);
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Every email has to be unique.');
    expect(await page.locator('[aria-live]').textContent()).not.toContain('Every email'); // which the focus says
  });

  test('leads back and forth through the steps that were shown', async ({ open }) => {
    const page = await open(PAGES.states);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    await page.goBack();
    await expectStep(page, 2);
    await page.goBack();
    await expectStep(page, 1, '');
    await page.goForward();
    await expectStep(page, 2);
  });
});

describe('an address that names no step', () => {
  test.for([
    ['#step-999', LAST],
    ['#step-0', 1],
    ['#step-abc', 1],
    ['#verdicts', 1],
    ['#%E0%A4%A', 1],
  ] as const)('%s opens the page at a step that there is', async ([hash, step], { open }) => {
    const page = await open(`${PAGES.states}${hash}`);
    expect(await visibleSteps(page)).toEqual([`step-${step}`]);
  });

  test('does not keep a step from being shown that the browser refuses to put into it', async ({ open }) => {
    const page = await open(PAGES.states);
    await page.evaluate(
      'history.pushState = history.replaceState = () => { throw new DOMException("too often", "SecurityError") }',
    );
    await page.keyboard.press('ArrowRight');
    await expectStep(page, 2, '');
    await page.getByRole('slider').fill('4');
    await expectStep(page, 4, '');
  });
});

test('on paper every step is there', async ({ open }) => {
  const page = await open(`${PAGES.states}#step-5`);
  await page.emulateMedia({ media: 'print' });
  expect(await visibleSteps(page)).toHaveLength(LAST);
  expect(await page.locator('.player').isVisible()).toBe(false);
});

describe('without a script', () => {
  test('the whole report is there, and no player', async ({ open }) => {
    const page = await open(PAGES.states, { javaScriptEnabled: false });
    expect(await visibleSteps(page)).toEqual(stateRecord.steps.map(({ number }) => `step-${number}`));
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
