import { defineConfig } from 'vitest/config';

/** The tests that open pages in a browser: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['reports/site/**/*.browser.test.ts'],
    globalSetup: ['reports/site/browser/setup.ts'],
    maxWorkers: 2,
    // Bounds that only a test that hangs comes to: on a laden machine everything takes several times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
