import { defineConfig } from 'vitest/config';

// Two cores are all a test machine is sure to have: files run in two forks, each with its own database clones.
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'engine', include: ['engine/**/*.test.ts'], testTimeout: 120_000, pool: 'forks' } },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'scripts/**/*.test.ts', 'manual/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          pool: 'forks',
        },
      },
      './console/vitest.config.ts',
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          pool: 'forks',
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
    maxWorkers: 2,
  },
});
