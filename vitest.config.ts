import { defineConfig } from 'vitest/config';

// Programs that tests start say the same whatever the user or the CI prefers.
for (const name of Object.keys(process.env)) {
  if (/^(FORCE_COLOR$|SHARDLAB_|MONGOMS_)/.test(name)) delete process.env[name];
}

export default defineConfig({
  test: {
    include: ['{cluster,experiments,reports,scripts}/**/*.test.ts'],
    exclude: ['**/*.browser.test.ts'], // npm run test:browser
    // Clusters are processes: two test files at once are what two cores carry.
    maxWorkers: 2,
    // Bounds that only a test that hangs comes to: on a laden machine everything takes several times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
