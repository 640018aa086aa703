import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{cluster,experiments,reports,scripts}/**/*.test.ts'],
    // Clusters are processes: two test files at once are what two cores carry.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
